import { expect, test } from 'vitest';
import { Mailbox } from '../../../messages/channels/mailbox.js';
import { AGENT_INBOX, CONTROL_LANE, COORDINATOR_INBOX } from '../../../messages/coordinator.js';

/** The mesh's own shape: whoever sends up waits for room, the hub in the middle waits for nobody who waits for it. */
interface Note {
  readonly to: 0 | 1;
  readonly n: number;
}

const MESSAGES = 100_000;
const EACH = MESSAGES / 2;
/** Two agents' inboxes and the hub's hold 384 notes; this is thousands of times more. */
const MAX_GROWTH = 32 * 1024 * 1024;

const inboxOf = (capacity: number): Mailbox<Note> =>
  new Mailbox<Note>({ capacity, controlCapacity: CONTROL_LANE });

async function send(hub: Mailbox<Note>, to: Note['to']): Promise<void> {
  for (let n = 0; n < EACH; n += 1) if (!(await hub.put({ to, n }))) throw new Error('refused');
}

/** Counts what arrives, and fails on the first note out of its order. */
async function receive(inbox: Mailbox<Note>, count: (n: number) => void): Promise<number> {
  let expected = 0;
  for await (const { n } of inbox) {
    if (n !== expected) throw new Error(`note ${n} came instead of ${expected}`);
    expected += 1;
    count(n);
  }
  return expected;
}

test('two agents exchange 100,000 messages through full mailboxes, in order and in bounded room', async () => {
  const hub = inboxOf(COORDINATOR_INBOX);
  const agents = [inboxOf(AGENT_INBOX), inboxOf(AGENT_INBOX)] as const;
  let passed = 0;
  let early = 0;
  const look = (): void => {
    passed += 1;
    if (passed === 20_000) early = process.memoryUsage().heapUsed;
    if (hub.depth > COORDINATOR_INBOX) throw new Error(`the hub holds ${hub.depth} notes`);
    for (const { depth } of agents)
      if (depth > AGENT_INBOX) throw new Error(`an agent's inbox holds ${depth} notes`);
  };
  const forward = async (): Promise<void> => {
    for await (const note of hub) {
      const inbox = agents[note.to];
      if (!inbox.offer(note)) await inbox.put(note);
    }
    for (const inbox of agents) inbox.close();
  };
  const received = Promise.all(agents.map((inbox) => receive(inbox, look)));
  const forwarded = forward();
  await Promise.all([send(hub, 1), send(hub, 0)]);
  hub.close();
  await forwarded;
  expect(await received).toEqual([EACH, EACH]);
  expect(passed).toBe(MESSAGES);
  expect(process.memoryUsage().heapUsed - early).toBeLessThan(MAX_GROWTH);
});

test('a hub that offers loses what finds no room, counts it, and never stands still', async () => {
  const hub = inboxOf(COORDINATOR_INBOX);
  const inbox = inboxOf(AGENT_INBOX);
  let dead = 0;
  const forward = async (): Promise<void> => {
    for await (const note of hub) if (!inbox.offer(note)) dead += 1;
  };
  const forwarded = forward();
  await send(hub, 0);
  hub.close();
  await forwarded;
  inbox.close();
  const read: number[] = [];
  for await (const { n } of inbox) read.push(n);
  expect(read).toEqual(Array.from({ length: AGENT_INBOX }, (_, n) => n));
  expect(dead + read.length).toBe(EACH);
  expect(inbox.highWater).toBe(AGENT_INBOX);
});

test('producers that do not wait for each other fill the hub to its brim and no further', async () => {
  const hub = inboxOf(COORDINATOR_INBOX);
  const puts = Array.from({ length: 1_000 }, (_, n) => hub.put({ to: 0, n }));
  expect(hub.depth).toBe(COORDINATOR_INBOX);
  const read: number[] = [];
  for (let note = hub.take(); note !== undefined; note = hub.take()) {
    expect(hub.depth).toBeLessThanOrEqual(COORDINATOR_INBOX);
    read.push(note.n);
  }
  expect(await Promise.all(puts)).toEqual(puts.map(() => true));
  expect(read).toEqual(puts.map((_, n) => n));
  expect(hub.highWater).toBe(COORDINATOR_INBOX);
});
