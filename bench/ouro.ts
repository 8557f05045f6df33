/** Runs the built program as a person would: a process of its own, a home and a workspace of its own. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODEL } from './model-server.js';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const OURO = join(ROOT, 'bin', 'ouro.js');

/** Whatever hangs is ended, so that the benchmark is not. */
const PROCESS_LIMIT_MS = 30_000;

export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly workspace: string;
}

/** An empty home and workspace beside each other. */
export function newPlace(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ouro-bench-')));
  const place = { folder, home: join(folder, 'home'), workspace: join(folder, 'work') };
  mkdirSync(place.home, { mode: 0o700 });
  mkdirSync(place.workspace);
  return place;
}

export const removePlace = ({ folder }: Place): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** Small files `notes/1.txt …`, all different; a round reads the one of its number. */
export function writeNotes({ workspace }: Place, count: number, lines: number): void {
  mkdirSync(join(workspace, 'notes'), { recursive: true });
  for (let n = 1; n <= count; n += 1) {
    const text = Array.from({ length: lines }, (_, i) => `note ${n}, line ${i + 1} of ${lines}`);
    writeFileSync(join(workspace, noteOf(n)), `${text.join('\n')}\n`);
  }
}

export const noteOf = (round: number): string => `notes/${round}.txt`;

/** Of the person's environment nothing but what programs need: a key or a CI flag would change the run. */
export const environmentOf = (place: Pick<Place, 'home'>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TMPDIR: tmpdir(),
  OURO_HOME: place.home,
  // Requests that are not the agent's own would be measured with it.
  OURO_MODEL_TITLES: 'false',
});

/** Nothing ever leaves the conversation: what a round adds is there in every later request. */
export const wideEnvironment = (place: Pick<Place, 'home'>): NodeJS.ProcessEnv => ({
  ...environmentOf(place),
  OURO_CONTEXT_WINDOW: '10000000',
});

export const runFlags = ({ workspace }: Place, baseUrl: string): string[] => [
  ...['--base-url', baseUrl, '-m', MODEL, '-C', workspace],
  ...['--permission-mode', 'default', '--max-rounds', '1000000', '--max-time', '24h'],
];

export interface Ended {
  readonly code: number | null;
  /** From the call to the end of the process. */
  readonly ms: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** When it was asked to start. */
  readonly startedAt: number;
  readonly ended: Promise<Ended>;
}

interface StartOptions extends SpawnOptions {
  /** Null: it may take as long as it likes. */
  readonly limitMs?: number | null;
  /** Its words are wanted; otherwise nobody reads them. */
  readonly keepOutput?: boolean;
}

/** Starts Node with these words. */
export function startNode(words: readonly string[], options: StartOptions): Running {
  const { limitMs = PROCESS_LIMIT_MS, keepOutput = false, ...rest } = options;
  const stdio = keepOutput ? 'pipe' : 'ignore';
  const startedAt = performance.now();
  const child = spawn(process.execPath, words, { ...rest, stdio: ['ignore', stdio, stdio] });
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (part: Buffer) => (said.stdout += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (said.stderr += part.toString()));
  const timer = limitMs === null ? null : setTimeout(() => child.kill('SIGKILL'), limitMs);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once(keepOutput ? 'close' : 'exit', (code: number | null) => {
      if (timer !== null) clearTimeout(timer);
      resolve({ code, ms: performance.now() - startedAt, ...said });
    });
  });
  return { child, startedAt, ended };
}

export const startOuro = (
  place: Place,
  words: readonly string[],
  options: StartOptions = {},
): Running =>
  startNode([OURO, ...words], { cwd: place.workspace, env: environmentOf(place), ...options });

/** What a bare Node takes to start and end. */
export async function bareNodeMs(): Promise<number> {
  const { ms } = await startNode(['-e', '0'], { env: environmentOf({ home: tmpdir() }) }).ended;
  return ms;
}

/** Throws, with its words, when it ended otherwise than well. */
export function requireOk({ code, stderr }: Ended, what: string): void {
  if (code !== 0) throw new Error(`${what} ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
}
