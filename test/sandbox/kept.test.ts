/** A command that outlives ouro, in the sandbox: its shell stands outside, so that it does not end with us. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { keptFiles, keptLaunch, prepare } from '../../src/tools/kept-command.js';
import { carriersOf, confined, launchOf, opened, playground, until } from './playground.js';

confined(
  'it outlives the process that started it, and the end of its group ends all of it',
  async () => {
    const place = playground();
    const call = randomUUID();
    const mark = `OURO_CALL=${call}`;
    const command =
      "trap '' TERM; setsid sh -c \"trap '' TERM; while :; do sleep 0.02; echo >> beat; done\" & " +
      'while :; do echo word; sleep 0.02; done';
    const plain = launchOf(place, command);
    const env = { ...plain.env, OURO_CALL: call };
    const confinedLaunch = (await opened(place.options)).wrap({ ...plain, env });
    const files = keptFiles(join(place.root, 'output'), 'p1');
    prepare(files);
    const { file, args, cwd } = keptLaunch(confinedLaunch, files);
    // The parent tells which group it has made, and is killed.
    const script = 'set -m; "$@" & echo $!; wait';
    const parent = spawn('bash', ['-c', script, 'bash', file, ...args], { cwd, env });
    const group = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    onTestFinished(() => {
      for (const pid of carriersOf(mark)) process.kill(pid, 'SIGKILL');
    });
    const beat = join(place.workspace, 'beat');
    await until(() => existsSync(beat) && readFileSync(files.output, 'utf8').includes('word'));
    parent.kill('SIGKILL');
    await until(() => !carriersOf(mark).includes(parent.pid ?? 0));
    const before = [statSync(beat).size, statSync(files.output).size] as const;
    await until(() => statSync(beat).size > before[0] + 3);
    await until(() => statSync(files.output).size > before[1]);
    expect(carriersOf(mark)).toContain(group);
    process.kill(-group, 'SIGKILL');
    await until(() => carriersOf(mark).length === 0);
  },
);
