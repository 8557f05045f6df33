/**
 * A place of its own for each test: an empty home for ouro, an empty workspace, and an environment that
 * holds nothing of the machine's owner. Promise: when the test is over everything is gone, and a process
 * that was started here and still lives fails the test.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export interface Place {
  readonly root: string;
  /** `$OURO_HOME`; not created yet. */
  readonly home: string;
  /** A real path. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
}

interface LivingProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** Every process that is started here inherits it, the tools' children included. */
const MARK = 'E2E_PLACE';

/** A process that was told to end needs a moment on a busy machine. */
const LEAVE_MS = 8_000;

export function newPlace(): Place {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-e2e-'));
  const [workspace, user] = [join(root, 'work'), join(root, 'user')];
  mkdirSync(workspace);
  mkdirSync(user);
  const home = join(root, 'home');
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: user,
    LANG: 'C.UTF-8',
    OURO_HOME: home,
    // Lets a headless run begin on a machine without a sandbox too.
    OURO_PERMISSIONS_ALLOW: 'shell(true)',
    [MARK]: root,
  };
  const place = { root, home, workspace, env };
  onTestFinished(() => tearDown(place));
  return place;
}

/** Another folder to work in, of the same home. */
export function anotherWorkspace({ root }: Place, name = 'other'): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

async function tearDown(place: Place): Promise<void> {
  const deadline = performance.now() + LEAVE_MS;
  let left = processesOf(place);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(50);
    left = processesOf(place);
  }
  for (const { pid } of left) killQuietly(pid);
  rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
  if (left.length === 0) return;
  const list = left.map(({ pid, commandLine }) => `  ${pid} ${commandLine}`).join('\n');
  throw new Error(`the test is over, and these processes that it started still live:\n${list}`);
}

/** Those that live now; [] where there is no `/proc` to look at. */
export function processesOf({ root }: Place): readonly LivingProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    if (!read(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${root}`)) return [];
    return [{ pid, commandLine: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }];
  });
}

/** Most processes are not ours to look into, and some are gone by now. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

export function killQuietly(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
