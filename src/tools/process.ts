/**
 * Runs a program in a process group of its own, so that it can be ended together with everything it has
 * started. `run` always comes back: soon after the program ends, although a child of it may still hold the
 * pipe, and soon after the signal, although the program may ignore TERM.
 */
import type { ChildProcess } from 'node:child_process';
import { constants as system } from 'node:os';
import type { Writable } from 'node:stream';
import type { Launch } from '../../actors/ports.js';
import { codeOf } from './file-errors.js';
import { end as endProcesses, TERM_GRACE_MS } from './process-end.js';
import { processGroup, startTimeOf } from './process-identity.js';
import { ProgramOutput, type Listener } from './process-output.js';

export interface ProgramRun extends Launch {
  /** Gets the program's input as soon as it runs; without it the program has none. */
  readonly input?: (input: Writable) => void;
  /** An open file that the program finds at descriptor 3. */
  readonly extraFile?: number;
  /** Ends the program and its group. */
  readonly signal: AbortSignal;
  /** Called once it runs. `startTime` null: it has ended already, and nobody can tell any more. */
  readonly started?: (pid: number, startTime: string | null) => void;
  readonly output: Listener;
}

export type ProgramEnd =
  | { readonly kind: 'exited'; readonly exit: Exit; readonly leftChildren: boolean }
  /** The abort signal ended it. */
  | { readonly kind: 'stopped' }
  /** `code`: the system's name for the reason. */
  | { readonly kind: 'not-started'; readonly code: string };

/** As the system reports it: one of the two is null. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** As a shell would report it. */
export const exitCode = ({ code, signal }: Exit): number =>
  code ?? 128 + (signal === null ? 0 : system.signals[signal]);

/** From the abort signal to giving up on a process that even KILL does not end at once. */
const GIVE_UP_MS = TERM_GRACE_MS + 1_500;

export class ProcessGroups {
  readonly #running = new Map<number, Promise<ProgramEnd>>();

  /** Ends everything that runs, and waits for it. */
  async endAll(): Promise<void> {
    const running = [...this.#running];
    await Promise.all(running.map(([leader]) => endProcesses(processGroup(leader))));
    await Promise.all(running.map(([, end]) => end));
  }

  async run(program: ProgramRun): Promise<ProgramEnd> {
    if (program.signal.aborted) return { kind: 'stopped' };
    const started = await start(program);
    if (typeof started === 'string') return { kind: 'not-started', code: started };
    const { child, pid } = started;
    const end = follow(child, pid, program);
    this.#running.set(pid, end);
    try {
      return await end;
    } finally {
      this.#running.delete(pid);
    }
  }
}

/** A string is the reason why it could not be started. */
async function start(program: ProgramRun): Promise<{ child: ChildProcess; pid: number } | string> {
  const { file, args, cwd, env, input, extraFile, started } = program;
  try {
    const { execa } = await import('execa');
    const pipes = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const;
    // The types name only a few numbers; any open descriptor will do.
    const stdio = extraFile === undefined ? pipes : ([...pipes, extraFile as 3] as const);
    // The group is ended here, with all that is in it, and the output is kept within bounds here.
    const own = { detached: true, cleanup: false, buffer: false, reject: false } as const;
    const child = execa(file, args, { cwd, env, extendEnv: false, stdio, ...own });
    const { pid } = child;
    if (pid === undefined) {
      const { code, shortMessage } = await child;
      return code ?? shortMessage ?? 'unknown';
    }
    if (child.stdin !== null) input?.(child.stdin);
    if (started !== undefined) void startTimeOf(pid).then((startTime) => started(pid, startTime));
    return { child, pid };
  } catch (error) {
    // What is wrong with the arguments themselves, such as their length, is thrown.
    return codeOf(error) ?? String(error);
  }
}

async function follow(
  child: ChildProcess,
  pid: number,
  { signal, output: listener }: ProgramRun,
): Promise<ProgramEnd> {
  const output = new ProgramOutput(child, listener);
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, name) => resolve({ code, signal: name }));
  });
  const stop = stopOn(signal, pid);
  const exit = await Promise.race([exited, stop.givenUp]);
  const stopped = stop.release();
  await output.drained();
  const group = processGroup(pid);
  const leftChildren = group.lives();
  if (leftChildren) await endProcesses(group);
  output.close();
  return stopped || exit === null ? { kind: 'stopped' } : { kind: 'exited', exit, leftChildren };
}

/** Ends the group when the signal comes, until `release`, which says whether it came. */
function stopOn(signal: AbortSignal, pid: number): { givenUp: Promise<null>; release(): boolean } {
  let came = false;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const givenUp = new Promise<null>((resolve) => {
    onAbort = () => {
      came = true;
      void endProcesses(processGroup(pid));
      timer = setTimeout(() => resolve(null), GIVE_UP_MS);
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const release = (): boolean => {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
    return came;
  };
  return { givenUp, release };
}
