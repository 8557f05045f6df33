/**
 * Runs the built program the way people and scripts do: as a process, with arguments, a folder and an
 * environment. Every call has a time limit, so that a program that hangs fails its test with what it said.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunResult } from '../../../messages/result.js';
import type { Snapshot } from '../../../messages/snapshot.js';
import type { Place } from './place.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Nothing here takes a tenth of it on an idle machine. */
const LIMIT_MS = 50_000;

if (!existsSync(join(ROOT, 'dist', 'program', 'main.js'))) {
  throw new Error('these tests run the built program, and there is none: npm run build');
}

export interface CommandOptions {
  /** Default: the workspace. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Piped in; default: nothing is, as in a service. */
  readonly stdin?: string;
  /** Default: `ouro`; `start` is what `npm start` runs. */
  readonly program?: 'ouro' | 'start';
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Finished>;
}

export const programFile = (name: 'ouro' | 'start' = 'ouro'): string =>
  join(ROOT, 'bin', `${name}.js`);

/** Ends with its test at the latest. */
export function launch(
  place: Place,
  args: readonly string[],
  options: CommandOptions = {},
): Running {
  const { cwd = place.workspace, env = {}, stdin, program } = options;
  const child = spawn(process.execPath, [programFile(program), ...args], {
    cwd,
    env: { ...place.env, ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  child.stdin?.end(stdin);
  const ended = new Promise<Finished>((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`ouro ${args.join(' ')} did not end\n${said.stdout}\n${said.stderr}`));
    }, LIMIT_MS);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ code, signal, ...said });
    });
  });
  ended.catch(() => undefined);
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    pid: child.pid ?? 0,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** Runs to the end. */
export const ouro = (
  place: Place,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Finished> => launch(place, args, options).ended;

/** Runs to the end, which has to be 0. */
export async function done(
  place: Place,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Finished> {
  const finished = await ouro(place, args, options);
  if (finished.code === 0) return finished;
  const { code, signal, stdout, stderr } = finished;
  throw new Error(
    `ouro ${args.join(' ')} ended with ${String(code ?? signal)}\n${stdout}${stderr}`,
  );
}

/** What verbs print with `--json`; each has some of these. */
export interface VerbReply {
  readonly v: number;
  readonly ok: boolean;
  readonly error?: { readonly code: string; readonly message: string };
  readonly sessions?: readonly {
    readonly changed?: boolean;
    readonly pid?: number | null;
    readonly result?: RunResult | null;
  }[];
  readonly snapshot?: Snapshot;
  readonly candidates?: readonly string[];
}

/** Runs a verb with `--json`, whatever its exit code. */
export async function asked(
  place: Place,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<{ readonly code: number | null; readonly data: VerbReply }> {
  const { code, stdout, stderr } = await ouro(place, [...args, '--json'], options);
  try {
    return { code, data: JSON.parse(stdout) as VerbReply };
  } catch (cause) {
    throw new Error(`ouro ${args.join(' ')} --json printed no JSON: ${stdout}${stderr}`, { cause });
  }
}
