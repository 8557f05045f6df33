/** Keeps out of a search what rules close to reading, and says so: a search shows what is in a file too. */
import { countText } from './shown.js';

/** Whether the rules let a file be read, by its path in the workspace. */
export type MayRead = (path: string) => boolean;

/** For one search. Each file is asked about once. */
export class ClosedFiles {
  readonly #mayRead: MayRead | null;
  readonly #known = new Map<string, boolean>();
  #left = 0;

  /** Null: no rule closes any file. */
  constructor(mayRead: MayRead | null) {
    this.#mayRead = mayRead;
  }

  has(path: string): boolean {
    if (this.#mayRead === null) return false;
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const isClosed = !this.#mayRead(path);
    this.#known.set(path, isClosed);
    if (isClosed) this.#left += 1;
    return isClosed;
  }

  /** What stands below the results; '': nothing was left out. */
  get notice(): string {
    if (this.#left === 0) return '';
    return `\n[matches in ${countText(this.#left, 'file')} that a rule closes are not shown]`;
  }
}
