import { expect, onTestFinished, test, vi } from 'vitest';
import { MAIN_AGENT } from '../../messages/ids.js';
import type { QuitReason } from '../../messages/session.js';
import { SessionLife, type Leaving } from '../../src/session/life.js';
import { GRACE_MS } from '../../src/session/shutdown.js';
import { MeshRun, type MeshRunOptions } from '../support/mesh-run.js';
import { calls, fails, hangs, says } from '../support/scripted-model.js';
import { holdOf, okOutcome } from '../support/session-samples.js';
import { eventually, settled } from '../support/settled.js';
import { untilAborted } from '../support/simulated-tools.js';
import { factOf } from '../../messages/journal.js';

interface Parts {
  readonly tolerateDenials?: boolean;
  readonly kill?: (why: Leaving) => void;
  readonly prologue?: (signal: AbortSignal) => Promise<void>;
  /** Rows that its journal loses. */
  readonly unwritten?: number;
}

/** A session over a simulated world, that notes each step of its end. */
function live(
  options: MeshRunOptions,
  { tolerateDenials = false, kill, prologue, unwritten = 0 }: Parts = {},
) {
  const steps: string[] = [];
  const run: MeshRun = new MeshRun(options);
  const note = (step: string): Promise<void> => {
    steps.push(step);
    return Promise.resolve();
  };
  const life = new SessionLife({
    mesh: run.mesh,
    time: run.time,
    journal: {
      append: (facts) => run.journal.append(facts),
      close: async () => {
        await run.journal.committed();
        await note('journal closed');
      },
      unwritten,
    },
    main: {
      model: 'scripted',
      tools: [],
      conversation: run.conversation,
      round: 0,
      maxRounds: null,
      retries: 3,
    },
    maxTimeMs: null,
    tolerateDenials,
    prologue,
    unblock: () => note('nothing waits'),
    killProcesses: (why) => {
      kill?.(why);
      return note('processes killed');
    },
    announce: ({ status }) => note(`announced ${status}`),
    sayBye: ({ status }) => note(`bye ${status}`),
    release: () => note('released'),
  });
  void run.root.find((command) => {
    life.onRoot(command);
    return false;
  });
  return { run, life, steps };
}

test('a goal that is met ends the session, in order', async () => {
  const { run, life, steps } = live({ main: [calls(['one']), says('There are 3.')] });
  const result = await life.run();
  expect(result).toMatchObject({
    status: 'done',
    exit_code: 0,
    is_error: false,
    text: 'There are 3.',
    rounds: 2,
    usage: { prompt_tokens: 20, completion_tokens: 10 },
    resume_command: null,
  });
  expect(steps).toEqual([
    'nothing waits',
    'processes killed',
    'journal closed',
    'announced done',
    'bye done',
    'released',
  ]);
  expect(run.journal.rows.at(-1)).toMatchObject({
    kind: 'session.ended',
    body: { status: 'done', text: 'There are 3.', reason: 'the goal is met' },
  });
  expect(run.mesh.snapshots.current).toMatchObject({ state: 'done', result: 'There are 3.' });
});

test.each<[QuitReason, string, number]>([
  ['terminated', 'interrupted', 143],
  ['interrupted', 'interrupted', 130],
  ['hangup', 'interrupted', 129],
  ['stopped', 'stopped', 58],
  ['time_limit', 'failed', 56],
])('asked to end as %s, it is listed as %s and exits with %i', async (reason, state, code) => {
  const { run, life } = live({ main: [hangs] });
  const ended = life.run();
  await eventually(() => run.mainModel.requests.items.length === 1);
  life.quit(reason);
  const result = await ended;
  expect(result).toMatchObject({
    status: reason,
    exit_code: code,
    resume_command: 'ouro resume 3f0c2a9e',
  });
  expect(run.mesh.snapshots.current.state).toBe(state);
  expect(run.mesh.snapshots.current.agents[0]?.end).toBe('stopped');
  expect(run.journal.ofKind('model.outcome')[0]?.body).toEqual({ status: 'cancelled' });
});

test('the first reason to end counts', async () => {
  const { run, life, steps } = live({ main: [hangs] });
  const ended = life.run();
  await eventually(() => run.mainModel.requests.items.length === 1);
  life.quit('interrupted');
  life.quit('terminated');
  life.fail(new Error('too late'));
  expect(await ended).toMatchObject({ status: 'interrupted' });
  expect(steps.filter((step) => step === 'released')).toHaveLength(1);
});

test.each<[string, (life: SessionLife) => void, Leaving]>([
  ['stopped', (life) => life.onRoot({ type: 'root.quit', reason: 'stopped' }), 'over'],
  [
    'stopped for a restart',
    (life) => life.onRoot({ type: 'root.quit', reason: 'stopped', restart: true }),
    'restart',
  ],
  ['ended by a bug', (life) => life.fail(new Error('impossible')), 'crashed'],
])('%s, it ends its processes as what they are then', async (_, quit, expected) => {
  const reasons: Leaving[] = [];
  const { run, life } = live({ main: [hangs] }, { kill: (why) => void reasons.push(why) });
  const ended = life.run();
  await eventually(() => run.mainModel.requests.items.length === 1);
  quit(life);
  await ended;
  expect(reasons).toEqual([expected]);
});

test('a bug ends it as an internal error, with what is known of it', async () => {
  const { life } = live({ main: [hangs] });
  const ended = life.run();
  life.fail(new Error('the impossible happened'));
  expect(await ended).toMatchObject({
    status: 'internal_error',
    exit_code: 1,
    reason: 'the impossible happened',
  });
});

test('a stop by a person ends calls, sub-agents and the session', async () => {
  const { run, life } = live({
    main: [calls(['shell'], ['delegate'])],
    sub: [hangs],
    tools: { shell: { effect: 'execute', run: untilAborted } },
  });
  const ended = life.run();
  await eventually(() => run.subModel.requests.items.length === 1);
  const answer = await run.act({ do: 'stop' });
  expect(answer).toMatchObject({ result: { ok: true } });
  expect(await ended).toMatchObject({ status: 'stopped', exit_code: 58 });
  const outcomes = run.journal.ofKind('tool.outcome').map(({ body }) => body.outcome.status);
  expect(outcomes).toEqual(['cancelled', 'cancelled']);
  expect(run.mesh.snapshots.current.agents.map(({ end }) => end)).toEqual(['stopped', 'stopped']);
});

test('at the end every call that was shown as running is shown as finished', async () => {
  const { run, life } = live({
    main: [calls(['shell'])],
    tools: { shell: { effect: 'execute', run: untilAborted } },
  });
  const ended = life.run();
  await run.facts.find(({ type }) => type === 'tool.started');
  life.quit('terminated');
  await ended;
  expect(run.facts.items.filter(({ type }) => type === 'tool.finished')).toHaveLength(1);
  expect(run.mesh.snapshots.current.calls).toEqual([]);
});

test('a session that is held can be stopped', async () => {
  const { run, life } = live({ main: [says('never')], initial: { holds: [holdOf()] } });
  const ended = life.run();
  await settled();
  void run.act({ do: 'stop' });
  expect(await ended).toMatchObject({ status: 'stopped' });
  expect(run.mainModel.requests.items).toEqual([]);
});

test('an end that needs a model which does not answer says so', async () => {
  const { life } = live({ main: [fails('auth')] });
  expect(await life.run()).toMatchObject({
    status: 'auth',
    exit_code: 41,
    reason: 'the server said: auth',
  });
});

test('work that was denied and not made good is a failure, unless that is tolerated', async () => {
  const options = (): MeshRunOptions => ({
    main: [calls(['shell', { command: 'rm x' }]), says('done')],
    tools: { shell: { run: () => ({ status: 'denied', rule: 'default', text: 'no' }) } },
  });
  expect(await live(options()).life.run()).toMatchObject({
    status: 'permission_denied',
    exit_code: 44,
    denials: [{ tool: 'shell', summary: '{"command":"rm x"}', rule: 'default' }],
  });
  const tolerant = live(options(), { tolerateDenials: true });
  expect(await tolerant.life.run()).toMatchObject({ status: 'done', exit_code: 0 });
});

test('after a shutdown nothing is pending and nothing is accepted', async () => {
  const { run, life } = live({ main: [calls(['delegate']), hangs], sub: [hangs] });
  const ended = life.run();
  await eventually(() => run.subModel.requests.items.length === 1);
  life.quit('terminated');
  await ended;
  expect(run.waiting.size).toBe(0);
  expect(run.mesh.agents.offer(MAIN_AGENT, { type: 'agent.abortRequest' })).toBe(false);
  const told = await run.mesh.tell({ type: 'letter.dead', to: 'test', what: 'late' });
  expect(told).toBe(false);
  expect(run.crashes).toEqual([]);
});

test('an agent that does not end is left behind after the grace, and its processes are killed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const killed = vi.fn();
  const stuck = { effect: 'execute' as const, run: () => new Promise<never>(() => undefined) };
  const { run, life } = live({ main: [calls(['stuck'])], tools: { stuck } }, { kill: killed });
  const ended = life.run();
  await eventually(() => run.tools.began.length === 1);
  life.quit('terminated');
  await settled();
  expect(killed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(GRACE_MS);
  expect(await ended).toMatchObject({ status: 'terminated' });
  expect(killed).toHaveBeenCalledTimes(1);
});

test('what a person said and nobody read is in the journal for the next time', async () => {
  const { run, life } = live({ main: [hangs] });
  const ended = life.run();
  await eventually(() => run.mainModel.requests.items.length === 1);
  await run.act({ do: 'send', text: 'and the hidden ones', mode: 'queue' });
  life.quit('terminated');
  await ended;
  expect(run.journal.ofKind('user.action').at(0)).toMatchObject(
    factOf('user.action', MAIN_AGENT, 0, {
      action: { do: 'send', text: 'and the hidden ones', mode: 'queue' },
    }),
  );
});

test('files that were changed are in the result', async () => {
  const { life } = live({
    main: [calls(['write_file', { path: 'report.md' }]), says('done')],
    tools: { write_file: { effect: 'write', run: () => okOutcome() } },
  });
  expect(await life.run()).toMatchObject({ files_changed: ['report.md'] });
});

test('a session that is to end while its prologue runs asks its model nothing', async () => {
  const { run, life } = live(
    { main: [says('never said')] },
    {
      prologue: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
          life.quit('terminated');
        }),
    },
  );
  expect(await life.run()).toMatchObject({ status: 'terminated', exit_code: 143, rounds: 0 });
  expect(run.mainModel.requests.items).toEqual([]);
});

test('rows that the disk did not take are said in the result', async () => {
  const { life } = live({ main: [says('There are 3.')] }, { unwritten: 4 });
  const { status, reason } = await life.run();
  expect([status, reason]).toEqual([
    'done',
    expect.stringMatching(/ 4 rows are not in the journal/),
  ]);
});
