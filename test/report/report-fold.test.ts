import { expect, test } from 'vitest';
import type { AgentId, SessionId } from '../../messages/ids.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { Question } from '../../messages/questions.js';
import { reportOn, type ReportWish } from '../../src/report/report-fold.js';
import { SUMS } from '../../src/session-report.js';
import type { SessionReport } from '../../src/report/report.js';
import { aRound, begun, edit, endedWith, shell, spawned, write } from '../replay/whole-rounds.js';
import { rowsOf } from '../support/journal-rows.js';
import {
  callId,
  holdOf,
  MAIN,
  modelError,
  okOutcome,
  specOf,
  START,
  SUB,
  usageOf,
} from '../support/session-samples.js';

const WISH: ReportWish = {
  since: null,
  now: START + 1_000,
  isLive: false,
  sums: SUMS,
  onlyLooks: (command) => command.startsWith('cat '),
};

function reportOf(facts: readonly JournalFact[], wish: Partial<ReportWish> = {}): SessionReport {
  const report = reportOn(rowsOf(...facts), { ...WISH, ...wish });
  if (report === null) throw new Error('there is no report');
  return report;
}

const WORK = [
  ...begun(),
  ...aRound({ round: 1 }, write('a.ts'), edit('./a.ts'), shell('npm test', 1)),
  ...aRound({ round: 2 }, edit('b.ts'), shell('cat b.ts'), shell('npm test')),
  ...aRound({ round: 3, text: 'All tests pass.' }),
  endedWith('done', 'All tests pass.'),
];

test('files, commands with their exit codes, and what was used are told', () => {
  const report = reportOf(WORK);
  expect(report.files).toMatchObject([
    { path: 'a.ts', writes: 1, edits: 1, agents: ['main'] },
    { path: 'b.ts', writes: 0, edits: 1, agents: ['main'] },
  ]);
  expect(report.commands.map(({ command, exit_code }) => [command, exit_code])).toEqual([
    ['npm test', 1],
    ['cat b.ts', 0],
    ['npm test', 0],
  ]);
  expect(report.usage).toEqual({
    rounds: 3,
    prompt_tokens: 300,
    completion_tokens: 30,
    cached_tokens: 0,
    cost_usd: 0,
  });
  expect(report.outcome).toEqual({
    status: 'done',
    reason: 'the goal is met',
    text: 'All tests pass.',
    resumed: 0,
  });
  expect(report.unverified).toMatchObject({ changes_since: [], claims: [] });
  expect(report.go_on[0]).toBe('ouro run -r 3f0c2a9e "a further goal"');
});

test('a change behind the last check is unverified, and so is what is claimed', () => {
  const { unverified } = reportOf([
    ...begun(),
    ...aRound({ round: 1 }, shell('npm test')),
    ...aRound({ round: 2 }, write('late.ts'), shell('git commit -am x'), shell('cat late.ts')),
    ...aRound({ round: 3, text: 'Everything works.' }),
    endedWith('done', 'Everything works.'),
  ]);
  expect(unverified).toEqual({
    method: 'heuristic',
    last_check: { command: 'npm test', exit_code: 0 },
    changes_since: ['late.ts', 'git commit -am x'],
    claims: ['Everything works.'],
  });
});

test('denied calls and calls that were cut off are told, and did not run', () => {
  const denied = { status: 'denied', rule: 'default', text: 'no' } as const;
  const report = reportOf([
    ...begun(),
    ...aRound(
      { round: 1 },
      { name: 'shell', args: { command: 'npm publish' }, outcome: denied },
      { ...shell('make'), outcome: { status: 'unknown', text: '?' } },
      { ...write('c.ts'), outcome: null },
    ),
  ]);
  expect(report.denials).toEqual([
    {
      tool: 'shell',
      summary: '{"command":"npm publish"}',
      rule: 'default',
      agent: 'main',
      call_id: 'main_1_1',
    },
  ]);
  expect(report.unknown_calls).toMatchObject([{ tool: 'shell', call_id: 'main_1_2' }]);
  expect(report.commands).toMatchObject([{ command: 'make', status: 'unknown', exit_code: null }]);
  expect(report.files).toEqual([]);
  expect(report.outcome).toMatchObject({
    status: null,
    reason: 'its process ended without a word',
  });
  expect(report.go_on[0]).toBe('ouro resume 3f0c2a9e');
});

test('holds have a length, and one that is set again is the same one', () => {
  const lifted = sessionFact('hold.lifted', { kind: 'user', scope: 'session' });
  const report = reportOf(
    [
      ...begun(),
      sessionFact('hold.set', { hold: holdOf({ since: START + 4 }) }),
      sessionFact('hold.set', { hold: holdOf({ since: START + 5, reason: 'again' }) }),
      lifted,
      sessionFact('hold.set', { hold: holdOf({ kind: 'endpoint', since: START + 7 }) }),
    ],
    { isLive: true },
  );
  expect(report.holds.map(({ kind, reason, duration_ms }) => [kind, reason, duration_ms])).toEqual([
    ['user', 'again', 2],
    ['endpoint', 'paused by a person', 993],
  ]);
  expect(report.outcome).toMatchObject({
    status: 'running',
    reason: 'it is at work, held (endpoint)',
  });
  expect(report.go_on).toContain('ouro resume 3f0c2a9e');
});

test('open questions, findings, tasks, sub-agents and processes are told as they stand', () => {
  const question: Question = {
    id: 'q1',
    agent: MAIN,
    callId: callId('main_1_1'),
    body: { kind: 'choice', prompt: 'which?', choices: [], editable: false },
    since: START,
    until: null,
  };
  const facts = [
    ...begun(),
    sessionFact('question.opened', { question }),
    sessionFact('question.opened', { question: { ...question, id: 'q2' } }),
    sessionFact('question.answered', { id: 'q2', answer: { status: 'free_text', text: 'this' } }),
    sessionFact('discovery.added', { title: 'a', description: 'b' }),
    sessionFact('todo.set', {
      todos: [
        { task: 'x', done: true },
        { task: 'y', done: false },
      ],
    }),
    spawned(SUB),
    ...aRound({ agent: SUB, round: 1 }),
    sessionFact('process.started', {
      ...{ id: 'p1', callId: callId('main_1_2'), pid: 7, startTime: '1', command: 'serve' },
    }),
  ];
  const report = reportOf(facts, { isLive: true });
  expect(report.questions).toMatchObject({
    open: [{ id: 'q1', prompt: 'which?' }],
    closed: [{ id: 'q2', answer: 'this' }],
  });
  expect(report.discoveries).toEqual([{ title: 'a', description: 'b' }]);
  expect(report.todos).toEqual({ open: ['y'], done: 1 });
  expect(report.sub_agents).toMatchObject([{ agent: 'sub-1', status: null, rounds: 1 }]);
  expect(report.processes).toMatchObject([{ id: 'p1', state: 'running' }]);
  expect(report.go_on[0]).toBe('ouro questions');
  expect(reportOf(facts).processes).toMatchObject([{ state: 'not-seen-to-end' }]);
});

test('a kept process runs on over a restart; how it ended may be known to nobody', () => {
  const about = { id: 'p1', callId: callId('main_1_2') };
  const started = sessionFact('process.started', {
    ...{ ...about, pid: 7, startTime: '1', command: 'serve', keep: 'restart' },
  });
  const resumed = sessionFact('session.resumed', { spec: specOf(), version: '1', pid: 1 });
  const facts = [...begun(), started, resumed];
  expect(reportOf(facts, { isLive: true }).processes).toMatchObject([{ state: 'running' }]);
  const ended = sessionFact('process.ended', { ...about, exitCode: null, unseen: true });
  expect(reportOf([...facts, ended], { isLive: true }).processes).toMatchObject([
    { state: 'not-seen-to-end', exit_code: null },
  ]);
});

test('what lies before the period is left out, and how things stand is not', () => {
  const cut = START + WORK.findIndex(({ round }) => round === 2);
  const report = reportOf(
    [...begun(), ...WORK.slice(4, -1), sessionFact('todo.set', { todos: [] }), endedWith('done')],
    { since: cut },
  );
  expect(report.files.map(({ path }) => path)).toEqual(['b.ts']);
  expect(report.commands).toHaveLength(2);
  expect(report.usage.rounds).toBe(2);
  expect(report.goals).toHaveLength(1);
});

test('what a branch has from its origin is not its own work', () => {
  const origin = WORK.slice(1, 12);
  const forkedFrom = { session: 'aaaa1111' as SessionId, round: 1, rows: origin.length };
  const report = reportOf([
    ...begun('do it', specOf({ forkedFrom })).slice(0, 1),
    ...origin,
    ...aRound({ round: 2 }, write('mine.ts')),
  ]);
  expect(report.files.map(({ path }) => path)).toEqual(['mine.ts']);
  expect(report.commands).toEqual([]);
  expect(report.forked_from).toEqual({ session_id: 'aaaa1111', round: 1 });
});

test('failed requests are told once, and each model has its own sum', () => {
  const use = { model: 'small', usage: usageOf(7, 1) };
  const failed = { status: 'failed', error: modelError('server'), ms: 1 } as const;
  const report = reportOf([
    ...begun(),
    factOf('model.outcome', MAIN, 1, failed),
    factOf('model.reset', MAIN, 1, { attempt: 1, error: modelError('server'), retryInMs: 5 }),
    ...aRound({ round: 1 }, { name: 'web_fetch', outcome: { ...okOutcome(), modelUse: [use] } }),
  ]);
  expect(report.model_errors).toMatchObject([{ agent: 'main', round: 1, kind: 'server' }]);
  expect(report.models).toMatchObject([
    { model: 'scripted', rounds: 1, prompt_tokens: 100 },
    { model: 'small', rounds: 0, prompt_tokens: 7 },
  ]);
  expect(report.usage.prompt_tokens).toBe(107);
});

test('any beginning of a journal gives a report', () => {
  const facts = [...WORK, spawned('sub-9' as AgentId)];
  expect(reportOn([], WISH)).toBeNull();
  for (let n = 1; n <= facts.length; n += 1)
    expect(reportOf(facts.slice(0, n)).session_id).toBe(specOf().id);
});

test('what was paid for beside the rounds is in the sums: summaries, titles, attempts without an answer', () => {
  const use = (usd: number) => [{ model: 'small', usage: { ...usageOf(10, 1), costUsd: usd } }];
  const record = { changed: [], read: [], commands: [], errors: [], answers: [] };
  const settled = (id: string, basis: 'reported' | 'broken-off', usd: number): JournalFact =>
    factOf('budget.settled', MAIN, 1, { id, model: 'big', usd, tokens: 5, basis });
  const report = reportOf([
    ...begun(),
    settled('b1', 'reported', 0.25),
    factOf('context.summarised', MAIN, 1, {
      ...{ first: 2, count: 0, messages: [], record, modelUse: use(0.25) },
    }),
    factOf('context.refused', MAIN, 1, { reason: 'it is empty', modelUse: use(0.5) }),
    sessionFact('session.titled', { title: 'Tidy', modelUse: use(1) }),
    settled('b2', 'broken-off', 2),
  ]);
  expect(report.usage.cost_usd).toBe(3.75);
  expect(report.models.map(({ model, cost_usd }) => [model, cost_usd])).toEqual([
    ['small', 1.75],
    ['big', 2],
  ]);
});

test('an answer that was paid for and lost with a crash costs all the same', () => {
  const spec = specOf();
  const report = reportOf([
    ...begun('do it', spec),
    factOf('budget.settled', MAIN, 1, {
      ...{ id: 'b1', model: 'big', usd: 0.5, tokens: 5, basis: 'reported' },
    }),
    sessionFact('session.resumed', { version: '1', pid: 2, spec }),
  ]);
  expect(report.usage.cost_usd).toBe(0.5);
});
