/** What never ends, is endlessly large, or waits for somebody. Each answers by its limit, and nothing is left. */
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolOutcome } from '../../../messages/tools.js';
import type { Ground } from '../ground.js';
import { isOk, isRefused, printed, type Area, type Row } from '../table.js';

const GB = 1024 ** 3;

function large(on: Ground, name: string, size: number, start = ''): void {
  const file = openSync(join(on.workspace, name), 'w');
  writeSync(file, start);
  ftruncateSync(file, size);
  closeSync(file);
}

const using = (
  tried: string,
  prepare: (on: Ground) => void,
  call: readonly [string, object],
  isHeld: (outcome: ToolOutcome) => boolean,
  counterpart: string,
): Row => ({
  tried,
  attack: async ({ ground }) => {
    const on = await ground();
    prepare(on);
    return isHeld(await on.run(...call));
  },
  counterpart,
  allowed: async ({ ground }) => {
    const on = await ground();
    on.put('plain', 'aaaaaaaaaaaaaaaaaaaaaaaab\n');
    const [tool, args] = call;
    const plain = 'path' in args && args.path !== '.' ? { ...args, path: 'plain' } : args;
    return isOk(await on.run(tool, plain));
  },
});

const fifo = (on: Ground): void => void execFileSync('mkfifo', [join(on.workspace, 'pipe')]);
const small = (outcome: ToolOutcome): boolean => outcome.text.length < 40_000;

/** Commands of every kind may run; what is started is gone when the ground is. */
const running = (
  tried: string,
  command: string,
  isHeld: (outcome: ToolOutcome) => boolean,
  counterpart: string,
): Row => ({
  tried,
  attack: async ({ ground }) => {
    const on = await ground({ rules: { allow: ['shell'] } });
    return isHeld(await on.run('shell', { command, timeout: 2 }));
  },
  counterpart: `\`${counterpart}\``,
  allowed: async ({ ground }) => {
    const on = await ground({ rules: { allow: ['shell'] } });
    return isOk(await on.run('shell', { command: counterpart, timeout: 20 }));
  },
});

const isTimeout = ({ status, text }: ToolOutcome): boolean =>
  status === 'timeout' && text.length < 40_000;

const opening = (path: string): string =>
  `"${process.execPath}" -e 'require("fs").openSync("${path}", "r+"); console.log("opened")'`;

/** The test's own process may have a terminal; a command must not. */
const noTerminal: Row = {
  tried: 'opening the terminal',
  attack: async ({ ground }) => {
    const on = await ground({ rules: { allow: ['shell'] } });
    return !printed(await on.shell(opening('/dev/tty')), 'opened');
  },
  counterpart: 'opening /dev/null',
  allowed: async ({ ground }) => {
    const on = await ground({ rules: { allow: ['shell'] } });
    return printed(await on.shell(opening('/dev/null')), 'opened');
  },
};

const EVIL = '(a+)+$|(a|aa)+$|(.*)*x';

export const resources: Area = {
  area: 'resources',
  inBoth: false,
  rows: [
    using('reading a FIFO', fifo, ['read_file', { path: 'pipe' }], isRefused, 'reading a file'),
    using(
      'searching in a FIFO',
      fifo,
      ['grep', { pattern: 'a', path: 'pipe' }],
      small,
      'in a file',
    ),
    using(
      'reading a device',
      () => undefined,
      ['read_file', { path: '/dev/zero' }],
      isRefused,
      'a file',
    ),
    using(
      'a sparse file of 50 GB',
      (on) => large(on, 'sparse', 50 * GB),
      ['read_file', { path: 'sparse' }],
      isRefused,
      'a small file',
    ),
    using(
      'a line of 200 MB',
      (on) => {
        const file = openSync(join(on.workspace, 'line'), 'w');
        for (let n = 0; n < 200; n += 1) writeSync(file, 'a'.repeat(1024 * 1024));
        closeSync(file);
      },
      ['read_file', { path: 'line' }],
      (outcome) => isOk(outcome) && outcome.text.length < 2_000,
      'a short line',
    ),
    using(
      'a catastrophic pattern',
      (on) => void on.put('evil', 'a'.repeat(100_000)),
      ['grep', { pattern: EVIL, path: 'evil' }],
      small,
      'that pattern on a short line',
    ),
    {
      tried: 'a glob that stands for too many names',
      attack: async ({ ground }) => {
        const on = await ground();
        on.put('a'.repeat(200), '');
        return isRefused(await on.run('find_files', { pattern: `${'{a,*}'.repeat(12)}b` }));
      },
      counterpart: 'a glob that stands for four',
      allowed: async ({ ground }) => {
        const { text } = await (await ground()).run('find_files', { pattern: '{n,*}{o,*}tes.txt' });
        return text.includes('notes.txt');
      },
    },
  ],
};

export const commandResources: Area = {
  area: 'resources of commands',
  inBoth: true,
  rows: [
    noTerminal,
    running('yes', 'yes', isTimeout, 'yes | head -n 3'),
    running('a busy loop', 'while :; do :; done', isTimeout, 'for i in 1 2 3; do :; done'),
    running(
      'a child that ignores TERM',
      "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & while :; do sleep 1; done",
      isTimeout,
      "trap 'echo bye' EXIT; sleep 0.1",
    ),
    running('waiting for input', 'cat', ({ text }) => text === '[exit: 0]', 'echo x | cat'),
    running(
      'a child that keeps the pipe',
      'sleep 1000 & echo started',
      (outcome) => isOk(outcome) && outcome.text.includes('started'),
      'sleep 0.1 & wait',
    ),
    running(
      'a child in a session of its own',
      'setsid sleep 1000 & echo started',
      (outcome) => isOk(outcome) && outcome.text.includes('started'),
      'setsid true',
    ),
  ],
};
