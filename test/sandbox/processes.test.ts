import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Launch } from '../../actors/ports.js';
import {
  carriersOf,
  confined,
  ended,
  launchOf,
  opened,
  playground,
  start,
  until,
  type Playground,
} from './playground.js';

/** Ignores being asked, has left its group, and leaves a trace as long as it lives. */
const STUBBORN = `trap '' TERM HUP INT
setsid bash -c "trap '' TERM HUP INT; while :; do sleep 0.02; echo >> beat; done" > /dev/null 2>&1 &
while :; do sleep 0.02; done`;

function marked(place: Playground, command: string): { launch: Launch; mark: string } {
  const call = randomUUID();
  const launch = launchOf(place, command);
  return {
    launch: { ...launch, env: { ...launch.env, OURO_CALL: call } },
    mark: `OURO_CALL=${call}`,
  };
}

confined('ending the group ends everything inside, although it ignores TERM', async () => {
  const place = playground();
  const { launch, mark } = marked(place, STUBBORN);
  const child = start(await opened(place.options), launch);
  await until(() => existsSync(join(place.workspace, 'beat')));
  expect(carriersOf(mark)).toContain(child.pid);
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await ended(child);
  await until(() => carriersOf(mark).length === 0);
});

confined('a background process does not outlive its command', async () => {
  const place = playground();
  const { launch, mark } = marked(place, `${STUBBORN.split('\n').slice(0, 2).join('\n')} exit 5`);
  expect(await ended(start(await opened(place.options), launch))).toMatchObject({ code: 5 });
  await until(() => carriersOf(mark).length === 0);
});

confined('nothing survives the process that started it', async () => {
  const place = playground();
  const { launch, mark } = marked(place, STUBBORN);
  const { file, args, cwd, env } = (await opened(place.options)).wrap(launch);
  const parent = spawn('bash', ['-c', '"$@" & wait', 'bash', file, ...args], { cwd, env });
  onTestFinished(() => void parent.kill('SIGKILL'));
  await until(() => existsSync(join(place.workspace, 'beat')));
  parent.kill('SIGKILL');
  await until(() => carriersOf(mark).length === 0);
});

confined('the exit code is the command’s, also when a signal ended it', async () => {
  const place = playground();
  const sandbox = await opened(place.options);
  const codes = ['exit 0', 'exit 7', 'kill -KILL $$', 'kill -TERM $$'].map(async (command) => {
    return (await ended(start(sandbox, launchOf(place, command)))).code;
  });
  expect(await Promise.all(codes)).toEqual([0, 7, 137, 143]);
});

confined('input, arguments, folder and environment arrive as they were given', async () => {
  const place = playground();
  const odd = `a b'c"d\n$e \\`;
  const env = { ...place.options.env, ODD: odd, TMP: '/nowhere', XDG_RUNTIME_DIR: '/run/user/1' };
  const command = 'cat; printf "%s|" "$1" "$ODD" "$PWD" "$TMPDIR" "$TMP" "${XDG_RUNTIME_DIR-none}"';
  const launch = { ...launchOf(place, ''), args: ['-c', command, 'bash', odd], env };
  const child = start(await opened(place.options), launch);
  child.stdin?.end('typed|');
  expect(await ended(child)).toEqual({
    code: 0,
    output: ['typed', odd, odd, place.workspace, '/tmp', '/tmp', 'none', ''].join('|'),
  });
});

confined('a file that was opened for the command is there at its descriptor', async () => {
  const place = playground();
  const path = join(place.root, 'folder');
  const file = openSync(path, 'wx+');
  onTestFinished(() => closeSync(file));
  const name = `/proc/self/fd/${file}`;
  unlinkSync(path);
  const sandbox = await opened(place.options);
  const launch = launchOf(place, 'mkdir sub && cd sub && pwd -P >&3');
  const child = start(sandbox, launch, { extraFile: file });
  expect(await ended(child)).toEqual({ code: 0, output: '' });
  expect(readFileSync(name, 'utf8')).toBe(`${place.workspace}/sub\n`);
});
