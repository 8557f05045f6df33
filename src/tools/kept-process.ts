/**
 * A program that outlives this process (`keep: "restart"`): started here, or taken over from an earlier run of
 * the session, and looked after in the same way. It has no input. Its start is on record before anybody is told
 * of it, its end before anybody is told of that; of one that is left nothing more is said.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentId, CallId, Millis } from '../../messages/ids.js';
import { SCRIPT, type BackgroundParts } from './background-process.js';
import type { BackgroundEnd, BackgroundProgram, ProcessFact } from './background-program.js';
import { codeOf } from './file-errors.js';
import { exitCodeIn, keptLaunch, prepare, type KeptFiles } from './kept-command.js';
import { KeptOutput } from './kept-output.js';
import { end as endProcesses } from './process-end.js';
import { isThatProcess, processGroup, startTimeOf } from './process-identity.js';
import { launchOf } from './shell-launch.js';
import type { ToolRun } from './tool.js';

/** How a kept process is known: what is on record of it. */
export interface KeptIdentity {
  readonly id: string;
  readonly agent: AgentId;
  readonly round: number;
  readonly callId: CallId;
  readonly pid: number;
  readonly startTime: string;
  readonly command: string;
  readonly startedAt: Millis;
}

/** Nobody tells us of the end of a program that is not our child: it is looked for, at first more often. */
const FIRST_LOOK_MS = 25;
const LOOK_MS = 500;

/** For what a program has printed to reach the file, once it has ended. */
const DRAIN_MS = 1_000;

type KeptParts = Pick<BackgroundParts, 'time' | 'onProcess'>;
type About = Pick<KeptIdentity, 'id' | 'agent' | 'round' | 'callId' | 'command' | 'startedAt'>;

export class KeptProcess implements BackgroundProgram {
  readonly id: string;
  readonly callId: CallId;
  readonly command: string;
  readonly startedAt: Millis;
  readonly output: KeptOutput;
  readonly isKept = true;
  readonly input = null;
  readonly ended: Promise<void>;
  readonly #parts: KeptParts;
  readonly #about: Pick<KeptIdentity, 'id' | 'agent' | 'round' | 'callId'>;
  readonly #files: KeptFiles;
  #pid = 0;
  #startTime: string | null = null;
  readonly #begun: Promise<string | null>;
  /** Ends the wait for the next look. */
  readonly #over = new AbortController();
  #isStopped = false;
  #isLeft = false;
  #end: BackgroundEnd | null = null;

  /** `begin`: resolves with what it is known by, or with the reason why there is none. */
  private constructor(
    parts: KeptParts,
    { id, agent, round, callId, command, startedAt }: About,
    files: KeptFiles,
    begin: Promise<Started | string>,
  ) {
    this.id = id;
    this.callId = callId;
    this.command = command;
    this.startedAt = startedAt;
    this.output = new KeptOutput(files.output);
    this.#parts = parts;
    this.#about = { id, agent, round, callId };
    this.#files = files;
    this.#begun = begin.then((started) => this.#begin(started));
    this.ended = this.#begun.then((problem) => (problem === null ? this.#watch() : undefined));
  }

  static start(
    parts: BackgroundParts,
    { id, command, files }: { id: string; command: string; files: KeptFiles },
    { agent, round, callId, cwd }: ToolRun,
  ): KeptProcess {
    const launch = keptLaunch(
      launchOf(parts, { text: command, cwd, callId, script: SCRIPT }),
      files,
    );
    const startedAt = parts.time.now();
    const about = { id, agent, round, callId, command, startedAt };
    return new KeptProcess(parts, about, files, launched(launch, files));
  }

  /** One that an earlier run of the session has started, and that is proven to be it. */
  static adopt(parts: KeptParts, known: KeptIdentity, files: KeptFiles): KeptProcess {
    const { pid, startTime } = known;
    return new KeptProcess(
      parts,
      known,
      files,
      Promise.resolve({ pid, startTime, isOnRecord: true }),
    );
  }

  get end(): BackgroundEnd | null {
    return this.#end;
  }

  get pid(): number {
    return this.#pid;
  }

  begun(): Promise<string | null> {
    return this.#begun;
  }

  async stop(): Promise<void> {
    if (this.#end !== null || (await this.#begun) !== null) return;
    this.#isStopped = true;
    if (await this.#lives()) await endProcesses(processGroup(this.#pid));
    this.#over.abort();
    await this.ended;
  }

  /** Leaves it to the next run of the session. */
  leave(): void {
    this.#isLeft = true;
    this.#over.abort();
  }

  async #begin(started: Started | string): Promise<string | null> {
    if (typeof started === 'string') return started;
    const { pid, startTime, isOnRecord } = started;
    this.#pid = pid;
    this.#startTime = startTime;
    const { command } = this;
    if (!isOnRecord) {
      const fact = { ...this.#about, type: 'started', pid, startTime, command } as const;
      await this.#record({ ...fact, keep: 'restart' });
    }
    return null;
  }

  #lives(): Promise<boolean> {
    return isThatProcess(this.#pid, this.#startTime, 'quickly');
  }

  async #watch(): Promise<void> {
    const { signal } = this.#over;
    let pause = FIRST_LOOK_MS;
    while (!signal.aborted && exitCodeIn(this.#files) === null && (await this.#lives())) {
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined);
      pause = Math.min(2 * pause, LOOK_MS);
    }
    if (this.#isLeft) return new Promise<never>(() => undefined);
    await this.#tidyUp();
    const code = this.#isStopped ? null : exitCodeIn(this.#files);
    const how = code === null && !this.#isStopped ? ({ unseen: true } as const) : {};
    this.#end = { at: this.#parts.time.now(), exitCode: code, ...how };
    await this.#record({ ...this.#about, type: 'ended', exitCode: code, ...how });
  }

  /** What it has started and left in its group ends with it; its last words are let through first. */
  async #tidyUp(): Promise<void> {
    const until = performance.now() + DRAIN_MS;
    while (performance.now() < until && (await this.#lives())) await sleep(FIRST_LOOK_MS);
    await endProcesses(processGroup(this.#pid));
  }

  /** A journal that cannot write says so to whoever waits for an outcome. */
  async #record(fact: ProcessFact): Promise<void> {
    try {
      await this.#parts.onProcess(fact);
    } catch {
      return;
    }
  }
}

interface Started {
  readonly pid: number;
  readonly startTime: string | null;
  readonly isOnRecord: boolean;
}

/** A string is the reason why it could not be started. */
async function launched(
  launch: ReturnType<typeof keptLaunch>,
  files: KeptFiles,
): Promise<Started | string> {
  const { file, args, cwd, env } = launch;
  try {
    prepare(files);
    const child = spawn(file, args, { cwd, env, detached: true, stdio: 'ignore' });
    const problem = await problemOf(child);
    child.unref();
    const { pid } = child;
    if (problem !== null || pid === undefined) return problem ?? 'unknown';
    return { pid, startTime: await startTimeOf(pid), isOnRecord: false };
  } catch (error) {
    // What is wrong with the arguments themselves, such as their length, is thrown.
    return codeOf(error) ?? String(error);
  }
}

const problemOf = (child: ChildProcess): Promise<string | null> =>
  new Promise((resolve) => {
    child.once('spawn', () => resolve(null));
    child.once('error', (error) => resolve(codeOf(error) ?? error.message));
  });
