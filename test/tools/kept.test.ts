/** Processes that outlive the process of their session: `shell` with `keep: "restart"`. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { CallId } from '../../messages/ids.js';
import type { ProcessFact } from '../../src/tools/background-program.js';
import type { KeptIdentity } from '../../src/tools/kept-process.js';
import { endSurvivors } from '../../src/tools/process-survivors.js';
import { EVERYTHING, workbench, type Workbench } from './workbench.js';

type Bench = Workbench & { readonly processes: ProcessFact[] };

function bench(overrides: Parameters<typeof workbench>[0] = {}): Bench {
  const processes: ProcessFact[] = [];
  const onProcess = (fact: ProcessFact): Promise<void> => {
    processes.push(fact);
    return Promise.resolve();
  };
  const on = { ...workbench({ ...EVERYTHING, onProcess, ...overrides }), processes };
  onTestFinished(async () => {
    await endSurvivors([], on.session);
  });
  return on;
}

const start = async (on: Workbench, command: string): Promise<string> =>
  (await on.run('shell', { command, background: true, keep: 'restart' })).text;

const output = async (on: Workbench, args: Record<string, unknown> = {}): Promise<string> =>
  (await on.run('process_output', { id: 'p1', ...args })).text;

/** Asks again until it says what is waited for. */
async function until(ask: () => Promise<string>, wanted: RegExp): Promise<string> {
  for (;;) {
    const text = await ask();
    if (wanted.test(text)) return text;
    await sleep(20);
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const COUNTING = 'i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.05; done';

/** What the next run of the session knows of the first process of this one. */
function known({ processes }: Bench): KeptIdentity {
  const fact = processes.find(({ type }) => type === 'started');
  if (fact?.type !== 'started' || fact.startTime === null) throw new Error('it was not started');
  const { id, agent, round, callId, pid, startTime, command } = fact;
  return { id, agent, round, callId, pid, startTime, command, startedAt: Date.now() };
}

/** A further run of the session, after `first` has left it. */
function nextRun(first: Bench): Bench {
  const { session, spillDir } = first;
  return bench({ session, spillDir, adopted: [known(first)] });
}

test('it starts like any other, is on record as kept, and prints into its file', async () => {
  const on = bench();
  expect(await start(on, 'pwd; echo two >&2; sleep 600')).toMatch(
    /^Started p1 \(pid \d+\)\. process_output id=p1 shows what it prints; it outlives a restart and ends with the session\.$/,
  );
  expect(await until(() => output(on), /two/)).toBe(`[p1 runs]\nL1: ${on.workspace}\nL2: two`);
  expect(on.processes).toMatchObject([{ type: 'started', keep: 'restart', id: 'p1' }]);
  expect((await on.run('process_list', {})).text).toMatch(
    /^p1 running for [\d.]+s \(pid \d+, kept over a restart\): pwd; /,
  );
  expect(statSync(join(on.spillDir, 'process-p1.txt')).mode & 0o777).toBe(0o600);
});

test('it has no input, and a write is refused with the reason', async () => {
  const on = bench();
  await start(on, 'cat; sleep 600');
  expect((await on.run('process_write', { id: 'p1', data: 'x' })).text).toBe(
    "Error: p1 has no input: it was started with keep 'restart', and no input outlives a restart.",
  );
});

test('only a command in the background can be kept', async () => {
  const on = bench();
  const outcome = await on.run('shell', { command: 'true', keep: 'restart' });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
  expect(outcome.text).toBe(
    "Error: keep 'restart' needs background true: any other command ends with its call.",
  );
  expect(await on.run('shell', { command: 'true', keep: 'session' })).toMatchObject({
    status: 'ok',
  });
});

test('its end is noticed, with its exit code; what it leaves in its group ends with it', async () => {
  const on = bench();
  await start(on, 'sleep 600 & echo $!; sleep 0.5; exit 3');
  const text = await until(() => output(on), /exit code/);
  expect(text).toMatch(/^\[p1 ended with exit code 3\]\nL1: \d+$/);
  expect(on.processes.at(-1)).toMatchObject({ type: 'ended', exitCode: 3 });
  expect(lives(Number(/L1: (\d+)/.exec(text)?.[1]))).toBe(false);
});

test('one that cannot run at all says so', async () => {
  const on = bench();
  const text = await start(on, 'no-such-program-here');
  expect(await until(() => Promise.resolve(text), /./)).toMatch(/p1/);
  expect(await until(() => output(on), /exit code 127/)).toContain('no-such-program-here');
});

test('left to the next run it goes on, and that run can do with it what this one could', async () => {
  const first = bench();
  await start(first, COUNTING);
  await until(() => output(first), /line 2/);
  await first.tools.terminateAll(true);
  const { pid } = known(first);
  expect(lives(pid)).toBe(true);
  expect(first.processes).toHaveLength(1);
  const next = nextRun(first);
  const seen = Number(/line (\d+)$/.exec(await until(() => output(next), /line/))?.[1]);
  await until(() => output(next), new RegExp(`line ${seen + 5}`));
  expect(await output(next, { offset: 1 })).toMatch(/^\[p1 runs\]\nL1: line 1\nL2: line 2\n/);
  expect((await next.run('process_list', {})).text).toContain(`(pid ${pid}, kept`);
  expect(next.processes, 'its start is on record already').toEqual([]);
  expect((await next.run('process_kill', { id: 'p1' })).text).toBe('p1 was ended.');
  expect(lives(pid)).toBe(false);
  const { callId } = known(first);
  expect(next.processes).toEqual([
    { id: 'p1', agent: 'main', round: 1, callId, type: 'ended', exitCode: null },
  ]);
  expect(await start(next, 'sleep 600'), 'no id is used twice').toContain('Started p2 ');
});

test('the end of one that was taken over wakes who waits for it', async () => {
  const first = bench();
  const stop = join(first.workspace, 'stop');
  await start(first, 'until [ -e stop ]; do sleep 0.05; done; echo over; exit 5');
  await first.tools.terminateAll(true);
  const next = nextRun({ ...first });
  const never = () => new Promise<never>(() => undefined);
  const waiting = bench({
    session: first.session,
    spillDir: first.spillDir,
    adopted: [known(first)],
    wait: never,
  });
  const sleeping = waiting.run('sleep', { mode: 'event', process_id: 'p1' });
  await next.run('shell', { command: `touch ${stop}` });
  expect((await sleeping).text).toMatch(/Reason: process_ended.*\np1 ended with exit code 5\.$/s);
});

test('without the leave to go on it ends with the session, after its last words', async () => {
  const on = bench();
  await start(on, "trap 'echo last words; exit' TERM; echo ready; sleep 600 & wait");
  await until(() => output(on), /ready/);
  const { pid } = known(on);
  await on.tools.terminateAll();
  expect(lives(pid)).toBe(false);
  expect(on.processes.at(-1)).toMatchObject({ type: 'ended', exitCode: null });
  const text = readFileSync(join(on.spillDir, 'process-p1.txt'), 'utf8');
  expect(text).toMatch(/^ready\n.*last words\n$/s);
});

test('what runs beside it ends all the same when it is left', async () => {
  const on = bench();
  await start(on, 'sleep 600');
  const args = { command: 'sleep 600', background: true };
  const other = Number(/pid (\d+)/.exec((await on.run('shell', args)).text)?.[1]);
  await on.tools.terminateAll(true);
  expect([lives(known(on).pid), lives(other)]).toEqual([true, false]);
  await endSurvivors([], on.session, ['another' as CallId]);
  expect(lives(known(on).pid)).toBe(false);
});

test('of one that was killed from outside nobody knows the exit code', async () => {
  const on = bench();
  await start(on, 'sleep 600');
  process.kill(-known(on).pid, 'SIGKILL');
  expect(await until(() => output(on), /ended/)).toBe(
    '[p1 ended, and its exit code is not known]\n[nothing printed]',
  );
  expect(on.processes.at(-1)).toMatchObject({ type: 'ended', exitCode: null, unseen: true });
});

test('a file that reaches its limit is shortened to its end, and says so; nothing of the end is lost', async () => {
  const on = bench();
  await start(on, 'seq 1 18000000; echo last words');
  const text = await until(() => output(on, { tail: 3 }), /exit code 0/);
  expect(text).toMatch(/\nL\d+: 17999999\nL\d+: 18000000\nL\d+: last words$/);
  const file = join(on.spillDir, 'process-p1.txt');
  expect(statSync(file).size).toBeLessThan(96 * 1024 * 1024);
  expect(existsSync(`${file}.new`)).toBe(false);
  const page = await output(on, { offset: 1 });
  expect(page).toContain('L1: [earlier output was dropped: the file had reached its limit]\n');
  const numbers = readFileSync(file, 'latin1').split('\n').slice(2, -2).map(Number);
  expect(numbers.at(-1)).toBe(18_000_000);
  expect(numbers.every((n, i) => i === 0 || n === (numbers[i - 1] ?? 0) + 1)).toBe(true);
}, 30_000);
