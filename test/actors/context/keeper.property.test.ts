import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Conversation, userMessage } from '../../../actors/conversation.js';
import { Estimator } from '../../../actors/context/estimator.js';
import type { KeeperPorts } from '../../../actors/context/keeper-frame.js';
import { ContextKeeper } from '../../../actors/context/keeper.js';
import { fold } from '../../../actors/recovery.js';
import type { Message } from '../../../messages/conversation.js';
import { MAIN_AGENT } from '../../../messages/ids.js';
import type { ModelUse } from '../../../messages/model.js';
import { factOf, type JournalFact } from '../../../messages/journal.js';
import { addRound, conversationOf, pairFaults, pastRounds } from '../../support/histories.js';

const GOOD = `Read src/a.ts, src/b.ts and docs/c d.md; changed them. ${'Then went on. '.repeat(8)}`;

const SAID = { good: GOOD, empty: '', none: null };
type SummaryKind = keyof typeof SAID;
const summaries = fc.constantFrom<SummaryKind>('good', 'empty', 'none');

function keeperOf(
  conversation: Conversation,
  window: number,
  kind: SummaryKind,
  asked: () => void = () => undefined,
  frameOf?: KeeperPorts['frameOf'],
  use: ModelUse | null = null,
) {
  const rows: JournalFact[] = [];
  const ports: KeeperPorts = {
    condense: () => {
      asked();
      return Promise.resolve({ text: SAID[kind], use });
    },
    beginning: (_agent, words) => [
      { role: 'system', text: 'You are ouro.' },
      ...words,
      userMessage('begun anew', 'harness'),
    ],
    beforeCompact: () => Promise.resolve({ leave: false, note: null }),
    notice: () => null,
    record: (...facts) => void rows.push(...facts),
    tell: () => Promise.resolve(),
    now: () => 0,
    ...(frameOf === undefined ? {} : { frameOf }),
  };
  const keeper = new ContextKeeper(ports, {
    agent: MAIN_AGENT,
    conversation,
    tools: [],
    estimator: new Estimator(),
    windowTokens: window,
    replyTokens: 0,
    summaryChars: 8_000,
  });
  return { keeper, rows };
}

const ownWords = (messages: readonly Message[]): string[] =>
  messages.flatMap((m) => (m.role === 'user' && m.origin !== 'harness' ? [m.text] : []));

test('whatever is done to a history, calls keep their results and a person keeps their words', async () => {
  await fc.assert(
    fc.asyncProperty(
      pastRounds(30),
      fc.integer({ min: 300, max: 9_000 }),
      summaries,
      async (rounds, window, kind) => {
        const conversation = conversationOf(rounds);
        const said = ownWords(conversation.messages);
        const { keeper } = keeperOf(conversation, window, kind);
        for (let round = rounds.length + 1; round < rounds.length + 5; round += 1) {
          await keeper.fit(round);
          expect(pairFaults(conversation.messages)).toEqual([]);
          expect(ownWords(conversation.messages)).toEqual(said);
          expect(conversation.messages[0]?.role).toBe('system');
          expect(conversation.messages.filter(({ role }) => role === 'system')).toHaveLength(1);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('the rows rebuild the same messages, to the byte', async () => {
  await fc.assert(
    fc.asyncProperty(pastRounds(20), fc.integer({ min: 300, max: 6_000 }), async (past, window) => {
      const conversation = new Conversation();
      const { keeper, rows } = keeperOf(conversation, window, 'good');
      const add = (message: Message) => {
        conversation.add(message);
        rows.push(factOf('message.added', MAIN_AGENT, 0, { message }));
      };
      add({ role: 'system', text: 'You are ouro.' });
      add(userMessage('the goal', 'goal'));
      for (const [i, round] of past.entries()) {
        const before = conversation.messages.length;
        addRound(conversation, round, i + 1);
        for (const message of conversation.messages.slice(before)) {
          rows.push(
            message.role === 'tool'
              ? factOf('tool.outcome', MAIN_AGENT, i + 1, {
                  callId: message.callId,
                  name: message.name,
                  outcome: { status: 'ok', text: message.text, truncated: false },
                })
              : factOf('message.added', MAIN_AGENT, i + 1, { message }),
          );
        }
        await keeper.fit(i + 2);
      }
      const { main } = fold(rows.map((row, i) => ({ ...row, seq: i + 1, ts: i })));
      expect(main.conversation.messages).toEqual(conversation.messages);
      expect(main.conversation.record).toEqual(conversation.record);
    }),
    { numRuns: 60 },
  );
});

test('what is used is the same whether it was added up or counted afresh', async () => {
  await fc.assert(
    fc.asyncProperty(pastRounds(15), fc.integer({ min: 500, max: 5_000 }), async (past, window) => {
      const conversation = conversationOf([]);
      const { keeper } = keeperOf(conversation, window, 'good');
      for (const [i, round] of past.entries()) {
        addRound(conversation, round, i + 1);
        await keeper.fit(i + 2);
        expect(keeper.used).toBe(new Estimator().of(conversation.messages));
      }
    }),
    { numRuns: 40 },
  );
});

/** Nothing of it can be masked. */
function fullConversation(): Conversation {
  const result = 'line of output\n'.repeat(40);
  const calls = [{ name: 'ask_user', args: {}, result }];
  return conversationOf(Array.from({ length: 20 }, () => ({ heard: null, text: '', calls })));
}

test('a stop does not wait for a summary, which then changes nothing and counts as no failure', async () => {
  const conversation = fullConversation();
  const stop = new AbortController();
  const { keeper, rows } = keeperOf(conversation, 1_000, 'none', () => stop.abort());
  const before = conversation.messages;
  await keeper.fit(21, stop.signal);
  expect(stop.signal.aborted).toBe(true);
  expect(conversation.messages).toEqual(before);
  expect(rows).toEqual([]);
});

test('a smaller model makes the next request shorter', async () => {
  const calls = [{ name: 'grep', args: {}, result: 'a line of a result '.repeat(100) }];
  const rounds = Array.from({ length: 14 }, () => ({ heard: null, text: 'looking', calls }));
  const conversation = conversationOf(rounds);
  const frame = { estimator: new Estimator(), replyTokens: 0, summaryChars: 8_000 };
  const { keeper, rows } = keeperOf(conversation, 100_000, 'good', undefined, () => ({
    ...frame,
    windowTokens: 3_000,
  }));
  await keeper.fit(rounds.length + 1);
  expect(rows).toEqual([]);
  keeper.useModel('smaller');
  expect(keeper.room).toBeLessThanOrEqual(3_000);
  await keeper.fit(rounds.length + 1);
  expect(keeper.used).toBeLessThan(3_000);
  expect(rows).not.toEqual([]);
});

test('what was paid for a summary that a stop came before is on record', async () => {
  const stop = new AbortController();
  const usage = { promptTokens: 900, completionTokens: 100, cachedTokens: 0, costUsd: 0.25 };
  const use = { model: 'm', usage };
  const { keeper, rows } = keeperOf(
    fullConversation(),
    1_000,
    'good',
    () => stop.abort(),
    undefined,
    use,
  );
  await keeper.fit(21, stop.signal);
  expect(rows).toMatchObject([{ kind: 'context.refused', body: { modelUse: [use, use] } }]);
});

test('nothing is learned from tokens that no server has counted', () => {
  const conversation = fullConversation();
  const { keeper } = keeperOf(conversation, 100_000, 'none');
  const before = keeper.used;
  const usage = { promptTokens: 2 * before, completionTokens: 1, cachedTokens: 0 };
  keeper.sending(21, conversation.messages);
  keeper.counted({ ...usage, estimated: true });
  expect(keeper.used).toBe(before);
  keeper.sending(22, conversation.messages);
  keeper.counted(usage);
  expect(keeper.used).toBeGreaterThan(before);
});
