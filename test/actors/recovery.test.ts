import { expect, test } from 'vitest';
import { fold, repairs } from '../../actors/recovery.js';
import { userMessage } from '../../actors/conversation.js';
import type { AssistantMessage } from '../../messages/conversation.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import { rowsOf } from '../support/journal-rows.js';
import {
  callId,
  callOf,
  holdOf,
  MAIN,
  modelError,
  okOutcome,
  specOf,
  START,
  SUB,
  usageOf,
} from '../support/session-samples.js';

const none = (): string => '';
const answer = (...calls: AssistantMessage['calls']): AssistantMessage => ({
  role: 'assistant',
  text: '',
  calls,
});
const added = (message: AssistantMessage): JournalFact =>
  factOf('message.added', MAIN, 3, { message });
const intent = (id: string, name: string, effect: 'read' | 'write' | 'execute'): JournalFact =>
  factOf('tool.intent', MAIN, 3, { callId: callId(id), name, effect });
const asking = (round: number): JournalFact =>
  factOf('model.intent', MAIN, round, { model: 'scripted', messages: 2, attempt: 1 });
const used = (round: number): JournalFact =>
  factOf('model.outcome', MAIN, round, {
    status: 'ok',
    usage: usageOf(100, 20),
    model: 'scripted-1',
    ms: 5,
    finish: 'stop',
  });

test('an empty journal is a session that has not begun', () => {
  const recovered = fold([]);
  expect(recovered).toMatchObject({ spec: null, goal: '', ended: null, spawned: 0 });
  expect(recovered.main.round).toBe(0);
  expect(repairs(recovered, none)).toEqual([]);
});

test('the newest goal and the newest specification count', () => {
  const [first, second] = [specOf(), specOf({ model: 'bigger' })];
  const recovered = fold(
    rowsOf(
      sessionFact('session.started', { spec: first, version: '1', pid: 1 }),
      sessionFact('goal.set', { goal: 'count' }),
      sessionFact('session.ended', { status: 'stopped', text: '', reason: 'by a person' }),
      sessionFact('session.resumed', { spec: second, version: '1', pid: 2 }),
      sessionFact('goal.set', { goal: 'count again' }),
    ),
  );
  expect(recovered).toMatchObject({ spec: second, goal: 'count again', ended: null });
  expect(recovered.lastTs).toBe(START + 4);
});

test('a session that ended says how', () => {
  const body = { status: 'done', text: '3 files', reason: 'the goal is met' } as const;
  expect(fold(rowsOf(sessionFact('session.ended', body))).ended).toEqual(body);
});

test('a call that may have changed something is unknown, and the model is told what is known', () => {
  const recovered = fold(
    rowsOf(
      added(answer(callOf('c1', 'shell', { command: 'make' }))),
      intent('c1', 'shell', 'execute'),
    ),
  );
  const [repair, ...more] = repairs(recovered, () => 'cc -o main');
  expect(more).toEqual([]);
  expect(repair).toMatchObject({ kind: 'tool.outcome', agent: MAIN, round: 3 });
  const text =
    repair?.kind === 'tool.outcome' && repair.body.outcome.status === 'unknown'
      ? repair.body.outcome.text
      : '';
  expect(text).toContain('shell({"command":"make"})');
  expect(text).toContain('was not run again');
  expect(text).toContain('Output captured before that:\ncc -o main');
});

test('a read-only call is left open, to be run again, and so is one that had not begun', () => {
  const recovered = fold(
    rowsOf(
      added(answer(callOf('c1'), callOf('c2', 'write_file'))),
      intent('c1', 'read_file', 'read'),
    ),
  );
  expect(repairs(recovered, none)).toEqual([]);
  expect(recovered.main.conversation.openCalls.map(({ id }) => id)).toEqual(['c1', 'c2']);
});

test('a call whose outcome is written is neither open nor unknown', () => {
  const outcome = factOf('tool.outcome', MAIN, 3, {
    callId: callId('c1'),
    name: 'shell',
    outcome: okOutcome('made'),
  });
  const recovered = fold(
    rowsOf(added(answer(callOf('c1', 'shell'))), intent('c1', 'shell', 'execute'), outcome),
  );
  expect(repairs(recovered, none)).toEqual([]);
  expect(recovered.main.conversation.messages.at(-1)).toMatchObject({ role: 'tool', text: 'made' });
  expect(recovered.totals.toolCalls).toBe(1);
});

test('what a tool asked of a model is counted again after a resume', () => {
  const modelUse = [{ model: 'small', usage: { ...usageOf(50, 5), costUsd: 0.25 } }];
  const spec = specOf({ rehearsal: null });
  const { totals } = fold(
    rowsOf(
      sessionFact('session.started', { spec, version: '1', pid: 1 }),
      added(answer(callOf('c1', 'web_fetch'))),
      intent('c1', 'web_fetch', 'read'),
      factOf('tool.outcome', MAIN, 3, {
        callId: callId('c1'),
        name: 'web_fetch',
        outcome: { ...okOutcome(), modelUse },
      }),
    ),
  );
  expect(totals).toMatchObject({ rounds: 0, promptTokens: 50, completionTokens: 5, costUsd: 0.25 });
});

test('a request that was under way is lost, and its round is free again', () => {
  const recovered = fold(rowsOf(asking(1), used(1), asking(2)));
  expect(recovered.main).toMatchObject({ asking: true, round: 2 });
  expect(repairs(recovered, none)).toEqual([factOf('model.outcome', MAIN, 2, { status: 'lost' })]);
  for (const status of ['lost', 'cancelled', 'withdrawn'] as const) {
    const after = fold(
      rowsOf(asking(1), used(1), asking(2), factOf('model.outcome', MAIN, 2, { status })),
    );
    expect(after.main).toMatchObject({ asking: false, round: 1 });
  }
});

test('a failed request leaves its round to the next attempt', () => {
  const error = modelError('server');
  const failed = factOf('model.outcome', MAIN, 1, { status: 'failed', error, ms: 1 });
  const reset = factOf('model.reset', MAIN, 1, { attempt: 1, error, retryInMs: 5 });
  expect(fold(rowsOf(asking(1), failed, reset)).main).toMatchObject({ asking: false, round: 0 });
});

test('a sub-agent that was at work is over, and its number is not given again', () => {
  const task = { kind: 'explore', task: 'look around', context: '' } as const;
  const spawned = factOf('agent.spawned', SUB, 0, {
    agent: SUB,
    parent: MAIN,
    callId: callId('c1'),
    task,
  });
  const recovered = fold(
    rowsOf(spawned, factOf('model.intent', SUB, 1, { model: 'm', messages: 2, attempt: 1 })),
  );
  expect(recovered.spawned).toBe(1);
  expect(repairs(recovered, none).map(({ kind, agent }) => [kind, agent])).toEqual([
    ['model.outcome', SUB],
    ['agent.ended', SUB],
  ]);
  const end = { status: 'done', text: 'seen', denied: [] } as const;
  const ended = factOf('agent.ended', SUB, 1, { agent: SUB, rounds: 1, end });
  expect(repairs(fold(rowsOf(spawned, ended)), none)).toEqual([]);
});

test('holds are those that were set and not lifted', () => {
  const user = holdOf();
  const timer = holdOf({ kind: 'timer', until: START + 5 });
  const later = { ...timer, until: START + 9 };
  const set = (hold: typeof user): JournalFact => sessionFact('hold.set', { hold });
  const lifted = sessionFact('hold.lifted', { kind: 'user', scope: 'session' });
  expect(fold(rowsOf(set(user), set(timer), set(later))).holds).toEqual([user, later]);
  expect(fold(rowsOf(set(user), set(timer), lifted)).holds).toEqual([timer]);
});

test('a pause or resume that was acknowledged counts even if the process died before it acted', () => {
  const start = sessionFact('session.started', { spec: specOf(), version: '1', pid: 1 });
  const act = (action: { do: 'resume' | 'interrupt' } | { do: 'pause'; until: number | null }) =>
    sessionFact('user.action', {
      action: action.do === 'pause' ? { now: false, ...action } : action,
    });
  const kinds = (...facts: JournalFact[]): string[] =>
    fold(rowsOf(start, ...facts)).holds.map(({ kind }) => kind);
  expect(kinds(act({ do: 'pause', until: null }))).toEqual(['user']);
  expect(kinds(act({ do: 'pause', until: START + 5 }))).toEqual(['timer']);
  expect(kinds(act({ do: 'interrupt' }))).toEqual(['user']);
  expect(kinds(act({ do: 'pause', until: null }), act({ do: 'resume' }))).toEqual([]);
  const stuck = sessionFact('hold.set', { hold: holdOf({ kind: 'stuck', scope: MAIN }) });
  expect(kinds(stuck, act({ do: 'pause', until: null }), act({ do: 'resume' }))).toEqual(['stuck']);
});

test('words of a person wait until a message says that they were read', () => {
  const send = (text: string): JournalFact =>
    sessionFact('user.action', { action: { do: 'send', text, mode: 'steer' } });
  const read = factOf('message.added', MAIN, 1, { message: userMessage('a', 'steer'), source: 1 });
  const { conversation } = fold(rowsOf(send('a'), send('b'), read)).main;
  expect(conversation.said).toEqual([{ text: 'b', mode: 'steer', source: 2 }]);
  expect(conversation.messages).toMatchObject([{ text: 'a' }]);
});

test('processes that were started for open calls are known, until the outcome is in', () => {
  const started = factOf('tool.started', MAIN, 3, {
    callId: callId('c1'),
    pid: 77,
    startTime: '12345',
  });
  const begun = rowsOf(
    added(answer(callOf('c1', 'shell'))),
    intent('c1', 'shell', 'execute'),
    started,
  );
  expect([...fold(begun).processes.values()]).toEqual([started.body]);
});

test('what was found, and what it cost, is still known', () => {
  const found = sessionFact('discovery.added', { title: 'size', description: '3 files' });
  const start = sessionFact('session.started', { spec: specOf(), version: '1', pid: 1 });
  const recovered = fold(rowsOf(start, found, asking(1), used(1), asking(2), used(2)));
  expect(recovered.discoveries).toEqual([{ title: 'size', description: '3 files' }]);
  expect(recovered.totals).toMatchObject({
    rounds: 2,
    promptTokens: 200,
    completionTokens: 40,
    costUsd: 0,
  });
});
