import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EXPLORER, workbench } from './workbench.js';

/** Whether the process does anything; on Linux one that only waits to be collected does not. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

test('the exit code comes first, then both streams in the order they were written', async () => {
  const command = 'echo one; echo two >&2; echo three; exit 3';
  expect(await workbench().run('shell', { command })).toEqual({
    status: 'ok',
    text: '[exit: 3]\none\ntwo\nthree',
    truncated: false,
  });
});

test('a command that prints nothing has an exit code only', async () => {
  expect(await workbench().run('shell', { command: 'true' })).toMatchObject({ text: '[exit: 0]' });
});

test('a command ended by a signal has the exit code a shell would give', async () => {
  const { text } = await workbench().run('shell', { command: 'kill -9 $$' });
  expect(text).toBe('[exit: 137]');
});

test('the working directory persists, also when the command leaves with exit', async () => {
  const bench = workbench();
  mkdirSync(join(bench.workspace, 'a/b'), { recursive: true });
  await bench.run('shell', { command: 'cd a' });
  await bench.run('shell', { command: 'cd b; exit 1' });
  const { text } = await bench.run('shell', { command: 'pwd' });
  expect(text).toBe(`[exit: 0]\n${bench.workspace}/a/b`);
});

test('the working directory is judged with the command, and is the workspace once it is gone', async () => {
  const bench = workbench();
  await bench.run('shell', { command: 'mkdir gone; cd gone' });
  await bench.run('shell', { command: 'rmdir ../gone' });
  const { text } = await bench.run('shell', { command: 'pwd' });
  expect(text).toBe(`[exit: 0]\n${bench.workspace}`);
  expect(bench.judged.map(({ subject, cwd }) => [subject, cwd])).toEqual([
    ['mkdir gone; cd gone', bench.workspace],
    ['rmdir ../gone', join(bench.workspace, 'gone')],
    ['pwd', bench.workspace],
  ]);
});

test('each agent has a working directory of its own', async () => {
  const bench = workbench({ kindOf: () => 'main' });
  mkdirSync(join(bench.workspace, 'a'));
  await bench.run('shell', { command: 'cd a' });
  const { text } = await bench.run('shell', { command: 'pwd' }, { agent: EXPLORER });
  expect(text).toContain(`\n${bench.workspace}`);
  expect(text).not.toContain('/a');
});

test('working_dir counts for one call', async () => {
  const bench = workbench();
  mkdirSync(join(bench.workspace, 'a'));
  const { text } = await bench.run('shell', { command: 'pwd', working_dir: 'a' });
  expect(text).toBe(`[exit: 0]\n${bench.workspace}/a`);
  const next = await bench.run('shell', { command: 'pwd' });
  expect(next.text).toBe(`[exit: 0]\n${bench.workspace}`);
  const outside = await bench.run('shell', { command: 'pwd', working_dir: '..' });
  expect(outside).toMatchObject({ status: 'failed', reason: 'refused' });
  const missing = await bench.run('shell', { command: 'pwd', working_dir: 'none' });
  expect(missing.text).toMatch(/^Error: .*none' is not a folder\.$/);
});

test('there is no input and no terminal', async () => {
  const command = 'cat; read x || echo no input; (: < /dev/tty) 2>/dev/null || echo no terminal';
  const { text } = await workbench().run('shell', { command });
  expect(text).toBe('[exit: 0]\nno input\nno terminal');
});

test('secrets and our own settings do not reach the command', async () => {
  const bench = workbench({
    environment: {
      PATH: process.env['PATH'],
      OPENAI_API_KEY: 'k',
      GH_TOKEN: 't',
      OURO_HOME: 'h',
      SSH_AUTH_SOCK: 's',
      BASH_ENV: '/tmp/x',
      EDITOR: 'vi',
    },
  });
  const { text } = await bench.run('shell', { command: 'env | sort' });
  expect(text).not.toMatch(/OPENAI|GH_TOKEN|OURO_HOME|SSH_AUTH_SOCK|BASH_ENV/);
  const expected = ['EDITOR=vi', 'GIT_TERMINAL_PROMPT=0', 'NO_COLOR=1', 'PAGER=cat', 'TERM=dumb'];
  expected.push(`OURO_SESSION=${bench.session}`, 'OURO_CALL=main_1_1');
  for (const line of expected) expect(text.split('\n')).toContain(line);
});

test('the start of the process is journaled with its start time', async () => {
  const bench = workbench();
  await bench.run('shell', { command: 'true' });
  const started = bench.facts.filter(({ kind }) => kind === 'tool.started');
  expect(started).toMatchObject([{ body: { callId: 'main_1_1' } }]);
  expect(started[0]?.body).toHaveProperty('startTime', expect.stringMatching(/./));
});

test('long output shows its beginning and end, and all of it is kept in a file', async () => {
  const bench = workbench();
  const outcome = await bench.run('shell', { command: 'seq 1 20000' });
  expect(outcome).toMatchObject({ status: 'ok', truncated: true });
  const [head = '', tail = ''] = outcome.text.split(
    '... [truncated: 106KB total, showing first and last 12KB] ...\n',
  );
  expect(head.startsWith('[exit: 0]\n1\n2\n3\n')).toBe(true);
  expect(tail.endsWith('19999\n20000\n[all of it: read_output id=main_1_1]')).toBe(true);
  for (const part of [head, tail]) {
    expect(Buffer.byteLength(part)).toBeGreaterThan(12_000);
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(12 * 1024 + 60);
  }
  const [file = ''] = readdirSync(bench.spillDir);
  const spilled = readFileSync(join(bench.spillDir, file), 'utf8');
  expect(spilled.split('\n')).toHaveLength(20_001);
  expect(statSync(join(bench.spillDir, file)).mode & 0o777).toBe(0o600);
});

test('output of up to 29 KB is shown whole and leaves no file', async () => {
  const bench = workbench();
  const outcome = await bench.run('shell', { command: "head -c 29000 /dev/zero | tr '\\0' x" });
  expect(outcome).toMatchObject({ status: 'ok', truncated: false });
  expect(outcome.text).toBe(`[exit: 0]\n${'x'.repeat(29_000)}`);
  expect(readdirSync(bench.spillDir)).toEqual([]);
});

test('a flood of output needs little memory and at most 64 MB of disk', async () => {
  const bench = workbench();
  const before = process.memoryUsage().rss;
  const outcome = await bench.run('shell', { command: 'yes | head -c 200000000' });
  expect(outcome.text).toContain('[truncated: 190.7MB total');
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  const [file = ''] = readdirSync(bench.spillDir);
  expect(statSync(join(bench.spillDir, file)).size).toBe(64 * 1024 * 1024);
});

test('a command without end is ended by its time limit and its output so far is told', async () => {
  const outcome = await workbench().run('shell', { command: 'echo begun; yes', timeout: 1 });
  expect(outcome.status).toBe('timeout');
  expect(outcome.text).toMatch(/^Error: command timed out after 1 seconds\nbegun\ny\ny\n/);
  expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(30_000);
});

test('a command that ignores TERM is killed with everything it has started', async () => {
  const bench = workbench();
  const command = `trap '' TERM; echo $$; (trap '' TERM; echo $BASHPID; while :; do sleep 1; done) & while :; do sleep 1; done`;
  const outcome = await bench.run('shell', { command, timeout: 1 });
  expect(outcome.status).toBe('timeout');
  const pids = outcome.text.trim().split('\n').slice(1).map(Number);
  expect(pids).toHaveLength(2);
  expect(pids.filter(lives)).toEqual([]);
});

test('a background process that keeps the pipe neither delays the result nor lives on', async () => {
  const bench = workbench();
  const { text } = await bench.run('shell', { command: 'sleep 600 & echo $!' });
  const [, pid, note] = text.split('\n');
  expect(note).toBe('[background processes of this command were ended]');
  expect(lives(Number(pid))).toBe(false);
});

test('a process that leaves the group cannot hold the result, and is gone after terminateAll', async () => {
  const bench = workbench();
  const { text } = await bench.run('shell', {
    command: "setsid sh -c 'echo $$; exec sleep 600' & sleep 0.5",
  });
  const pid = Number(text.split('\n')[1]);
  expect(lives(pid)).toBe(true);
  await bench.tools.terminateAll();
  expect(lives(pid)).toBe(false);
});

test('nothing printed just before the end is lost', async () => {
  const bench = workbench();
  for (let n = 0; n < 30; n += 1) {
    const { text } = await bench.run('shell', { command: `seq 1 500; echo last ${n}` });
    expect(text.endsWith(`500\nlast ${n}`)).toBe(true);
  }
});

test('a cancelled command ends and tells what it had printed', async () => {
  const bench = workbench();
  const cancel = new AbortController();
  const call = bench.run(
    'shell',
    { command: 'echo begun; touch ready; sleep 600' },
    { signal: cancel.signal },
  );
  while (!readdirSync(bench.workspace).includes('ready')) await sleep(10);
  cancel.abort();
  expect(await call).toEqual({
    status: 'cancelled',
    text: 'Error: the call was cancelled while it ran.\nbegun\n',
  });
});

test('terminateAll ends running commands and lets no further one begin', async () => {
  const bench = workbench();
  const call = bench.run('shell', { command: 'touch ready; sleep 600' });
  while (!readdirSync(bench.workspace).includes('ready')) await sleep(10);
  await bench.tools.terminateAll();
  expect(await call).toMatchObject({ status: 'cancelled' });
  const next = await bench.run('shell', { command: 'touch late' });
  expect(next).toMatchObject({ status: 'cancelled' });
  expect(readdirSync(bench.workspace)).toEqual(['ready']);
});

test('a broken command is reported by the shell, and its own parameters are empty', async () => {
  const bench = workbench();
  expect((await bench.run('shell', { command: 'if' })).text).toMatch(
    /^\[exit: [1-9].*syntax error/s,
  );
  expect((await bench.run('shell', { command: 'echo $#$1' })).text).toBe('[exit: 0]\n0');
});

test.each([
  ['sudo ls', 'potentially destructive command blocked'],
  ['  ', 'the command is empty.'],
  ['echo a\0b', 'the command holds a NUL byte.'],
  [`echo ${'x'.repeat(200_000)}`, 'the command is longer than 127KB.'],
])('%.20j is refused and not run', async (command, message) => {
  const bench = workbench();
  const outcome = await bench.run('shell', { command });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
  expect(outcome.text).toContain(`Error: ${message}`);
  expect(bench.facts.map(({ kind }) => kind)).toEqual(['tool.outcome']);
});

test('the time limit is at most 600 seconds', async () => {
  const bench = workbench();
  for (const timeout of [0, 601, 1.5]) {
    const outcome = await bench.run('shell', { command: 'true', timeout });
    // Longer ones are taken for milliseconds, as another program gives them.
    expect(outcome.status, String(timeout)).toBe(timeout === 601 ? 'ok' : 'failed');
  }
});
