import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandSandbox, Launch } from '../../actors/ports.js';
import { EVERYTHING, workbench } from './workbench.js';

function sandboxOf(explain: CommandSandbox['explain'] = () => null) {
  const launches: Launch[] = [];
  const sandbox: CommandSandbox = {
    kind: 'bubblewrap',
    network: false,
    wrap: (launch) => {
      launches.push(launch);
      return {
        ...launch,
        file: '/usr/bin/env',
        args: ['INSIDE=yes', launch.file, ...launch.args],
      };
    },
    explain,
  };
  return { sandbox, launches };
}

test('commands run inside the sandbox, in the foreground and in the background', async () => {
  const { sandbox, launches } = sandboxOf();
  const bench = workbench({ ...EVERYTHING, sandbox });
  expect((await bench.run('shell', { command: 'echo $INSIDE' })).text).toBe('[exit: 0]\nyes');
  await bench.run('shell', { command: 'touch "$INSIDE"; sleep 600', background: true });
  while (!existsSync(join(bench.workspace, 'yes'))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(launches.map(({ cwd }) => cwd)).toEqual([bench.workspace, bench.workspace]);
  expect(launches[0]?.env).toMatchObject({
    OURO_SESSION: bench.session,
    OURO_CALL: 'main_1_1',
  });
});

test('the folder still carries over to the next command', async () => {
  const bench = workbench({ sandbox: sandboxOf().sandbox });
  await bench.run('shell', { command: 'mkdir a; cd a' });
  const { text } = await bench.run('shell', { command: 'pwd' });
  expect(text).toBe(`[exit: 0]\n${bench.workspace}/a`);
});

test('searches are not commands, and are not wrapped', async () => {
  const { sandbox, launches } = sandboxOf();
  const bench = workbench({ sandbox });
  await bench.run('grep', { pattern: 'x' });
  expect(launches).toEqual([]);
});

test('what looks like a refusal by the sandbox is explained below the output', async () => {
  const seen: unknown[] = [];
  const { sandbox } = sandboxOf((output, code) => {
    seen.push([output, code]);
    return code === 0 ? null : '[the sandbox has no network]';
  });
  const bench = workbench({ ...EVERYTHING, sandbox });
  expect((await bench.run('shell', { command: 'echo no route; exit 7' })).text).toBe(
    '[exit: 7]\nno route\n[the sandbox has no network]',
  );
  expect((await bench.run('shell', { command: 'echo fine' })).text).toBe('[exit: 0]\nfine');
  expect(seen).toEqual([
    ['no route', 7],
    ['fine', 0],
  ]);
});

test('a background process that failed is explained too', async () => {
  const { sandbox } = sandboxOf((_, code) => (code === 0 ? null : '[the sandbox has no network]'));
  const bench = workbench({ ...EVERYTHING, sandbox });
  await bench.run('shell', { command: 'echo no route; exit 7', background: true });
  await bench.run('sleep', { mode: 'event', process_id: 'p1' });
  for (;;) {
    const { text } = await bench.run('process_output', { id: 'p1' });
    if (text.startsWith('[p1 runs]')) continue;
    expect(text).toBe('[p1 ended with exit code 7]\nL1: no route\n[the sandbox has no network]');
    return;
  }
});
