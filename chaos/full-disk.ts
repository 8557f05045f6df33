/**
 * A session on a disk of its own that fills up: a small file system in memory that bubblewrap makes for a
 * process of ours and all that it starts. Where bubblewrap cannot, the run says so and goes on without.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Tally } from './tally.js';
import { type Figures } from './tally.js';

/** Room for a home, a workspace and some thousand rows. */
const DISK_BYTES = 48 * 1024 * 1024;
/** It takes ten seconds on an idle machine. */
const LIMIT_MS = 180_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const PROGRAM = join(import.meta.dirname, 'full-disk-life.ts');
const run = promisify(execFile);

export interface FullDiskPlan {
  readonly number: number;
  readonly seed: number;
  readonly tally: Tally;
}

/** `folder` is kept when something was found: story and ledger are in it, and a copy of the home. */
export async function surviveFullDisk(folder: string, plan: FullDiskPlan): Promise<void> {
  const { number, seed, tally } = plan;
  const disk = join(folder, 'disk');
  mkdirSync(disk, { recursive: true });
  const reason = await obstacle(disk);
  if (reason !== null) {
    tally.skipped.push(`the full disk: ${reason}`);
    return;
  }
  const words = ['--import', 'tsx', PROGRAM, folder, disk, String(number), String(seed)];
  tally.fullDisks += 1;
  const figures = await figuresOf('bwrap', onDisk(disk, [process.execPath, ...words]));
  if (typeof figures === 'string') {
    tally.findings.push({
      check: 'not-finished',
      what: `on a full disk: ${figures}`,
      session: number,
    });
    return;
  }
  tally.add(figures);
  if (figures.findings.length === 0) rmSync(folder, { recursive: true, force: true });
}

/** Why there are none, when it did not end well. */
async function figuresOf(file: string, words: readonly string[]): Promise<Figures | string> {
  try {
    const options = { timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    return JSON.parse((await run(file, words, options)).stdout) as Figures;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The same machine, but for a file system of its own at `disk`. */
const onDisk = (disk: string, command: readonly string[]): string[] => [
  ...['--dev-bind', '/', '/', '--size', String(DISK_BYTES), '--tmpfs', disk],
  ...command,
];

/** Why there can be no disk of its own here; null: there can. */
export async function obstacle(disk: string): Promise<string | null> {
  try {
    await run('bwrap', onDisk(disk, ['true']));
    return null;
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code === 'ENOENT') return 'bubblewrap is not installed';
    return `bubblewrap cannot make one: ${(stderr ?? String(error)).trim()}`;
  }
}
