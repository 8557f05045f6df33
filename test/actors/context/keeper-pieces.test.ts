import { expect, test } from 'vitest';
import { Estimator } from '../../../actors/context/estimator.js';
import type { KeeperPorts } from '../../../actors/context/keeper-frame.js';
import { ContextKeeper } from '../../../actors/context/keeper.js';
import { fold } from '../../../actors/recovery.js';
import { MAIN_AGENT } from '../../../messages/ids.js';
import type { JournalFact } from '../../../messages/journal.js';
import { conversationOf, type PastRound } from '../../support/histories.js';

/** Results that are never masked, so that only a summary frees room. */
const on = (path: string, rounds: number): PastRound[] =>
  Array.from({ length: rounds }, () => ({
    heard: null,
    text: '',
    calls: [{ name: 'ask_user', args: { path }, result: 'a line of some length\n'.repeat(60) }],
  }));

/** Keeps a conversation on two pieces of work that fills this share of its room. */
async function keptAt(share: number) {
  const conversation = conversationOf([...on('a/x.ts', 20), ...on('b/y.ts', 20 + 5)]);
  const estimator = new Estimator();
  const asked: { part: string; before: string }[] = [];
  const rows: JournalFact[] = [];
  const ports: KeeperPorts = {
    condense(part, before) {
      asked.push({ part, before });
      const text = `Summary ${asked.length} of what was done. ${'It went well. '.repeat(8)}`;
      return Promise.resolve({ text, use: null });
    },
    beginning: () => [],
    beforeCompact: () => Promise.resolve({ leave: false, note: null }),
    notice: () => null,
    record: (...facts) => void rows.push(...facts),
    tell: () => Promise.resolve(),
    now: () => 0,
  };
  const keeper = new ContextKeeper(ports, {
    ...{ agent: MAIN_AGENT, conversation, tools: [], estimator, replyTokens: 0 },
    windowTokens: Math.round(estimator.of(conversation.messages) / share),
    summaryChars: 100_000,
  });
  await keeper.fit(46);
  return { asked, rows, conversation };
}

test('a window that is nearly full has its middle summarised in one request', async () => {
  const { asked } = await keptAt(0.85);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.part.match(/<work on/g)).toHaveLength(2);
});

test('one that is full has it summarised piece by piece, each with the summary of those before', async () => {
  const { asked, conversation } = await keptAt(0.95);
  expect(asked.map(({ part }) => part.split('\n', 1)[0])).toEqual([
    '<work on="a/x.ts">',
    '<work on="b/y.ts">',
  ]);
  expect(asked.map(({ before }) => before.slice(0, 9))).toEqual(['', 'Summary 1']);
  expect(conversation.messages[2]?.text).toContain('Summary 2');
});

test('the row names the pieces, and rebuilds the same messages whether it does or not', async () => {
  const { rows } = await keptAt(0.95);
  const [row] = rows;
  if (row?.kind !== 'context.summarised') throw new Error('nothing was summarised');
  const { segments, ...older } = row.body;
  expect(segments).toEqual([
    { begins: 'start', messages: 40, files: ['a/x.ts'] },
    { begins: 'files', messages: 40, files: ['b/y.ts'] },
  ]);
  const folded = [row, { ...row, body: older }].map(
    (each) => fold([{ ...each, seq: 1, ts: 0 }]).main.conversation.messages,
  );
  expect(folded[0]).toEqual(folded[1]);
});
