/**
 * The background processes of a session. All of them end with it. An id is never used twice, also not after
 * a restart.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolOutcome } from '../../messages/tools.js';
import { BackgroundProcess, endText, type BackgroundParts } from './background-process.js';
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
  readonly #known = new Map<string, BackgroundProcess>();
  /** Number of the newest; null: nobody has looked which there were. */
  #newest: number | null = null;
  #isClosed = false;

  constructor(parts: BackgroundParts, spillDir: string) {
    this.#parts = parts;
    this.#spillDir = spillDir;
  }

  get alive(): readonly BackgroundProcess[] {
    return this.list().filter(({ end }) => end === null);
  }

  /** In the order in which they were started. */
  list(): readonly BackgroundProcess[] {
    return [...this.#known.values()];
  }

  find(id: string): BackgroundProcess | null {
    return this.#known.get(id) ?? null;
  }

  /** Where the output of a process is, also of one from an earlier run of the session. */
  outputFile(id: string): string {
    return join(this.#spillDir, `process-${id.replace(/[^\w-]/g, '_')}.txt`);
  }

  /** Returns as soon as it runs. */
  async start(command: string, run: ToolRun): Promise<ToolOutcome> {
    if (this.#isClosed) return failed('the session is ending; nothing more is started.');
    const { alive } = this;
    if (alive.length >= MAX_ALIVE) return failed(tooMany(alive));
    const id = this.#nextId();
    const file = this.outputFile(id);
    const started = new BackgroundProcess(this.#parts, id, command, run, file);
    this.#known.set(id, started);
    const problem = await started.begun();
    if (problem !== null) {
      this.#known.delete(id);
      return failed(`the command could not be started (${problem}).`);
    }
    this.#forgetOldest();
    await Promise.race([started.ended, sleep(SETTLE_MS, undefined, { ref: false })]);
    return describe(started, run.maxBytes);
  }

  /** Ends all of them, and lets no other begin. */
  async stopAll(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.alive.map((process) => process.stop()));
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

function describe({ id, pid, end, output }: BackgroundProcess, maxBytes: number): ToolOutcome {
  if (end === null) {
    const how = `process_output id=${id} shows what it prints`;
    return done(`Started ${id} (pid ${pid}). ${how}; it ends with the session.`);
  }
  const said = cutText(output.end.trim(), Math.floor(maxBytes / 2), '…');
  return done([`${id} ${endText(end)} at once.`, said].filter((part) => part !== '').join('\n'));
}

function tooMany(alive: readonly BackgroundProcess[]): string {
  const names = alive.map(({ id, shownCommand }) => `${id} (${shownCommand})`).join(', ');
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
