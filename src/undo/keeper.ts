/**
 * Keeps what a session changes in its workspace. A change that was found while a call or a background process
 * ran counts as theirs; one that was found when none did is somebody else's, and is not put on record, so that
 * undoing meets it as a conflict. What cannot be kept is said: in the journal, and once in a result.
 */
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeKeeper, ChangingCall, Journal } from '../../actors/ports.js';
import {
  sameState,
  type FileChange,
  type FileState,
  type NotCovered,
} from '../../messages/changes.js';
import type { AgentId, CallId } from '../../messages/ids.js';
import { factOf } from '../../messages/journal.js';
import type { LedgerJob, LedgerReply } from './ledger-job.js';
import { LedgerThread } from './ledger-thread.js';
import type { LedgerSettings } from './ledger.js';
import { othersOwn } from './walk.js';

export interface KeeperParts extends LedgerSettings {
  readonly journal: Journal;
  /**
   * Repeats what the disk had no room for until it has, or the signal aborts; left out: it is not repeated,
   * and what could not be kept is said to be uncovered.
   */
  readonly waitForRoom?: (
    reason: string,
    attempt: () => Promise<boolean>,
    signal: AbortSignal,
  ) => Promise<void>;
  /** The command is proven to change nothing. */
  readonly isReadOnly: (command: string, cwd: string) => boolean;
  /** Left out: a thread of its own. */
  readonly thread?: LedgerPort;
  /** Resolves after so long, or when `signal` aborts; left out: by the system's timers. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Where the ledger works. */
export type LedgerPort = Pick<LedgerThread, 'ask' | 'end' | 'isIdle'>;

/** Whose doing a change is. */
export interface Doer {
  readonly callId: CallId;
  readonly agent: AgentId;
  readonly round: number;
}

/** A part of the seconds that a session has for its end. What was cancelled is over long before. */
const DRAIN_MS = 1_000;

type Kept = Extract<LedgerReply, { ok: true }>;

const systemWait = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

const NOTHING_KEPT = (): Promise<null> => Promise.resolve(null);

export class SessionKeeper implements ChangeKeeper {
  readonly #parts: KeeperParts;
  readonly #thread: LedgerPort;
  /** Calls and background processes that may be changing files right now. */
  readonly #atWork = new Set<Doer>();
  readonly #processes = new Map<string, Doer>();
  readonly #net = new Map<string, Pick<FileChange, 'before' | 'after'>>();
  readonly #outside = new Set<string>();
  readonly #closing = new AbortController();
  /** Looks whose findings are not on disk: what the next start needs to find them again has to stay. */
  #unwritten = 0;
  #written: Promise<unknown> = Promise.resolve();
  #onOver: () => void = () => undefined;

  constructor(parts: KeeperParts) {
    const { workspace, dir, ouroHome, maxFileBytes, maxSessionBytes, maxFiles } = parts;
    this.#parts = parts;
    const settings = { workspace, dir, ouroHome, maxFileBytes, maxSessionBytes, maxFiles };
    this.#thread = parts.thread ?? new LedgerThread(settings);
  }

  /** Files that are not as they were when this run of the process began; absolute when outside. */
  get changed(): readonly string[] {
    const inside = [...this.#net].filter(
      ([, { before, after }]) => !sameState(before, after) && (isThing(before) || isThing(after)),
    );
    return [...inside.map(([path]) => path), ...this.#outside];
  }

  async before(call: ChangingCall): Promise<() => Promise<string | null>> {
    const { command, cwd, path } = call;
    if (this.#closing.signal.aborted) return NOTHING_KEPT;
    if (command !== null && this.#parts.isReadOnly(command, cwd)) return NOTHING_KEPT;
    const place = path === null ? null : relative(this.#parts.workspace, path);
    const reason = place === null ? null : reasonAgainst(place);
    if (path !== null && place !== null && reason !== null) {
      return () => this.#leaveOut(call, isOutside(place) ? path : place, reason);
    }
    const isRecorded = this.#unwritten === 0;
    const isNobodys = isRecorded && this.#atWork.size === 0;
    const job: LedgerJob = { do: 'before', path: place, isRecorded, isNobodys };
    const found = await this.#ask(job, call.signal);
    if (call.signal?.aborted === true) {
      this.#recordOthers(found.changes);
      return NOTHING_KEPT;
    }
    const [other] = this.#atWork;
    this.#record(other ?? call, other === undefined ? { ...found, changes: [] } : found);
    this.#atWork.add(call);
    return async () => {
      if (!this.#atWork.has(call)) return null;
      const after = await this.#ask({ do: 'after', touched: found.touched }, call.signal);
      this.#record(call, after);
      this.#isOver(call);
      const all = [...found.notCovered, ...after.notCovered].find((each) => each.place === '.');
      return all === undefined ? null : `undo: this workspace is not covered: ${all.reason}`;
    };
  }

  /** Of a call that was told to end before it began, nothing is to be kept; of others at work all is. */
  #recordOthers(changes: readonly FileChange[]): void {
    const [other] = this.#atWork;
    if (other === undefined) this.#unwritten -= 1;
    else this.#record(other, { changes, notCovered: [] });
  }

  /** A program goes on after its call: until it ends, changes may be its own. */
  processStarted(id: string, doer: Doer): void {
    this.#processes.set(id, doer);
    this.#atWork.add(doer);
  }

  async processEnded(id: string): Promise<void> {
    const doer = this.#processes.get(id);
    if (doer === undefined) return;
    this.#processes.delete(id);
    const found = await this.#ask({ do: 'after', touched: null });
    this.#record(doer, found);
    this.#isOver(doer);
  }

  /** What a crash left behind; `known`: the state each path was left in, as far as it is on record. */
  async recover(doer: Doer, known: readonly (readonly [string, FileState])[]): Promise<void> {
    const job: LedgerJob = { do: 'recover', known };
    this.#unwritten += 1;
    const reply = await this.#thread.ask(job);
    const recorded = this.#kept(reply, job).then((found) => this.#record(doer, found));
    // The session has to be there before it can be held for want of room.
    if (!reply.ok) return;
    await recorded;
    // What is repaired next is numbered after it; a disk that takes no more is no reason to wait for ever.
    await this.#within(this.#written);
  }

  /** Waits for what is under way; what does not end in time is recorded as it is then. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#within(this.#drained());
    const [doer] = this.#atWork;
    if (doer !== undefined) this.#record(doer, await this.#ask({ do: 'after', touched: null }));
    this.#atWork.clear();
    await this.#within(this.#written);
    if (!this.#thread.isIdle && this.#unwritten === 0) await this.#thread.ask({ do: 'close' });
    await this.#thread.end();
  }

  async #within(work: Promise<unknown>): Promise<void> {
    const giveUp = new AbortController();
    const late = (this.#parts.wait ?? systemWait)(DRAIN_MS, giveUp.signal);
    await Promise.race([late, work]);
    giveUp.abort();
  }

  async #drained(): Promise<void> {
    // What goes on without this process is recorded as it is now; who adopts it, finds the rest.
    for (const id of this.#processes.keys()) void this.processEnded(id);
    while (this.#atWork.size > 0) await new Promise<void>((resolve) => (this.#onOver = resolve));
  }

  #isOver(doer: Doer): void {
    this.#atWork.delete(doer);
    this.#onOver();
  }

  /** What is found is to be recorded. `signal`: of a call that is told to end, and then needs nothing kept. */
  async #ask(job: LedgerJob, signal?: AbortSignal): Promise<Kept> {
    this.#unwritten += 1;
    return this.#kept(await this.#thread.ask(job), job, signal);
  }

  /** Once there is room for it; what cannot be kept for other reasons is said to be uncovered. */
  async #kept(first: LedgerReply, job: LedgerJob, signal?: AbortSignal): Promise<Kept> {
    let reply = first;
    if (!reply.ok && reply.noRoom === true) {
      const stop = AbortSignal.any([
        this.#closing.signal,
        ...(signal === undefined ? [] : [signal]),
      ]);
      const again = async (): Promise<boolean> => {
        if (!stop.aborted) reply = await this.#thread.ask(laterOn(job));
        return reply.ok || reply.noRoom !== true;
      };
      await this.#parts.waitForRoom?.(reply.reason, again, stop);
    }
    if (reply.ok) return reply;
    const reason = `what it holds could not be kept: ${reply.reason}`;
    return { ok: true, changes: [], notCovered: [{ place: '.', reason }], touched: null };
  }

  #leaveOut(call: Doer, place: string, reason: string): Promise<null> {
    if (!this.#outside.has(place)) {
      this.#unwritten += 1;
      this.#record(call, { changes: [], notCovered: [{ place, reason }] });
    }
    this.#outside.add(place);
    return Promise.resolve(null);
  }

  /** Nobody waits for it: the outcome of the call is appended behind it. */
  #record(
    { callId, agent, round }: Doer,
    { changes, notCovered }: { changes: readonly FileChange[]; notCovered: readonly NotCovered[] },
  ): void {
    if (changes.length === 0 && notCovered.length === 0) {
      this.#unwritten -= 1;
      return;
    }
    for (const { path, before, after } of changes) {
      this.#net.set(path, { before: this.#net.get(path)?.before ?? before, after });
    }
    const body = { callId, changes, ...(notCovered.length > 0 ? { notCovered } : {}) };
    // A journal that cannot write says so to whoever waits for the outcome.
    const row = factOf('files.changed', agent, round, body);
    this.#written = this.#parts.journal.append([row]).then(
      () => (this.#unwritten -= 1),
      () => undefined,
    );
  }
}

/** What was on record when it was first asked may be behind what others have found since. */
const laterOn = (job: LedgerJob): LedgerJob =>
  job.do === 'before' ? { ...job, isRecorded: false, isNobodys: false } : job;

const isThing = ({ kind }: FileState): boolean => kind === 'file' || kind === 'link';

const isOutside = (place: string): boolean => place === '..' || /^(\.\.)?\//.test(place);

const reasonAgainst = (place: string): string | null =>
  isOutside(place) ? 'outside the workspace' : othersOwn(place);
