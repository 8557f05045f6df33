/**
 * The world outside of the program, which no crash of it undoes: what its calls have begun and brought to
 * an end there. It also counts requests, since the model's server is out there too.
 */
import type { CallId } from '../../messages/ids.js';
import type { Deed, Happening } from '../happenings.js';
import type { SharedIndex } from './shared-index.js';
import type { Workspace } from './workspace.js';

export class World {
  readonly #note: (what: Happening) => void;
  #requests = 0;
  #keys = 0;
  #outageUntil = 0;
  /** What the model wanted done with each call. */
  readonly keyOf = new Map<CallId, string>();
  /** What all sessions of the person spend. */
  readonly index: SharedIndex;
  /** Null: nothing here changes files. */
  readonly workspace: Workspace | null;

  constructor(note: (what: Happening) => void, index: SharedIndex, workspace: Workspace | null) {
    this.#note = note;
    this.index = index;
    this.workspace = workspace;
  }

  begin(deed: Deed): void {
    this.#note({ type: 'effect.began', ...deed });
  }

  end(deed: Deed): void {
    this.#note({ type: 'effect.ended', ...deed });
  }

  newKey(): string {
    return `thing-${(this.#keys += 1)}`;
  }

  get requests(): number {
    return this.#requests;
  }

  countRequest(): void {
    this.#requests += 1;
  }

  /** The model's server is away until then. */
  breakServer(until: number): void {
    this.#outageUntil = until;
  }

  isServerAway(now: number): boolean {
    return now < this.#outageUntil;
  }
}
