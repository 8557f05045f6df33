/** Finds the program that confines commands, and finds out whether it can here, by letting it. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Launch } from '../../actors/ports.js';
import { kindOf, realPath } from './ground.js';
import { isInside } from './places.js';

/** Starting takes milliseconds; this is for a machine that is very busy. */
const PROBE_LIMIT_MS = 5_000;

/** What a program says before it gives up fits on a line. */
const SHOWN_CHARS = 300;

export type Trial = { readonly ok: true; readonly output: string } | Failure;

interface Failure {
  readonly ok: false;
  /** What it printed or why it was not started, in a line. */
  readonly said: string;
}

/** Never one that lies where commands can write: it would confine nothing. */
export function findProgram(
  name: string,
  { PATH = '' }: NodeJS.ProcessEnv,
  writable: readonly string[],
): string | null {
  const folders = PATH.split(delimiter).filter((folder) => folder.startsWith('/'));
  const found = folders.map((folder) => join(folder, name)).filter(isProgram);
  return (
    found.find((path) => !writable.some((root) => isInside(root, realPath(path) ?? path))) ?? null
  );
}

export async function tryOut(launch: Launch): Promise<Trial> {
  const { execa } = await import('execa');
  const { failed, timedOut, stdout, stderr, shortMessage } = await execa(launch.file, launch.args, {
    cwd: launch.cwd,
    env: launch.env,
    extendEnv: false,
    stdio: ['ignore', 'pipe', 'pipe'],
    reject: false,
    timeout: PROBE_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  if (!failed) return { ok: true, output: stdout };
  if (timedOut) return { ok: false, said: `no answer in ${PROBE_LIMIT_MS / 1000} s` };
  const [line] = stderr.trim().split('\n');
  const said =
    [line, shortMessage].find((text) => text !== undefined && text !== '') ?? 'no reason';
  return { ok: false, said: said.slice(0, SHOWN_CHARS) };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return kindOf(path) === 'file';
  } catch {
    return false;
  }
}
