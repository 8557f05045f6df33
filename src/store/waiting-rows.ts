/**
 * What was appended to a journal and is not acknowledged yet, in order: rows that wait to be written, and rows
 * that are written and nobody is told of, because nothing is to follow from them while the disk is full.
 */
import type { Seq } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import type { StoredRow } from './stored-row.js';

/**
 * Rows that wait are in memory alone. All agents together come nowhere near this: each waits for its next
 * intent. At the limit the journal has failed for good, as one that cannot be waited for.
 */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** What the reserve is for: that the session is held, what a person does meanwhile, and how it ends. */
const VITAL: readonly JournalFact['kind'][] = [
  'user.action',
  'hold.set',
  'hold.lifted',
  'session.ended',
];

export type Draft = Omit<StoredRow, 'seq' | 'hash'>;

/** One call of `append`, waiting for its commit. */
interface Batch {
  readonly drafts: readonly Draft[];
  readonly standing: Standing;
  readonly resolve: (first: Seq) => void;
  readonly reject: (error: Error) => void;
}

/**
 * `action`: a person waits for it, who is told at once that it could not be written. `vital`: acknowledged as
 * soon as it is written. `usual`: acknowledged when the disk takes what is written again.
 */
type Standing = 'action' | 'vital' | 'usual';

export function standingOf(facts: readonly JournalFact[]): Standing {
  if (facts.length === 0) return 'usual';
  if (facts.every(({ kind }) => kind === 'user.action')) return 'action';
  return facts.every(({ kind }) => VITAL.includes(kind)) ? 'vital' : 'usual';
}

export class WaitingRows {
  #unwritten: Batch[] = [];
  #untold: (() => void)[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#unwritten.length === 0;
  }

  /** More than is kept in memory. */
  get isTooMuch(): boolean {
    return this.#bytes > MAX_WAITING_BYTES;
  }

  get drafts(): readonly Draft[] {
    return this.#unwritten.flatMap(({ drafts }) => drafts);
  }

  add(batch: Batch): void {
    this.#unwritten.push(batch);
    this.#bytes += bytesOf(batch);
  }

  /** All of them, from `first` on. `isHeld`: only those are told who cannot wait. */
  written(first: Seq, isHeld: boolean): void {
    let seq = first;
    for (const { drafts, standing, resolve } of this.#clear()) {
      const at = seq;
      seq += drafts.length;
      if (isHeld && standing === 'usual') this.#untold.push(() => resolve(at));
      else resolve(at);
    }
  }

  tellAll(): void {
    const untold = this.#untold;
    this.#untold = [];
    for (const tell of untold) tell();
  }

  /** Nobody will find them later: they are taken back, and who asked for them is told. */
  refuseActions(error: Error): void {
    for (const batch of this.#clear()) {
      if (batch.standing === 'action') batch.reject(error);
      else this.add(batch);
    }
  }

  /** Returns how many rows are lost. */
  rejectAll(error: Error): number {
    const lost = this.#clear();
    for (const { reject } of lost) reject(error);
    return lost.reduce((sum, { drafts }) => sum + drafts.length, 0);
  }

  #clear(): readonly Batch[] {
    const all = this.#unwritten;
    this.#unwritten = [];
    this.#bytes = 0;
    return all;
  }
}

const bytesOf = ({ drafts }: Batch): number =>
  drafts.reduce((sum, { body }) => sum + body.length, 0);
