import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Mailbox, type LaneName } from '../../../messages/channels/mailbox.js';

interface Item {
  readonly producer: number;
  readonly lane: LaneName;
  readonly n: number;
}

interface Producing {
  readonly do: 'offer' | 'put';
  readonly producer: number;
  readonly lane: LaneName;
}
type Step =
  Producing | { readonly do: 'take' } | { readonly do: 'close' } | { readonly do: 'pause' };

const producing = fc.record({
  do: fc.constantFrom('offer' as const, 'put' as const),
  producer: fc.nat(2),
  lane: fc.constantFrom<LaneName>('normal', 'control'),
});

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: producing },
    { weight: 4, arbitrary: fc.constant({ do: 'take' as const }) },
    { weight: 2, arbitrary: fc.constant({ do: 'pause' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'close' as const }) },
  ),
  { maxLength: 80, size: 'max' },
);

const capacities = fc.record({
  capacity: fc.integer({ min: 1, max: 4 }),
  controlCapacity: fc.integer({ min: 1, max: 3 }),
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Plays the steps, closes, reads what is left, and gives back what was accepted and what was read. */
async function play(
  mailbox: Mailbox<Item>,
  script: readonly Step[],
  look: () => void,
): Promise<{ accepted: Item[]; refused: Item[]; read: Item[] }> {
  const accepted: Item[] = [];
  const refused: Item[] = [];
  const read: Item[] = [];
  const puts: Promise<void>[] = [];
  const file = (item: Item, admitted: boolean): void =>
    void (admitted ? accepted : refused).push(item);
  let n = 0;
  for (const step of script) {
    if (step.do === 'close') mailbox.close();
    else if (step.do === 'pause') await nextTurn();
    else if (step.do === 'take') {
      const item = mailbox.take();
      if (item !== undefined) read.push(item);
    } else {
      const item = { producer: step.producer, lane: step.lane, n: (n += 1) };
      if (step.do === 'offer') file(item, mailbox.offer(item, item.lane));
      else puts.push(mailbox.put(item, item.lane).then((admitted) => file(item, admitted)));
    }
    look();
  }
  mailbox.close();
  for await (const item of mailbox) read.push(item);
  await Promise.all(puts);
  return { accepted, refused, read };
}

const numbers = (items: readonly Item[]): number[] => items.map(({ n }) => n).sort((a, b) => a - b);

test('whatever the interleaving, everything accepted is read once and nothing else is', async () => {
  await fc.assert(
    fc.asyncProperty(capacities, steps, async (options, script) => {
      const mailbox = new Mailbox<Item>(options);
      const { accepted, refused, read } = await play(mailbox, script, () => undefined);
      expect(numbers(read)).toEqual(numbers(accepted));
      expect(numbers([...accepted, ...refused])).toEqual(
        Array.from({ length: accepted.length + refused.length }, (_, i) => i + 1),
      );
    }),
  );
});

test('within a lane the order is kept for every producer', async () => {
  await fc.assert(
    fc.asyncProperty(capacities, steps, async (options, script) => {
      const { read } = await play(new Mailbox<Item>(options), script, () => undefined);
      for (const lane of ['normal', 'control']) {
        for (const producer of [0, 1, 2]) {
          const own = read.filter((item) => item.lane === lane && item.producer === producer);
          expect(own.map(({ n }) => n)).toEqual(numbers(own));
        }
      }
    }),
  );
});

test('the depth never exceeds the room there is, and the high-water mark is its maximum', async () => {
  await fc.assert(
    fc.asyncProperty(capacities, steps, async (options, script) => {
      const mailbox = new Mailbox<Item>(options);
      let highest = 0;
      await play(mailbox, script, () => {
        highest = Math.max(highest, mailbox.depth);
        expect(mailbox.depth).toBeLessThanOrEqual(options.capacity + options.controlCapacity);
      });
      expect(mailbox.highWater).toBe(highest);
    }),
  );
});

test('a reader that never rests gets every item of producers that wait for room', async () => {
  const lanes = fc.array(fc.constantFrom<LaneName>('normal', 'control'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(capacities, fc.array(lanes, { maxLength: 4 }), async (options, producers) => {
      const mailbox = new Mailbox<Item>(options);
      const read: Item[] = [];
      const reading = (async () => {
        for await (const item of mailbox) read.push(item);
      })();
      const work = producers.map(async (own, producer) => {
        for (const [n, lane] of own.entries()) {
          expect(await mailbox.put({ producer, lane, n }, lane)).toBe(true);
        }
      });
      await Promise.all(work);
      mailbox.close();
      await reading;
      // A producer that waits for each of its puts can only be overtaken by itself across lanes.
      for (const [producer, own] of producers.entries()) {
        for (const lane of ['normal', 'control'] as const) {
          const sent = own.flatMap((used, n) => (used === lane ? [n] : []));
          const got = read.filter((item) => item.producer === producer && item.lane === lane);
          expect(got.map(({ n }) => n)).toEqual(sent);
        }
      }
    }),
  );
});
