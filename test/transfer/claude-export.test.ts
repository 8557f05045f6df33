import { expect, test } from 'vitest';
import { callIdOf, MAIN_AGENT, shortId } from '../../messages/ids.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import { claudeExport, withRows } from '../../src/session-export.js';
import { keptIn } from '../../src/transfer/kept.js';
import { sessionDir } from '../../src/store/layout.js';
import { keptMain } from '../../src/transfer/transcript.js';
import { specOf, SUB } from '../support/session-samples.js';
import { appendFileSync } from 'node:fs';
import {
  append,
  bringIn,
  conversationIn,
  exported,
  fixture,
  inShort,
  linesIn,
  newDesk,
  rowsIn,
  sessionOf,
  transcriptOf,
} from './transfer-desk.js';

const MODEL = 'some-model';
const [READ, TASK] = [callIdOf(MAIN_AGENT, 1, 1), callIdOf(MAIN_AGENT, 1, 2)];
const usage = { promptTokens: 100, completionTokens: 20, cachedTokens: 60, cacheWriteTokens: 10 };

const answered = (round: number, agent = MAIN_AGENT): JournalFact =>
  factOf('model.outcome', agent, round, {
    status: 'ok',
    usage,
    model: MODEL,
    ms: 1,
    finish: 'stop',
  });
const says = (round: number, text: string, agent = MAIN_AGENT): JournalFact =>
  factOf('message.added', agent, round, { message: { role: 'assistant', text, calls: [] } });
const hears = (
  round: number,
  text: string,
  origin: 'goal' | 'harness' | 'parent',
  agent = MAIN_AGENT,
) => factOf('message.added', agent, round, { message: { role: 'user', text, origin } });

const START = [
  sessionFact('session.started', { spec: specOf(), version: '0', pid: 1 }),
  sessionFact('message.added', { message: { role: 'system', text: 'Be brief.' } }),
  hears(0, 'Find the port.', 'goal'),
];

const DELEGATED: readonly JournalFact[] = [
  ...START,
  answered(1),
  factOf('message.added', MAIN_AGENT, 1, {
    message: {
      role: 'assistant',
      text: 'I look, and have it looked for.',
      reasoning: 'Two ways.',
      calls: [
        { id: READ, name: 'read_file', args: { path: 'a' } },
        { id: TASK, name: 'delegate', args: { task: 'look' } },
      ],
    },
  }),
  factOf('agent.spawned', SUB, 0, {
    ...{ agent: SUB, parent: MAIN_AGENT, callId: TASK },
    task: { kind: 'explore', task: 'look', context: '' },
  }),
  hears(0, 'look', 'parent', SUB),
  answered(1, SUB),
  says(1, 'It is 8080.', SUB),
  factOf('agent.ended', SUB, 1, {
    agent: SUB,
    rounds: 1,
    end: { status: 'done', text: '', denied: [] },
  }),
  factOf('tool.outcome', MAIN_AGENT, 1, {
    ...{ callId: TASK, name: 'delegate' },
    outcome: { status: 'ok', text: 'It is 8080.', truncated: false },
  }),
  factOf('tool.outcome', MAIN_AGENT, 1, {
    ...{ callId: READ, name: 'read_file' },
    outcome: { status: 'denied', rule: 'no', text: 'Denied.' },
  }),
  hears(1, 'Some work was interrupted.', 'harness'),
];

const parsed = (lines: readonly string[]): readonly Record<string, unknown>[] =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('every block has a line with all fields, chained to the one before, and results follow in call order', async () => {
  const desk = newDesk();
  const id = await sessionOf(desk, DELEGATED);
  const lines = parsed(await exported(desk, id)).filter(({ isSidechain }) => isSidechain !== true);
  const block = (type: string): object => ({ message: { content: [{ type }] } });
  expect(lines).toMatchObject([
    { type: 'user', parentUuid: null, message: { role: 'user', content: 'Find the port.' } },
    { type: 'assistant', ...block('thinking') },
    { type: 'assistant', ...block('text') },
    { type: 'assistant', ...block('tool_use') },
    { type: 'assistant', ...block('tool_use') },
    { type: 'user', toolUseResult: { status: 'denied', rule: 'no' }, ...block('tool_result') },
    { type: 'user', toolUseResult: { status: 'ok', agentId: SUB }, ...block('tool_result') },
    { type: 'user', isMeta: true },
    { type: 'summary', summary: 'count the files' },
  ]);
  const chain = lines.slice(0, -1);
  expect(chain.slice(1).map(({ parentUuid }) => parentUuid)).toEqual(
    chain.slice(0, -1).map(({ uuid }) => uuid),
  );
  expect(lines.at(-1)?.['leafUuid']).toBe(chain.at(-1)?.['uuid']);
  for (const line of chain) {
    expect(line).toMatchObject({
      ...{ isSidechain: false, userType: 'external', cwd: '/home/me/space', sessionId: id },
      ...{ version: expect.any(String) as string, gitBranch: '' },
      uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
      timestamp: '2026-01-01T00:00:00.000Z',
    });
  }
  const answers = chain.filter(({ type }) => type === 'assistant');
  expect(new Set(answers.map((line) => (line['message'] as { id: string }).id)).size).toBe(1);
  expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(1);
  expect(answers[0]).toMatchObject({
    message: {
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 30,
        cache_creation_input_tokens: 10,
        cache_read_input_tokens: 60,
        output_tokens: 20,
      },
    },
  });
});

test('a sub-agent has a chain of its own, in a file of its own', async () => {
  const desk = newDesk();
  const id = await sessionOf(desk, DELEGATED);
  const side = await withRows(desk.home, id, (rows) =>
    [...claudeExport(rows, desk.home, id, { asOwn: true }).lines()].filter(
      (line) => line.side !== null,
    ),
  );
  expect(side.map((line) => line.side)).toEqual(['agent-sub-1.jsonl', 'agent-sub-1.jsonl']);
  expect(parsed(side.map(({ bytes }) => bytes.toString()))).toMatchObject([
    { parentUuid: null, isSidechain: true, agentId: SUB, message: { content: 'look' } },
    { isSidechain: true, agentId: SUB, type: 'assistant' },
  ]);
});

test('imported and exported again, sub-agents and all, the lines are the same', async () => {
  const desk = newDesk();
  const lines = await exported(desk, await sessionOf(desk, DELEGATED));
  const { spec, agents, notices } = await bringIn(desk, transcriptOf(desk, ...lines));
  expect([agents, notices]).toEqual([1, []]);
  expect(await exported(desk, spec.id)).toEqual(lines);
  const spawned = (await rowsIn(desk, spec.id)).find(({ kind }) => kind === 'agent.spawned');
  expect(spawned?.body).toMatchObject({ callId: TASK, task: { task: 'look' } });
});

test('the same journal gives the same lines', async () => {
  const desk = newDesk();
  const id = await sessionOf(desk, DELEGATED);
  expect(await exported(desk, id)).toEqual(await exported(desk, id));
});

/** Rows that keep a conversation within its model's window. */
const rewritten = (kind: string, body: object): JournalFact =>
  ({ kind, agent: MAIN_AGENT, round: 2, body }) as never;

test('a summary is a boundary that cuts the chain; who reads from the leaf gets what the model was shown', async () => {
  const desk = newDesk();
  const summary = {
    role: 'user',
    text: '<context_summary>one is done</context_summary>',
    origin: 'harness',
  };
  const id = await sessionOf(desk, [
    ...START,
    ...[answered(1), says(1, 'One.'), answered(2), says(2, 'Two.'), answered(3), says(3, 'Three.')],
    rewritten('context.summarised', { first: 2, count: 2, messages: [summary] }),
    ...[answered(4), says(4, 'Four.')],
  ]);
  const lines = await exported(desk, id);
  const all = parsed(lines);
  const at = all.findIndex(({ subtype }) => subtype === 'compact_boundary');
  expect(all[at]).toMatchObject({
    type: 'system',
    parentUuid: null,
    logicalParentUuid: all[at - 1]?.['uuid'],
    compactMetadata: { trigger: 'auto', preTokens: 120 },
  });
  expect(all[at + 1]).toMatchObject({
    type: 'user',
    parentUuid: all[at]?.['uuid'],
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  });
  const { spec } = await bringIn(desk, transcriptOf(desk, ...lines));
  expect(inShort(await conversationIn(desk, spec.id))).toEqual([
    'user: Find the port.\n\n<context_summary>one is done</context_summary>',
    'assistant: Three.',
    'assistant: Four.',
  ]);
});

test('a new beginning is a boundary too', async () => {
  const desk = newDesk();
  const messages = [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Find the port. What is known: nothing.', origin: 'goal' },
  ];
  const id = await sessionOf(desk, [
    ...START,
    ...[answered(1), says(1, 'One.')],
    rewritten('context.restarted', { messages }),
    ...[answered(2), says(2, 'Two.')],
  ]);
  const { spec } = await bringIn(desk, transcriptOf(desk, ...(await exported(desk, id))));
  expect(inShort(await conversationIn(desk, spec.id))).toEqual([
    'user: Find the port. What is known: nothing.',
    'assistant: Two.',
  ]);
});

const GOES_ON = [hears(1, 'Go on.', 'goal'), answered(1), says(1, 'I went on.')];

test('an imported session gives its lines back, and behind them what it did since, chained to them', async () => {
  const desk = newDesk();
  const { spec } = await bringIn(desk, fixture('plain.jsonl'));
  await append(desk, spec.id, GOES_ON);
  const lines = await exported(desk, spec.id);
  const before = linesIn(fixture('plain.jsonl'));
  expect(lines.slice(0, before.length)).toEqual(before);
  const since = parsed(lines.slice(before.length));
  const { sessionId } = JSON.parse(before[2] ?? '') as { sessionId: string };
  expect(since).toMatchObject([
    { parentUuid: 'p7', sessionId, message: { content: 'Go on.' } },
    { type: 'assistant', sessionId },
    { type: 'summary' },
  ]);
  const again = await bringIn(desk, transcriptOf(desk, ...lines));
  expect(inShort(await conversationIn(desk, again.spec.id)).slice(-3)).toEqual([
    'assistant: It subtracts: `a - b` must be `a + b`.',
    'user: Go on.',
    'assistant: I went on.',
  ]);
});

test('as a session of its own, it has an id of its own on every line', async () => {
  const desk = newDesk();
  const { spec } = await bringIn(desk, fixture('delegated.jsonl'));
  await append(desk, spec.id, GOES_ON);
  const lines = await withRows(desk.home, spec.id, (rows) =>
    [...claudeExport(rows, desk.home, spec.id, { asOwn: true }).lines()].map(({ bytes }) =>
      bytes.toString(),
    ),
  );
  const ids = parsed(lines).flatMap(({ type, sessionId }) =>
    type === 'summary' ? [] : [sessionId],
  );
  expect(new Set(ids)).toEqual(new Set([spec.id]));
});

test('where the kept transcript was changed, the journal is told instead, and that is said', async () => {
  const desk = newDesk();
  const { spec } = await bringIn(desk, fixture('branched.jsonl'));
  appendFileSync(keptMain(keptIn(sessionDir(desk.home, spec.id))), '{"type":"user"}\n');
  const { notices, session, texts } = await withRows(desk.home, spec.id, (rows) => {
    const made = claudeExport(rows, desk.home, spec.id, { asOwn: false });
    return { ...made, texts: [...made.lines()].map(({ bytes }) => bytes.toString()) };
  });
  expect(notices.join()).toContain('not as it was imported');
  expect(shortId(spec.id)).toBe(session.slice(0, 8));
  expect(texts).toHaveLength(5);
});
