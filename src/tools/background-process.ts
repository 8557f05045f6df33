/**
 * A program that goes on after the call that started it: in a group of its own, with an input, its output in
 * a file. Its start is on record before anybody is told of it, its end before anybody is told of that.
 */
import type { Writable } from 'node:stream';
import type { Time } from '../../actors/ports.js';
import type { AgentId, CallId, Millis } from '../../messages/ids.js';
import { BackgroundOutput } from './background-output.js';
import type { BackgroundEnd, BackgroundProgram, ProcessFact } from './background-program.js';
import { exitCode, type ProcessGroups, type ProgramEnd } from './process.js';
import { launchOf, type LaunchParts } from './shell-launch.js';
import type { ToolRun } from './tool.js';

export interface BackgroundParts extends LaunchParts {
  readonly groups: ProcessGroups;
  readonly time: Time;
  /** Puts it on record. */
  readonly onProcess: (fact: ProcessFact) => Promise<unknown>;
}

/** Standard error joins standard output; nobody asks for the folder in which it ends. */
export const SCRIPT = 'exec 2>&1; eval "set --; $1"';

export class BackgroundProcess implements BackgroundProgram {
  readonly id: string;
  readonly callId: CallId;
  readonly command: string;
  readonly startedAt: Millis;
  readonly output: BackgroundOutput;
  readonly isKept = false;
  readonly ended: Promise<void>;
  readonly #parts: BackgroundParts;
  readonly #about: { id: string; agent: AgentId; round: number; callId: CallId };
  readonly #stop = new AbortController();
  /** Resolves when its start is on record. */
  readonly #started: Promise<void>;
  #problem: string | null = null;
  #pid = 0;
  #input: Writable | null = null;
  #end: BackgroundEnd | null = null;

  constructor(parts: BackgroundParts, id: string, command: string, run: ToolRun, file: string) {
    const { agent, round, callId, cwd } = run;
    this.id = id;
    this.callId = callId;
    this.command = command;
    this.startedAt = parts.time.now();
    this.output = new BackgroundOutput(file);
    this.#parts = parts;
    this.#about = { id, agent, round, callId };
    let started: () => void = () => undefined;
    this.#started = new Promise<void>((resolve) => (started = resolve));
    const program = parts.groups.run({
      ...launchOf(parts, { text: command, cwd, callId, script: SCRIPT }),
      signal: this.#stop.signal,
      input: (input) => this.#open(input),
      started: (pid, startTime) => void this.#begin(pid, startTime).then(started),
      output: (chunk) => this.output.take(chunk),
    });
    this.ended = program.then((end) => this.#finish(end));
  }

  get end(): BackgroundEnd | null {
    return this.#end;
  }

  get pid(): number {
    return this.#pid;
  }

  get input(): Writable | null {
    return this.#input;
  }

  async begun(): Promise<string | null> {
    await Promise.race([this.#started, this.ended]);
    return this.#problem;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }

  #open(input: Writable): void {
    this.#input = input;
    const close = (): void => void (this.#input = null);
    // It may end at any time while something is written to it.
    input.on('error', close).on('close', close);
  }

  async #begin(pid: number, startTime: string | null): Promise<void> {
    this.#pid = pid;
    const { command } = this;
    await this.#record({ ...this.#about, type: 'started', pid, startTime, command });
  }

  async #finish(end: ProgramEnd): Promise<void> {
    await this.output.close();
    const code = end.kind === 'exited' ? exitCode(end.exit) : null;
    this.#end = { at: this.#parts.time.now(), exitCode: code };
    if (end.kind === 'not-started') {
      this.#problem = end.code;
      return;
    }
    await this.#started;
    await this.#record({ ...this.#about, type: 'ended', exitCode: code });
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
