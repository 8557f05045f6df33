/** What a run of chaos looks for is found when it is there: each judge, with a promise broken on purpose. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { judgeEffects, ledgerCalls } from '../../chaos/judges/effects.js';
import { judgeCalls, judgeRows } from '../../chaos/judges/journal.js';
import { judgeKept, keptIn } from '../../chaos/judges/kept.js';
import { judgeLeftovers } from '../../chaos/judges/leftovers.js';
import { judgeRequest } from '../../chaos/judges/request.js';
import { judgeTold, type Told } from '../../chaos/judges/told.js';
import type { ToolCall } from '../../messages/conversation.js';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { Effect, ToolOutcome } from '../../messages/tools.js';
import { rowsOf } from '../support/journal-rows.js';
import { processesWith } from '../support/e2e/processes.js';

const LEDGER = '/tmp/ledger';
const id = 'main_1_1' as CallId;

const asked = (...ids: readonly CallId[]): JournalFact => {
  const calls = ids.map((each): ToolCall => {
    return { id: each, name: 'shell', args: { command: `echo >> ${LEDGER}` } };
  });
  return factOf('message.added', MAIN_AGENT, 1, {
    message: { role: 'assistant', text: '', calls },
  });
};
const begun = (callId: CallId, effect: Effect = 'execute'): JournalFact =>
  factOf('tool.intent', MAIN_AGENT, 1, { callId, name: 'shell', effect });
const ended = (callId: CallId, status: 'ok' | 'unknown' | 'cancelled'): JournalFact => {
  const outcome = { status, text: '', truncated: false } as ToolOutcome;
  return factOf('tool.outcome', MAIN_AGENT, 1, { callId, name: 'shell', outcome });
};
const heard = (text: string): JournalFact =>
  factOf('message.added', MAIN_AGENT, 1, { message: { role: 'user', text, origin: 'steer' } });
const told = (text: string): JournalFact =>
  sessionFact('user.action', { action: { do: 'send', text, mode: 'steer' } });

const nothing: Told = { answered: new Set(), finished: new Map(), said: [] };
const checks = (found: readonly { readonly check: string }[]) => found.map(({ check }) => check);

test('a line that stands in the ledger twice is a doubled effect, also of a call that is unknown', () => {
  for (const status of ['ok', 'unknown'] as const) {
    expect(checks(judgeEffects([id, id], [{ callId: id, status }]))).toEqual(['effects-doubled']);
  }
});

test('of a call that is unknown the line may be there or not, of one that is done it has to be', () => {
  expect(judgeEffects([], [{ callId: id, status: 'unknown' }])).toEqual([]);
  expect(judgeEffects([id], [{ callId: id, status: 'unknown' }])).toEqual([]);
  expect(judgeEffects([id], [{ callId: id, status: 'ok' }])).toEqual([]);
  expect(checks(judgeEffects([], [{ callId: id, status: 'ok' }]))).toEqual(['effects-untrue']);
});

test('a line of a call that was denied, or that the journal does not know, is found', () => {
  expect(checks(judgeEffects([id], [{ callId: id, status: 'denied' }]))).toEqual([
    'effects-untrue',
  ]);
  expect(checks(judgeEffects([id], []))).toEqual(['effects-untrue']);
  expect(checks(judgeEffects([id], [{ callId: id, status: null }]))).toEqual(['rounds-lost']);
});

test('the calls of a journal that concern the ledger are those that were begun', () => {
  const other = 'main_1_2' as CallId;
  const rows = rowsOf(asked(id, other), begun(id), ended(id, 'ok'));
  expect(ledgerCalls(rows, LEDGER)).toEqual([{ callId: id, status: 'ok' }]);
  expect(ledgerCalls(rows, '/tmp/another')).toEqual([]);
});

test('a row that is gone or is another one after a death is a lost round', () => {
  const before = rowsOf(asked(id), begun(id));
  expect(judgeRows(before, [...before, ...rowsOf(ended(id, 'ok'))])).toEqual([]);
  expect(checks(judgeRows(before, before.slice(0, 1)))).toEqual(['rounds-lost']);
  expect(checks(judgeRows(before, rowsOf(asked(id), heard(''))))).toEqual(['rounds-lost']);
});

test('a call without an outcome is a lost round; one begun or ended twice is a doubled effect', () => {
  expect(judgeCalls(rowsOf(asked(id), begun(id), ended(id, 'ok')))).toEqual([]);
  expect(checks(judgeCalls(rowsOf(asked(id), begun(id))))).toEqual(['rounds-lost']);
  const [ask, begin, end] = [asked(id), begun(id), ended(id, 'ok')];
  expect(checks(judgeCalls(rowsOf(ask, begin, begin, end)))).toEqual(['effects-doubled']);
  expect(checks(judgeCalls(rowsOf(ask, begin, end, end)))).toEqual(['effects-doubled']);
  const look = begun(id, 'read');
  expect(judgeCalls(rowsOf(ask, look, look, end))).toEqual([]);
});

test('a result that the server has read, or a client was told of, has to be in the journal as it was', () => {
  const rows = rowsOf(asked(id), begun(id), ended(id, 'unknown'));
  expect(judgeTold({ ...nothing, answered: new Set([id]) }, rows)).toEqual([]);
  const gone = { ...nothing, answered: new Set(['main_9_1']) };
  expect(checks(judgeTold(gone, rows))).toEqual(['rounds-lost']);
  const other = { ...nothing, finished: new Map([[id, 'ok']]) };
  expect(checks(judgeTold(other, rows))).toEqual(['rounds-lost']);
});

test('words that were acknowledged are lost when they are not on record, not read, or read twice', () => {
  const said = { ...nothing, said: ['left'] };
  expect(judgeTold(said, rowsOf(told('left'), heard('left')))).toEqual([]);
  for (const facts of [
    [],
    [heard('left')],
    [told('left')],
    [told('left'), heard('left'), heard('left')],
  ]) {
    expect(checks(judgeTold(said, rowsOf(...facts)))).toEqual(['actions-lost']);
  }
});

test('a kept process is lost when it lived after the death and not after the start, unless it ended by itself', () => {
  const about = { id: 'p1', callId: 'main_1_1' as CallId };
  const started = { ...about, pid: 7, startTime: '1', command: 'serve' };
  const kept = sessionFact('process.started', { ...started, keep: 'restart' });
  const ended = (exitCode: number | null) => sessionFact('process.ended', { ...about, exitCode });
  const [none, seven] = [new Set<number>(), new Set([7])];
  expect([...keptIn(rowsOf(kept))]).toEqual([[7, 'main_1_1']]);
  expect([...keptIn(rowsOf(kept, ended(0)))]).toEqual([]);
  expect([...keptIn(rowsOf(sessionFact('process.started', started)))]).toEqual([]);
  expect(checks(judgeKept(seven, none, rowsOf(kept)))).toEqual(['processes-lost']);
  expect(checks(judgeKept(seven, none, rowsOf(kept, ended(null))))).toEqual(['processes-lost']);
  expect(judgeKept(seven, none, rowsOf(kept, ended(0)))).toEqual([]);
  expect(judgeKept(seven, seven, rowsOf(kept))).toEqual([]);
  expect(judgeKept(none, none, rowsOf(kept))).toEqual([]);
});

test('a process that carries the session and lives on is found', async () => {
  const entry = `OURO_SESSION=chaos-test-${process.pid}`;
  const [name = '', value = ''] = entry.split('=');
  const child = spawn('sleep', ['60'], { env: { ...process.env, [name]: value } });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  await expect.poll(() => checks(judgeLeftovers(processesWith(entry)))).toEqual(['processes-left']);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(judgeLeftovers(processesWith(entry))).toEqual([]);
});

const system = { role: 'system', content: 'You are an agent.' };
const user = { role: 'user', content: 'Go on.' };
const call = (callId: string, args = '{}') => ({
  id: callId,
  type: 'function',
  function: { name: 'shell', arguments: args },
});
const answer = (...calls: readonly object[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
});
const result = (callId: string) => ({ role: 'tool', tool_call_id: callId, content: 'done' });
const judged = (...messages: readonly object[]) => judgeRequest(JSON.stringify({ messages }));

test('a request with one result for each call, in order, is right, and says what it has', () => {
  const right = judged(system, user, answer(call('a'), call('b')), result('a'), result('b'));
  expect(right).toEqual({ problems: [], answered: ['a', 'b'], isSummary: false });
  const summary = judged(system, { role: 'user', content: '<history>\n…\n</history>' });
  expect(summary).toEqual({ problems: [], answered: [], isSummary: true });
});

test.each([
  ['no JSON', judgeRequest('{')],
  ['no messages', judgeRequest('{}')],
  ['a role that nobody has', judged(system, { role: 'robot', content: '' })],
  ['no system prompt', judged(user)],
  ['a second system prompt', judged(system, user, system, user)],
  ['words without content', judged(system, { role: 'user', content: null })],
  ['an answer at the end', judged(system, user, { role: 'assistant', content: 'Done.' })],
  ['a call without a result', judged(system, user, answer(call('a')))],
  ['words before the result', judged(system, user, answer(call('a')), user, result('a'))],
  ['a result without a call', judged(system, user, result('a'))],
  ['a result twice', judged(system, user, answer(call('a')), result('a'), result('a'))],
  [
    'results in another order',
    judged(system, user, answer(call('a'), call('b')), result('b'), result('a')),
  ],
  ['an id twice', judged(system, answer(call('a')), result('a'), answer(call('a')), result('a'))],
  ['a call without an id', judged(system, user, answer(call('')), result(''))],
  ['broken arguments', judged(system, user, answer(call('a', '{"x":')), result('a'))],
])('a request with %s is found', (_, { problems }) => {
  expect(problems).not.toEqual([]);
});
