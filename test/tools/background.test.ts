import { existsSync, readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ProcessFact } from '../../src/tools/background-program.js';
import { EVERYTHING, EXPLORER, workbench, type Workbench } from './workbench.js';

type Bench = Workbench & { readonly processes: ProcessFact[] };

function bench(overrides: Parameters<typeof workbench>[0] = {}): Bench {
  const processes: ProcessFact[] = [];
  const onProcess = (fact: ProcessFact): Promise<void> => {
    processes.push(fact);
    return Promise.resolve();
  };
  return { ...workbench({ ...EVERYTHING, onProcess, ...overrides }), processes };
}

const start = async (on: Bench, command: string): Promise<string> =>
  (await on.run('shell', { command, background: true })).text;

const output = async (on: Bench, args: Record<string, unknown>): Promise<string> =>
  (await on.run('process_output', args)).text;

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

test('a background command returns at once with an id, and what it prints can be read', async () => {
  const on = bench();
  const text = await start(on, 'echo one; echo two >&2; sleep 600');
  expect(text).toMatch(/^Started p1 \(pid \d+\)\. process_output id=p1 shows what it prints; /);
  const shown = await until(() => output(on, { id: 'p1' }), /two/);
  expect(shown).toBe('[p1 runs]\nL1: one\nL2: two');
});

test('its start and its end are on record, with what finds it again', async () => {
  const on = bench();
  await start(on, 'sleep 0.3; exit 3');
  await until(() => output(on, { id: 'p1' }), /ended/);
  const about = { id: 'p1', agent: 'main', round: 1, callId: 'main_1_1' };
  expect(on.processes).toEqual([
    {
      ...about,
      type: 'started',
      command: 'sleep 0.3; exit 3',
      pid: expect.any(Number) as number,
      startTime: expect.stringMatching(/./) as string,
    },
    { ...about, type: 'ended', exitCode: 3 },
  ]);
});

test('a command that ends at once says so with what it printed', async () => {
  const on = bench();
  // On a busy machine even that may take a moment.
  const text = await until(() => start(on, 'echo no such thing; exit 127'), /at once/);
  expect(text).toMatch(/^p\d+ ended with exit code 127 at once\.\nno such thing$/);
  const silent = await until(() => start(on, 'true'), /at once/);
  expect(silent).toMatch(/^p\d+ ended with exit code 0 at once\.$/);
});

test('a command that cannot be started is an ordinary error and takes no id', async () => {
  const on = bench({ environment: { PATH: '/nowhere' }, sandbox: missingSandbox });
  const outcome = await on.run('shell', { command: 'true', background: true });
  expect(outcome.text).toBe('Error: the command could not be started (ENOENT).');
  expect([on.processes, (await on.run('process_list', {})).text]).toEqual([
    [],
    'No background process was started.',
  ]);
});

const missingSandbox = {
  kind: 'bubblewrap',
  network: false,
  wrap: (launch: { args: readonly string[]; cwd: string; env: NodeJS.ProcessEnv }) => ({
    ...launch,
    file: '/nowhere/bwrap',
  }),
  explain: () => null,
} as const;

test('the list says how each stands', async () => {
  const on = bench();
  await start(on, 'sleep 600  #  a\n   server');
  await start(on, 'exit 2');
  const list = async (): Promise<string> => (await on.run('process_list', {})).text;
  const text = await until(list, /ended/);
  expect(text).toMatch(/^p1 running for [\d.]+s \(pid \d+\): sleep 600 # a server\n/);
  expect(text).toMatch(/\np2 ended with exit code 2 after [\d.]+s: exit 2$/);
});

test('the last 50 lines come by default, with their numbers and a word on the earlier ones', async () => {
  const on = bench();
  await start(on, 'seq 1 300');
  const lines = (await until(() => output(on, { id: 'p1' }), /300/)).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    '[p1 ended with exit code 0]',
    '[250 earlier lines: process_output id=p1 offset=1]',
    'L251: 251',
  ]);
  expect([lines.length, lines.at(-1)]).toEqual([52, 'L300: 300']);
  expect((await output(on, { id: 'p1', tail: 1 })).split('\n').slice(2)).toEqual(['L300: 300']);
  const most = (await output(on, { id: 'p1', tail: 9999 })).split('\n');
  expect(most).toHaveLength(301);
});

test('at most 500 of the last lines are shown', async () => {
  const on = bench();
  await start(on, 'seq 1 900');
  const lines = (await until(() => output(on, { id: 'p1', tail: 900 }), /L900/)).split('\n');
  expect(lines[1]).toBe('[400 earlier lines: process_output id=p1 offset=1]');
  expect(lines).toHaveLength(502);
});

test('with an offset its output is read in pages from there', async () => {
  const on = bench();
  await start(on, 'seq 1 5000');
  await until(() => output(on, { id: 'p1', tail: 1 }), /L5000/);
  const page = await output(on, { id: 'p1', offset: 4 });
  expect(page.startsWith('[p1 ended with exit code 0]\nL4: 4\nL5: 5\n')).toBe(true);
  expect(page).toMatch(
    /\n\[Showing lines 4-2003 of 5000\. Next page: process_output\(id='p1', offset=2004/,
  );
  const outcome = await on.run('process_output', { id: 'p1', offset: 5001 });
  expect(outcome.text).toBe('Error: offset 5001 is past the end: p1 has 5000 lines.');
});

test('a flood needs little memory, and its end is shown whatever came before', async () => {
  const on = bench();
  const before = process.memoryUsage().rss;
  await start(on, "yes | head -c 150000000; printf 'last\\nwords'");
  const text = await until(() => output(on, { id: 'p1', tail: 2 }), /words/);
  expect(text).toMatch(/\nL\d+: last\nL\d+: words$/);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  expect(statSync(join(on.spillDir, 'process-p1.txt')).size).toBe(64 * 1024 * 1024);
});

test('one line without end does not fill the result', async () => {
  const on = bench();
  await start(on, "head -c 1000000 /dev/zero | tr '\\0' x; echo; echo end");
  const text = await until(() => output(on, { id: 'p1' }), /L2: end/);
  expect(Buffer.byteLength(text)).toBeLessThan(1_500);
});

test('what it prints is without secrets, in pages and at its end', async () => {
  const secret = 'hunter2-hunter2';
  const environment = { PATH: process.env['PATH'], DB_PASSWORD: secret };
  const on = bench({ environment });
  await start(on, `printf 'key: ${'x'.repeat(490)}%s-%s\\n' hunter2 hunter2`);
  await until(() => output(on, { id: 'p1' }), /L1/);
  for (const args of [{ id: 'p1' }, { id: 'p1', offset: 1 }]) {
    expect(await output(on, args)).not.toContain('hunter2');
  }
});

test('its input can be written to and closed', async () => {
  const on = bench();
  await start(on, 'read x; echo got $x; cat; echo closed');
  const first = await on.run('process_write', { id: 'p1', data: 'päron\n' });
  expect(first.text).toBe('Wrote 7 bytes to p1.');
  await until(() => output(on, { id: 'p1' }), /got päron/);
  expect((await on.run('process_write', { id: 'p1', data: '' })).text).toBe(
    'Closed the input of p1.',
  );
  await until(() => output(on, { id: 'p1' }), /closed/);
  const late = await on.run('process_write', { id: 'p1', data: 'x' });
  expect(late.text).toMatch(/^Error: (?:the input of p1 is closed|p1 ended .* already)\.$/);
});

test('what is written to a process is judged with the command that runs', async () => {
  const on = bench();
  await start(on, 'cat |\n cat');
  await on.run('process_write', { id: 'p1', data: 'rm -rf x\n' });
  expect(on.judged.at(-1)).toMatchObject({
    tool: 'process_write',
    effect: 'execute',
    subject: 'cat | cat\nrm -rf x\n',
  });
});

test('a program that does not read is waited for no longer than the time limit', async () => {
  const limits = { toolTimeoutMs: 300, shellTimeoutMs: 1000, maxResultBytes: 30_000 };
  const on = bench({ limits });
  await start(on, 'sleep 600');
  const data = 'x'.repeat(64 * 1024);
  const statuses = [];
  for (let n = 0; n < 8; n += 1) {
    statuses.push((await on.run('process_write', { id: 'p1', data })).status);
  }
  expect(statuses).toContain('timeout');
});

test('a process is ended with all it has started', async () => {
  const on = bench();
  await start(
    on,
    `trap '' TERM; (trap '' TERM; echo $BASHPID; while :; do sleep 1; done) & echo $$; while :; do sleep 1; done`,
  );
  const text = await until(() => output(on, { id: 'p1' }), /L2/);
  const pids = [...text.matchAll(/L\d: (\d+)/g)].map(([, pid]) => Number(pid));
  expect((await on.run('process_kill', { id: 'p1' })).text).toBe('p1 was ended.');
  expect(pids.filter(lives)).toEqual([]);
  expect(on.processes.at(-1)).toMatchObject({ type: 'ended', exitCode: null });
  expect((await on.run('process_kill', { id: 'p1' })).text).toBe('p1 was ended already.');
  const late = await on.run('process_write', { id: 'p1', data: 'x' });
  expect(late.text).toBe('Error: p1 was ended already.');
});

test.each(['process_output', 'process_write', 'process_kill'])(
  '%s of a process that does not exist names those that do',
  async (name) => {
    const on = bench();
    const args = { id: '../p9', ...(name === 'process_write' ? { data: '' } : {}) };
    expect((await on.run(name, args)).text).toBe(
      "Error: there is no background process '../p9'. No background process was started.",
    );
    await start(on, 'true');
    expect((await on.run(name, args)).text).toContain('There are: p1.');
  },
);

test('at most ten are alive', async () => {
  const on = bench();
  for (let n = 0; n < 10; n += 1) await start(on, 'sleep 600');
  const text = await start(on, 'sleep 600');
  expect(text).toMatch(/^Error: 10 background processes run already: p1 \(sleep 600\), /);
  expect(text).toMatch(/End one with process_kill\.$/);
  await on.run('process_kill', { id: 'p3' });
  expect(await start(on, 'sleep 600')).toMatch(/^Started p11 /);
}, 20_000);

test('all of them end with the session, also one that has left its group, and no other begins', async () => {
  const on = bench();
  await start(on, "setsid sh -c 'echo $$; exec sleep 600' & echo $$; sleep 600");
  const text = await until(() => output(on, { id: 'p1' }), /L2/);
  const pids = [...text.matchAll(/L\d: (\d+)/g)].map(([, pid]) => Number(pid));
  expect(pids.filter(lives)).toHaveLength(2);
  await on.tools.terminateAll();
  expect(pids.filter(lives)).toEqual([]);
  expect(on.processes.at(-1)).toMatchObject({ type: 'ended', exitCode: null });
  expect((await on.run('shell', { command: 'true', background: true })).status).toBe('cancelled');
});

test('it carries the session and the call, and starts where the next command would', async () => {
  const on = bench();
  mkdirSync(join(on.workspace, 'sub'));
  await on.run('shell', { command: 'cd sub' });
  await start(on, 'pwd; echo $OURO_SESSION $OURO_CALL; cd /');
  const text = await until(() => output(on, { id: 'p1' }), /L2/);
  expect(text).toContain(`L1: ${on.workspace}/sub\nL2: ${on.session} main_1_2`);
  expect((await on.run('shell', { command: 'pwd' })).text).toContain('/sub');
});

test('its call does not hold it: cancelled later, it goes on', async () => {
  const on = bench();
  const cancel = new AbortController();
  const args = { command: 'sleep 600', background: true };
  await on.run('shell', args, { signal: cancel.signal });
  cancel.abort();
  await sleep(50);
  expect((await on.run('process_list', {})).text).toContain('p1 running');
});

test('where no process can be put on record, none goes on after its call', async () => {
  const on = workbench();
  const outcome = await on.run('shell', { command: 'true', background: true });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(await on.run('process_list', {})).toMatchObject({ reason: 'unknown-tool' });
});

test("the person's start-up files are not read, whatever bash takes its input for", async () => {
  const home = bench().outside;
  writeFileSync(join(home, '.bashrc'), 'echo start-up');
  const on = bench({ environment: { PATH: process.env['PATH'], HOME: home } });
  await start(on, 'echo command');
  expect(await until(() => output(on, { id: 'p1' }), /command/)).not.toContain('start-up');
});

test('a destructive command is refused in the background too', async () => {
  expect(await start(bench(), 'rm -rf /')).toContain('potentially destructive command blocked');
});

test('ids go on where an earlier run of the session stopped, and its output can still be read', async () => {
  const on = bench();
  mkdirSync(on.spillDir, { recursive: true });
  writeFileSync(join(on.spillDir, 'process-p4.txt'), 'old\n');
  expect(await start(on, 'sleep 600')).toMatch(/^Started p5 /);
  expect(existsSync(join(on.spillDir, 'process-p5.txt'))).toBe(true);
  expect(await output(on, { id: 'p4' })).toBe(
    '[this process ended with an earlier run of the session]\nL1: old',
  );
});

test('an exploring agent has nothing to do with processes', async () => {
  const on = bench();
  const outcome = await on.run('process_list', {}, { agent: EXPLORER });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
});
