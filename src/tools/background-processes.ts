/**
 * The background processes of a session. All of them end with it; those that are kept outlive its process. An
 * id is never used twice, also not after a restart.
 */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallId } from '../../messages/ids.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { BackgroundProcess, type BackgroundParts } from './background-process.js';
import {
  describeProgram,
  endText,
  shownCommand,
  type BackgroundProgram,
} from './background-program.js';
import { keptFiles } from './kept-command.js';
import { KeptProcess, type KeptIdentity } from './kept-process.js';
import { done, failed } from './outcomes.js';
import { cutText } from './shown.js';
import type { ToolRun } from './tool.js';

/** What a session can look after, and a small machine can bear. */
const MAX_ALIVE = 10;

/** Ended ones that are still listed; what they printed stays in its file. */
const MAX_ENDED = 50;

/** A command that cannot run at all has ended within this, and the model is told so at once. */
const SETTLE_MS = 250;

export class BackgroundProcesses {
  readonly #parts: BackgroundParts;
  readonly #spillDir: string;
  readonly #known = new Map<string, BackgroundProcess | KeptProcess>();
  /** Number of the newest; null: nobody has looked which there were. */
  #newest: number | null = null;
  #isClosed = false;

  /** `adopted`: those of an earlier run of the session that go on. */
  constructor(parts: BackgroundParts, spillDir: string, adopted: readonly KeptIdentity[] = []) {
    this.#parts = parts;
    this.#spillDir = spillDir;
    for (const known of adopted) {
      const { id } = known;
      this.#known.set(id, KeptProcess.adopt(parts, known, keptFiles(spillDir, id)));
    }
  }

  get alive(): readonly BackgroundProgram[] {
    return this.list().filter(({ end }) => end === null);
  }

  /** In the order in which they were started. */
  list(): readonly BackgroundProgram[] {
    return [...this.#known.values()];
  }

  /** How each stands. */
  describe(): readonly string[] {
    const now = this.#parts.time.now();
    return this.list().map((program) => describeProgram(program, now));
  }

  find(id: string): BackgroundProgram | null {
    return this.#known.get(id) ?? null;
  }

  /** Where the output of a process is, also of one from an earlier run of the session. */
  outputFile(id: string): string {
    return keptFiles(this.#spillDir, id).output;
  }

  /** Returns as soon as it runs. `isKept`: it outlives this process. */
  async start(command: string, run: ToolRun, isKept = false): Promise<ToolOutcome> {
    if (this.#isClosed) return failed('the session is ending; nothing more is started.');
    const { alive } = this;
    if (alive.length >= MAX_ALIVE) return failed(tooMany(alive));
    const id = this.#nextId();
    const files = keptFiles(this.#spillDir, id);
    const started = isKept
      ? KeptProcess.start(this.#parts, { id, command, files }, run)
      : new BackgroundProcess(this.#parts, id, command, run, files.output);
    this.#known.set(id, started);
    const problem = await started.begun();
    if (problem !== null) {
      this.#known.delete(id);
      return failed(`the command could not be started (${problem}).`);
    }
    this.#forgetOldest();
    await Promise.race([started.ended, sleep(SETTLE_MS, undefined, { ref: false })]);
    await started.output.followed();
    return describe(started, run.maxBytes);
  }

  /**
   * Ends all of them, and lets no other begin. `leavesKept`: those that are kept go on for the next run of the
   * session. Returns their calls.
   */
  async stopAll(leavesKept: boolean): Promise<readonly CallId[]> {
    this.#isClosed = true;
    const left: CallId[] = [];
    for (const one of this.#known.values()) {
      if (!leavesKept || one.end !== null || !(one instanceof KeptProcess)) continue;
      one.leave();
      left.push(one.callId);
      this.#known.delete(one.id);
    }
    await Promise.all(this.alive.map((program) => program.stop()));
    return left;
  }

  #nextId(): string {
    this.#newest = (this.#newest ?? newestIn(this.#spillDir)) + 1;
    return `p${this.#newest}`;
  }

  #forgetOldest(): void {
    const ended = this.list().filter(({ end }) => end !== null);
    for (const { id } of ended.slice(0, -MAX_ENDED)) this.#known.delete(id);
  }
}

function describe(program: BackgroundProgram, maxBytes: number): ToolOutcome {
  const { id, pid, end, output, isKept } = program;
  if (end === null) {
    const how = `process_output id=${id} shows what it prints`;
    const until = isKept
      ? 'it outlives a restart and ends with the session'
      : 'it ends with the session';
    return done(`Started ${id} (pid ${pid}). ${how}; ${until}.`);
  }
  const said = cutText(output.tail.end.trim(), Math.floor(maxBytes / 2), '…');
  return done([`${id} ${endText(end)} at once.`, said].filter((part) => part !== '').join('\n'));
}

function tooMany(alive: readonly BackgroundProgram[]): string {
  const names = alive.map(({ id, command }) => `${id} (${shownCommand(command)})`).join(', ');
  return `${MAX_ALIVE} background processes run already: ${names}. End one with process_kill.`;
}

const OUTPUT_FILE = /^process-p(\d+)\.txt$/;

/** Earlier runs of the session have left their files. */
function newestIn(spillDir: string): number {
  try {
    const numbers = readdirSync(spillDir).map((name) => Number(OUTPUT_FILE.exec(name)?.[1] ?? 0));
    return Math.max(0, ...numbers);
  } catch {
    return 0;
  }
}
