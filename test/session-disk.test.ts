import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskEnding } from '../src/disk-ending.js';
import { openGround, type Work } from '../src/ground.js';
import { ensureHome, sessionsDir } from '../src/store/layout.js';
import { reserveFile } from '../src/store/reserve.js';
import { specOf } from './support/session-samples.js';
import { tempFolder } from './store/temp-folder.js';

/** A device that never has room. */
const FULL = '/dev/full';
const time = { now: () => 0 };

test.runIf(existsSync(FULL))(
  'a session is not begun where there is no room for its reserve',
  () => {
    const home = tempFolder();
    const spec = { ...specOf(), workspace: home };
    ensureHome(home);
    const dir = join(sessionsDir(home), spec.id);
    mkdirSync(dir);
    symlinkSync(FULL, reserveFile(dir));
    const work: Work = { kind: 'new', spec, goal: 'count' };
    const opened = openGround({ home, work, shareWorkspace: false, time });
    expect(opened).toMatchObject({
      ok: false,
      ending: {
        status: 'internal_error',
        reason: expect.stringMatching(
          /ENOSPC.* free\)\. Free some space .* nothing was spent/,
        ) as string,
      },
    });
    expect(readdirSync(sessionsDir(home))).toEqual([]);
  },
);

test('only what the disk with the sessions says is its doing', () => {
  const error = (code: string, path?: string): Error =>
    Object.assign(new Error(code), { code, ...(path === undefined ? {} : { path }) });
  const isDisk = (thrown: Error): boolean => diskEnding(thrown, '/home/me/.ouro') !== null;
  expect(isDisk(error('ENOSPC'))).toBe(true);
  expect(isDisk(error('EROFS', '/home/me/.ouro/locks'))).toBe(true);
  expect(isDisk(error('EACCES', '/usr/bin/thing'))).toBe(false);
  expect(isDisk(error('ENOENT'))).toBe(false);
});
