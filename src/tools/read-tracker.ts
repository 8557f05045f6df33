/**
 * Remembers which content of which file the agents have seen, by hash of the real path's bytes, so that
 * nothing is changed that was not read and nothing is overwritten that someone else has changed since.
 */
import { createHash } from 'node:crypto';
import { failed } from './outcomes.js';
import { shown } from './shown.js';
import type { ToolOutcome } from '../../messages/tools.js';

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

export class ReadTracker {
  readonly #hashes = new Map<string, string>();

  /** Its content with this hash was shown to an agent or written by one. */
  saw(real: string, hash: string): void {
    this.#hashes.set(real, hash);
  }

  /** Why a file with this content must not be changed; null: it may. */
  objection(
    real: string,
    given: string,
    bytes: Uint8Array,
    verb: 'editing' | 'overwriting',
  ): ToolOutcome | null {
    const seen = this.#hashes.get(real);
    if (seen === undefined) {
      return failed(`You must read this file before ${verb} it. Use read_file first.`);
    }
    if (seen === hashOf(bytes)) return null;
    return failed(
      `'${shown(given)}' has changed on disk since it was read. ` +
        `Use read_file to see what it holds now before ${verb} it.`,
    );
  }
}
