/**
 * The life of one session, from the first row to the last: starts the main agent, waits for the first
 * reason to end, and shuts everything down. Ends exactly once, with a result, whatever comes first.
 */
import type { AgentSetup } from '../../actors/agent-steps.js';
import type { Journal, Time } from '../../actors/ports.js';
import { Oneshot } from '../../messages/channels/oneshot.js';
import type { RootCommand } from '../../messages/coordinator.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import { sessionFact } from '../../messages/journal.js';
import type { RunResult } from '../../messages/result.js';
import { stateAfter, type QuitReason, type SessionSpec } from '../../messages/session.js';
import type { Clock } from './actor-pump.js';
import { denialAdvice } from './denial-advice.js';
import {
  endingOfCycle,
  endingOfQuit,
  TIME_REASON,
  type Ending,
  type JudgedEnding,
} from './ending.js';
import type { Mesh } from './mesh.js';
import { runResult } from './run-result.js';
import { shutDown } from './shutdown.js';
import { isAtWork, WorkClock } from './work-clock.js';

/** Whether the session goes on after its process: at once in another one, perhaps, or not. */
export type Leaving = 'restart' | 'crashed' | 'over';

export interface LifeParts {
  readonly mesh: Mesh;
  readonly time: Time;
  /** Timers of the life itself; left out: the system's. */
  readonly clock?: Clock;
  /** `unwritten`: rows that were appended and are lost. */
  readonly journal: Journal & { close(): Promise<void>; readonly unwritten?: number };
  readonly main: Omit<AgentSetup, 'agent'>;
  /** Sub-agents of an earlier run of the process go on; left out: there are none. */
  reviveOthers?(): void;
  readonly maxTimeMs: number | null;
  readonly tolerateDenials: boolean;
  /** Calls when the machine has slept; returns how to stop. Left out: it never sleeps. */
  watchForWake?(woke: (sleptMs: number) => void): () => void;
  /** Files that calls have changed, commands included; left out: those that tools for files wrote. */
  changed?(): readonly string[];
  /** Before the main agent starts; the signal aborts when the session is to end. */
  readonly prologue?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Asks the model server whether it answers, because a person wants to know. */
  probe?(action: string): void;
  /** The rules of the session, to name the one that denied a call. */
  readonly permissions?: SessionSpec['permissions'];
  /** What becomes of an end where the answer has to fit a schema. */
  readonly judgeOutput?: (ending: Ending) => JudgedEnding;
  /** A person raised limits, or changed what else it runs under. */
  readonly raised?: (spec: SessionSpec) => void;
  /** Called instead of ending when the limit of time is reached. */
  readonly onTimeLimit?: (reason: string) => void;
  /** Sums up the journal ahead of its last row; left out: nothing does. */
  checkpoint?(): Promise<void>;
  /** Nobody waits any more for what keeps the session from going on. */
  readonly unblock?: () => Promise<void>;
  killProcesses(why: Leaving): Promise<void>;
  /** The result is final: it is kept, and printed, before the clients are told and anything is cleaned up. */
  announce(result: RunResult): Promise<void>;
  sayBye(result: RunResult): Promise<void>;
  release(): Promise<void>;
}

export class SessionLife {
  readonly #parts: LifeParts;
  readonly #ending = new Oneshot<JudgedEnding>();
  readonly #clock: WorkClock;
  readonly #watching = new AbortController();
  #goesOn = false;

  constructor(parts: LifeParts) {
    this.#parts = parts;
    this.#clock = new WorkClock(
      parts.time,
      parts.maxTimeMs,
      () => {
        if (parts.onTimeLimit === undefined) this.quit('time_limit');
        else parts.onTimeLimit(TIME_REASON);
      },
      parts.clock,
    );
  }

  /** Runs to the end. */
  async run(): Promise<RunResult> {
    const { mesh, main, time } = this.#parts;
    const startedAt = time.now();
    const unwatch = this.#parts.watchForWake?.((ms) => this.#slept(ms));
    void this.#countWork();
    await this.#begin();
    if (!this.#ending.settled) {
      this.#parts.reviveOthers?.();
      mesh.agents.start({ ...main, agent: MAIN_AGENT });
    }
    const ending = await this.#ending.answer;
    this.#watching.abort();
    unwatch?.();
    this.#clock.stop();
    return this.#finish(ending, () => time.now() - startedAt);
  }

  async #begin(): Promise<void> {
    const { prologue } = this.#parts;
    if (prologue === undefined) return;
    const stop = new AbortController();
    void this.#ending.answer.then(() => stop.abort());
    await prologue(stop.signal);
  }

  /** Asks the session to end; the first reason counts. */
  quit(reason: QuitReason, detail?: string): void {
    const text = this.#parts.main.conversation.lastText;
    if (!this.#ending.settle(endingOfQuit(reason, text, detail))) return;
    void this.#parts.mesh.tell({ type: 'quit', reason, at: this.#parts.time.now() });
  }

  /** A bug, or a journal that cannot be written: nothing goes on after that. */
  fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.quit('internal_error', message);
  }

  /** The machine slept; nothing that was timed has counted on. */
  #slept(sleptMs: number): void {
    this.#clock.forget(sleptMs);
    const { mesh, time } = this.#parts;
    void mesh.tell({ type: 'session.woke', sleptMs, at: time.now() });
  }

  onRoot(command: RootCommand): void {
    switch (command.type) {
      case 'root.ended':
        this.#endWith(
          endingOfCycle(command.fact.end, this.#parts.tolerateDenials, (tools) =>
            denialAdvice(
              tools,
              this.#parts.main.conversation.tally.denials,
              this.#parts.permissions,
            ),
          ),
        );
        return;
      case 'root.raised':
      case 'root.changed':
        this.#clock.setLimit(command.spec.limits.maxTimeMs);
        this.#parts.raised?.(command.spec);
        return;
      case 'root.quit':
        // Its own quit comes back here too, and says nothing of it.
        this.#goesOn ||= command.restart === true;
        this.quit(command.reason);
        return;
      case 'root.probe':
        this.#parts.probe?.(command.action);
    }
  }

  /** A limit of cost keeps what was answered until then. */
  #endWith(ending: Ending): void {
    const { main, judgeOutput } = this.#parts;
    const kept =
      ending.status === 'budget_limit' ? { ...ending, text: main.conversation.lastText } : ending;
    this.#ending.settle(judgeOutput?.(kept) ?? kept);
  }

  #leaving(status: Ending['status']): Leaving {
    if (status === 'internal_error') return 'crashed';
    return this.#goesOn ? 'restart' : 'over';
  }

  async #countWork(): Promise<void> {
    for await (const snapshot of this.#parts.mesh.snapshots.changes(this.#watching.signal)) {
      this.#clock.set(isAtWork(snapshot));
    }
  }

  async #finish(ending: JudgedEnding, elapsed: () => number): Promise<RunResult> {
    const { mesh, journal, main, clock } = this.#parts;
    const { tally } = main.conversation;
    const { status, reason, text } = ending;
    let result: RunResult | null = null;
    const current = (): RunResult =>
      (result ??= runResult({
        ending: { ...ending, reason: reason + lostRows(journal.unwritten) },
        durationMs: elapsed(),
        snapshot: mesh.snapshots.current,
        tally,
        written: [...mesh.agents.written, ...(this.#parts.changed?.() ?? [])],
      }));
    await shutDown(
      {
        mesh,
        unblock: () => this.#parts.unblock?.() ?? Promise.resolve(),
        killProcesses: () => this.#parts.killProcesses(this.#leaving(status)),
        settle: async () => {
          await journal.append([]).catch(ignored);
        },
        sealJournal: async () => {
          await this.#parts.checkpoint?.();
          journal.append([sessionFact('session.ended', { status, text, reason })]).catch(ignored);
          await journal.close();
          await this.#parts.announce(current());
        },
        sayBye: () => this.#parts.sayBye(current()),
        release: () => this.#parts.release(),
      },
      { state: stateAfter(status), reason, text },
      clock,
    );
    return current();
  }
}

const lostRows = (rows = 0): string =>
  rows === 0
    ? ''
    : `. The disk took no more: the newest ${rows} rows are not in the journal, and what they say is forgotten`;

/** A journal that cannot be written has said so already; the session then ends as interrupted. */
const ignored = (): undefined => undefined;
