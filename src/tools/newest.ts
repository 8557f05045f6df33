/** The newest of many files, without keeping the many. */
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';

export class Newest {
  readonly #folder: string;
  readonly #count: number;
  #entries: { path: string; at: number }[] = [];

  /** Paths are given and returned as they are, absolute or relative to `folder`. */
  constructor(folder: string, count: number) {
    this.#folder = folder;
    this.#count = count;
  }

  add(path: string): void {
    this.#entries.push({ path, at: modifiedAt(resolve(this.#folder, path)) });
    if (this.#entries.length >= this.#count * 4) this.#prune();
  }

  /** Newest first; those of the same age by name. */
  take(): string[] {
    this.#prune();
    return this.#entries.map(({ path }) => path);
  }

  #prune(): void {
    this.#entries.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
    this.#entries.length = Math.min(this.#entries.length, this.#count);
  }
}

/** Asked at once and without waiting: a promise for each of many files costs ten times as much. */
function modifiedAt(path: string): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
