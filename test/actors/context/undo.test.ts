import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Conversation, userMessage } from '../../../actors/conversation.js';
import { Estimator } from '../../../actors/context/estimator.js';
import { ContextKeeper } from '../../../actors/context/keeper.js';
import { pictureOf } from '../../../actors/context/picture.js';
import { compactionsIn, undoOf } from '../../../actors/context/undo.js';
import { fold } from '../../../actors/recovery.js';
import type { Message } from '../../../messages/conversation.js';
import { MAIN_AGENT, type AgentId } from '../../../messages/ids.js';
import { factOf, type JournalFact, type JournalRow } from '../../../messages/journal.js';
import { addRound, pairFaults, pastRounds, type PastRound } from '../../support/histories.js';
import { rowsOf } from '../../support/journal-rows.js';

const GOOD = `Read src/a.ts, src/b.ts and docs/c d.md; changed them. ${'Then went on. '.repeat(8)}`;

/** A session's rows with its compactions, and the messages as they would be without any. */
async function lived(past: readonly PastRound[], window: number) {
  const facts: JournalFact[] = [];
  const conversation = new Conversation();
  const whole = new Conversation();
  const keeper = new ContextKeeper(
    {
      condense: () => Promise.resolve({ text: GOOD, use: null }),
      beginning: (_agent, words) => [
        { role: 'system', text: 'You are ouro.' },
        ...words,
        userMessage('begun anew', 'harness'),
      ],
      beforeCompact: () => Promise.resolve({ leave: false, note: null }),
      notice: () => null,
      record: (...rows) => void facts.push(...rows),
      tell: () => Promise.resolve(),
      now: () => 0,
    },
    {
      agent: MAIN_AGENT,
      conversation,
      tools: [],
      estimator: new Estimator(),
      windowTokens: window,
      replyTokens: 0,
      summaryChars: 8_000,
    },
  );
  const begin: readonly Message[] = [
    { role: 'system', text: 'You are ouro.' },
    userMessage('the goal', 'goal'),
  ];
  for (const message of begin) {
    conversation.add(message);
    whole.add(message);
    facts.push(factOf('message.added', MAIN_AGENT, 0, { message }));
  }
  for (const [i, round] of past.entries()) {
    const before = whole.messages.length;
    addRound(conversation, round, i + 1);
    addRound(whole, round, i + 1);
    facts.push(...whole.messages.slice(before).map((message) => rowFor(message, i + 1)));
    await keeper.fit(i + 2);
  }
  return { rows: rowsOf(...facts), messages: conversation.messages, whole: whole.messages };
}

const rowFor = (message: Message, round: number): JournalFact =>
  message.role === 'tool'
    ? factOf('tool.outcome', MAIN_AGENT, round, {
        callId: message.callId,
        name: message.name,
        outcome: { status: 'ok', text: message.text, truncated: false },
      })
    : factOf('message.added', MAIN_AGENT, round, { message });

const withFact = (rows: readonly JournalRow[], fact: JournalFact): readonly JournalRow[] => [
  ...rows,
  { ...fact, seq: rows.length + 1, ts: 0 },
];

test('an undo restores what was there, keeps what came since, and leaves every call its result', async () => {
  await fc.assert(
    fc.asyncProperty(
      pastRounds(24),
      fc.integer({ min: 300, max: 6_000 }),
      fc.nat(),
      async (past, window, pick) => {
        const { rows, messages, whole } = await lived(past, window);
        const compactions = compactionsIn(rows, MAIN_AGENT);
        const [first] = compactions;
        if (first === undefined) {
          expect(undoOf(rows, MAIN_AGENT, null)).toEqual({ ok: false, reason: 'none' });
          return;
        }
        const chosen = compactions[pick % compactions.length] ?? first;
        const undo = undoOf(rows, MAIN_AGENT, chosen.row);
        if (!undo.ok) throw new Error(undo.reason);
        const after = withFact(rows, undo.fact);
        const { conversation } = fold(after).main;
        expect(conversation.messages).toEqual(undo.fact.body.messages);
        expect(pairFaults(conversation.messages)).toEqual([]);
        // Up to the compaction as it was before it, and from there on as it was said.
        const before = fold(rows.filter(({ seq }) => seq < chosen.row)).main.conversation.messages;
        expect(conversation.messages.slice(0, before.length)).toEqual(before);
        const since = conversation.messages.length - before.length;
        expect(conversation.messages.slice(before.length)).toEqual(
          whole.slice(whole.length - since),
        );
        expect(compactionsIn(after, MAIN_AGENT).filter(({ undone }) => !undone)).toEqual(
          compactions.filter(({ row }) => row < chosen.row),
        );
        expect(messages.length).toBeLessThanOrEqual(whole.length + compactions.length);
      },
    ),
    { numRuns: 120 },
  );
});

test('undone one after another, from the newest on, nothing of a conversation is missing', async () => {
  await fc.assert(
    fc.asyncProperty(pastRounds(16), fc.integer({ min: 300, max: 4_000 }), async (past, window) => {
      const { rows, whole } = await lived(past, window);
      let now: readonly JournalRow[] = rows;
      for (let left = compactionsIn(rows, MAIN_AGENT).length; left > 0; left -= 1) {
        const undo = undoOf(now, MAIN_AGENT, null);
        if (!undo.ok) throw new Error(undo.reason);
        expect(undo.compactions).toHaveLength(1);
        now = withFact(now, undo.fact);
      }
      expect(undoOf(now, MAIN_AGENT, null)).toEqual({ ok: false, reason: 'none' });
      expect(fold(now).main.conversation.messages).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

describe('of a session with a mask and a summary', () => {
  const message: Message = { role: 'system', text: 'You are ouro.' };
  const record = { changed: [], read: [], commands: [], errors: [], answers: [] };
  const summary: Message = {
    role: 'assistant',
    text: '<context_summary>\nthe work\n</context_summary>',
    calls: [],
  };
  const words = userMessage('go on', 'steer');
  const condensed = { first: 2, count: 1, messages: [summary], record };
  const rows = rowsOf(
    factOf('message.added', MAIN_AGENT, 0, { message }),
    factOf('message.added', MAIN_AGENT, 0, { message: userMessage('the goal', 'goal') }),
    factOf('context.masked', MAIN_AGENT, 3, { masks: [] }),
    factOf('message.added', MAIN_AGENT, 3, { message: words }),
    factOf('context.summarised', MAIN_AGENT, 4, condensed),
    factOf('context.masked', 'sub-1' as AgentId, 4, { masks: [] }),
  );

  test('the newest is that of the agent, and is taken back once', () => {
    const undo = undoOf(rows, MAIN_AGENT, null);
    expect(undo).toMatchObject({ ok: true, compactions: [{ row: 5, step: 'summary' }] });
    if (!undo.ok) return;
    expect(undo.fact.body).toMatchObject({
      of: 5,
      messages: [message, { text: 'the goal' }, words],
    });
    const after = withFact(rows, undo.fact);
    expect(undoOf(after, MAIN_AGENT, 5)).toEqual({ ok: false, reason: 'undone-before' });
    expect(undoOf(after, MAIN_AGENT, null)).toMatchObject({ ok: true, compactions: [{ row: 3 }] });
  });

  test('an older one takes the later ones with it', () => {
    expect(undoOf(rows, MAIN_AGENT, 3)).toMatchObject({
      ok: true,
      compactions: [{ row: 3 }, { row: 5 }],
    });
  });

  test("a row that is none, or another agent's, is refused", () => {
    for (const row of [1, 6, 99]) {
      expect(undoOf(rows, MAIN_AGENT, row)).toEqual({ ok: false, reason: 'no-compaction' });
    }
  });

  test('the picture shows zones, summary and compactions', () => {
    expect(pictureOf(rows, MAIN_AGENT, () => undefined)).toMatchObject({
      round: 4,
      messages: 3,
      summary: summary.text,
      masked: [],
      next: [],
      compactions: [{ step: 'mask' }, { step: 'summary', round: 4, undone: false }],
    });
    expect(pictureOf(rows, 'sub-9' as AgentId, () => undefined)).toBeNull();
  });
});

test('the picture names what is masked, and what would be next with what it frees', async () => {
  const read = (n: number): PastRound => ({
    heard: null,
    text: '',
    calls: [{ name: 'grep', args: { pattern: `p${n}` }, result: 'a line of it\n'.repeat(60) }],
  });
  const past = Array.from({ length: 16 }, (_, n) => read(n));
  const roomy = await lived(past, 100_000);
  const before = pictureOf(roomy.rows, MAIN_AGENT, () => undefined);
  expect(before?.masked).toEqual([]);
  expect(before?.next.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `main_${n}_1`));
  expect(before?.next.every(({ tokens }) => tokens > 50)).toBe(true);
  const used = Object.values(before?.zones ?? {}).reduce((sum, tokens) => sum + tokens, 0);
  // Each zone is rounded up by itself.
  expect(Math.abs(used - new Estimator().of(roomy.messages))).toBeLessThan(4);
  const tight = await lived(past, Math.floor(used * 1.1));
  const after = pictureOf(tight.rows, MAIN_AGENT, () => undefined);
  expect(after?.masked[0]).toMatchObject({
    id: 'main_1_1',
    text: expect.stringContaining('[Cleared: grep') as string,
  });
});
