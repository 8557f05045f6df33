/**
 * Results of reads and searches, so that the same call again costs nothing. A result is given out only
 * while nothing it depends on has changed: the file or folder is asked each time, and a folder's result is
 * forgotten as soon as anything inside of it may be written.
 */
import { statSync } from 'node:fs';
import type { AgentId } from '../../messages/ids.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { isInside } from './paths.js';

/** Enough for what an agent comes back to; at most a few megabytes. */
const MAX_ENTRIES = 100;

/** What was read longer ago is read anew, whatever the file system says. */
const MAX_AGE_ROUNDS = 10;

/** Some file systems keep whole seconds only, so two changes close together can look like one. */
const RECENT_MS = 2_000;

/** Nobody says when a person changes a file somewhere inside of a folder. */
const MAX_FOLDER_AGE_MS = 60_000;

export interface CacheStatistics {
  readonly hits: number;
  readonly misses: number;
}

export interface CacheableCall {
  readonly tool: string;
  readonly args: unknown;
  /** Real path of the file or folder that the call is about. */
  readonly real: string;
  readonly cwd: string;
  readonly agent: AgentId;
  readonly round: number;
}

/** `keep` takes the result of a call that had to be run. */
export type Recalled =
  | { readonly found: true; readonly outcome: ToolOutcome }
  | { readonly found: false; keep(outcome: ToolOutcome): void };

interface Entry {
  readonly real: string;
  readonly stamp: string;
  /** In rounds, and in milliseconds. */
  readonly round: number;
  readonly at: number;
  readonly outcome: Extract<ToolOutcome, { status: 'ok' }>;
}

/** A path, or null: it could be any. */
type Scope = string | null;

export class ResultCache {
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #changing = new Set<{ readonly scope: Scope }>();
  readonly #isQuiet: () => boolean;
  readonly #rounds = new RoundCount();
  /** Counts changes, so that a search that ran beside one is not kept. */
  #changes = 0;
  #hits = 0;
  #misses = 0;

  /** `isQuiet`: no process of ours runs that could write a file unseen. */
  constructor(isQuiet: () => boolean) {
    this.#isQuiet = isQuiet;
  }

  get statistics(): CacheStatistics {
    return { hits: this.#hits, misses: this.#misses };
  }

  clear(): void {
    this.#changes += 1;
    this.#entries.clear();
  }

  /** A change begins; it is over when the returned function is called. */
  changing(scope: Scope): () => void {
    const change = { scope };
    this.#changing.add(change);
    this.#forget(scope);
    return () => {
      this.#changing.delete(change);
      this.#forget(scope);
    };
  }

  recall(call: CacheableCall): Recalled {
    const round = this.#rounds.count(call.agent, call.round);
    const key = [call.tool, call.cwd, call.real, JSON.stringify(call.args)].join('\0');
    const stamp = stampOf(call.real);
    const isSure = stamp !== null && (stamp.isFile || this.#isStill(call.real));
    const entry = this.#entries.get(key);
    if (isSure && entry !== undefined && isFresh(entry, stamp, round)) {
      this.#hits += 1;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      return { found: true, outcome: { ...entry.outcome, cached: true } };
    }
    this.#misses += 1;
    this.#entries.delete(key);
    if (!isSure) return { found: false, keep: () => undefined };
    const changesBefore = this.#changes;
    const at = Date.now();
    const keep = (outcome: ToolOutcome): void => {
      if (outcome.status !== 'ok' || (!stamp.isFile && changesBefore !== this.#changes)) return;
      this.#store(key, { real: call.real, stamp: stamp.text, round, at, outcome });
    };
    return { found: false, keep };
  }

  #store(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    if (this.#entries.size <= MAX_ENTRIES) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Nothing is being written inside of the folder. */
  #isStill(folder: string): boolean {
    if (!this.#isQuiet()) return false;
    return ![...this.#changing].some(({ scope }) => scope === null || isInside(folder, scope));
  }

  #forget(scope: Scope): void {
    this.#changes += 1;
    for (const [key, { real }] of this.#entries) {
      if (scope === null || isInside(real, scope)) this.#entries.delete(key);
    }
  }
}

/** Rounds of all agents together, as far as they are seen here. */
class RoundCount {
  readonly #seen = new Map<AgentId, number>();
  #total = 0;

  count(agent: AgentId, round: number): number {
    const before = this.#seen.get(agent) ?? round;
    this.#total += Math.max(0, round - before);
    this.#seen.set(agent, Math.max(before, round));
    return this.#total;
  }
}

interface Stamp {
  readonly text: string;
  readonly isFile: boolean;
}

function isFresh(entry: Entry, stamp: Stamp, round: number): boolean {
  if (entry.stamp !== stamp.text || round - entry.round > MAX_AGE_ROUNDS) return false;
  return stamp.isFile || Date.now() - entry.at < MAX_FOLDER_AGE_MS;
}

/** Null: gone, or changed so recently that a further change might not show. */
function stampOf(real: string): Stamp | null {
  try {
    const stat = statSync(real, { bigint: true, throwIfNoEntry: false });
    // The times of files are the machine's own, so they are compared with its clock.
    if (stat === undefined || Date.now() - Number(stat.mtimeMs) < RECENT_MS) return null;
    const text = [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join('/');
    return { text, isFile: stat.isFile() };
  } catch {
    return null;
  }
}
