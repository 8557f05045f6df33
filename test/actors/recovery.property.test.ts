import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../actors/recovery.js';
import { liveThrough, type Fate, type Words } from '../support/mortal-session.js';
import { expectSound, expectWellFormed } from '../support/recovery-rules.js';
import { calls, fails, says, type Asked } from '../support/scripted-model.js';

const asked = fc.constantFrom<Asked>(
  ['read_file', { path: 'a' }],
  ['write_file', { path: 'b' }],
  ['shell', { command: 'make' }],
  ['shell', 'not JSON'],
);
const turn = fc.oneof(
  { weight: 5, arbitrary: fc.array(asked, { minLength: 1, maxLength: 4 }).map((a) => calls(...a)) },
  { weight: 1, arbitrary: fc.constant(fails('server')) },
  { weight: 1, arbitrary: fc.constant(says('One, two', { finish: 'length' })) },
  { weight: 1, arbitrary: fc.constant(says('That is all.')) },
);
const turns = fc.array(turn, { maxLength: 6 });
const words = fc
  .array(fc.record({ atFact: fc.integer({ min: 1, max: 30 }), steer: fc.boolean() }), {
    maxLength: 3,
  })
  .map((given) =>
    given.map(({ atFact, steer }, i): Words => ({
      atFact,
      text: `words ${i}`,
      mode: steer ? 'steer' : 'queue',
    })),
  );
const deaths = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 });
const fates: fc.Arbitrary<Fate> = fc.record({ turns, words, deaths });

test('the fold over the rows of a session is the session as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record({ turns, words, deaths: fc.constant([]) }), async (fate) => {
      const { rows, conversation, errors } = await liveThrough(fate);
      expect(errors).toEqual([]);
      const { main } = fold(rows);
      expect(main.conversation.messages).toEqual(conversation.messages);
      expect(main.conversation.openCalls).toEqual([]);
      expect(main.conversation.tally).toEqual(conversation.tally);
      expect(main.asking).toBe(false);
    }),
  );
});

test('wherever the rows end, what is rebuilt can go on and repeats nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fates, async (fate) => {
      const { rows } = await liveThrough(fate);
      for (let length = 0; length <= rows.length; length += 1) expectSound(rows.slice(0, length));
    }),
    { numRuns: 40 },
  );
});

test('however often it dies, no call that changes something begins twice and no word is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fates, async (fate) => {
      const { rows, conversation, effects, errors } = await liveThrough(fate);
      expect(errors).toEqual([]);
      expect([...effects.values()].every((times) => times === 1)).toBe(true);
      expectWellFormed(conversation);
      expect(conversation.openCalls).toEqual([]);
      expect(fold(rows).main.conversation.messages).toEqual(conversation.messages);
      const goals = conversation.messages.filter((m) => m.role === 'user' && m.origin === 'goal');
      expect(goals).toHaveLength(1);
    }),
    { numRuns: 60 },
  );
});
