import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepText, NOT_KEPT, wholeText } from '../../src/tools/captured-output.js';
import { ShellOutput } from '../../src/tools/shell-output.js';
import type { CallId } from '../../messages/ids.js';
import { tempFolder } from '../store/temp-folder.js';
import { workbench } from './workbench.js';

/** A device that never has room. */
const FULL = '/dev/full';
const CALL = 'c1' as CallId;

test.runIf(existsSync(FULL))(
  'output that finds no room on the disk is cut, and says that the rest is gone',
  async () => {
    const file = join(tempFolder(), 'output');
    symlinkSync(FULL, file);
    const output = new ShellOutput(1_000, file);
    for (let n = 0; n < 200; n += 1) await output.take(Buffer.from(`line ${n} of many\n`));
    const captured = await output.finish();
    expect(captured).toMatchObject({ truncated: true, isKept: false });
    expect(captured.text).toMatch(/^line 0 [^]*line 199 of many\n$/);
  },
);

test('a command whose output cannot be kept is shown its beginning, its end, and that there is no more', async () => {
  const bench = workbench();
  // Where its folder should be there is a file.
  writeFileSync(bench.spillDir, '');
  const { status, text } = await bench.run('shell', { command: 'seq 20000' });
  expect(status).toBe('ok');
  expect(text).toMatch(/^\[exit: 0\]\n1\n2\n/);
  expect(text).toContain('\n20000\n');
  expect(text.endsWith(NOT_KEPT)).toBe(true);
});

test.runIf(existsSync(FULL))('a text that finds no room leaves nothing behind', async () => {
  const dir = tempFolder();
  mkdirSync(join(dir, 'output'));
  symlinkSync(FULL, join(dir, 'output', 'c1.txt'));
  expect(await keepText(join(dir, 'output'), CALL, 'x'.repeat(100_000))).toBe(NOT_KEPT);
  expect(readdirSync(join(dir, 'output'))).toEqual([]);
  expect(await keepText(join(dir, 'output'), CALL, 'x')).toBe(wholeText(CALL));
});
