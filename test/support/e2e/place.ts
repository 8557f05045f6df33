/**
 * A place of its own for each test: an empty home for ouro, an empty workspace, and an environment that
 * holds nothing of the machine's owner. Promise: when the test is over everything is gone, and a process
 * that was started here and still lives fails the test.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { killQuietly, MARK, processesOf } from './processes.js';

export { killQuietly, processesOf };

export interface Place {
  readonly root: string;
  /** `$OURO_HOME`; not created yet. */
  readonly home: string;
  /** A real path. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
}

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
    // A server's requests are those of the agents, unless a test is about the others.
    OURO_MODEL_TITLES: 'false',
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
