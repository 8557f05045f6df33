/**
 * What files held, by the SHA-256 of it, in files of 0600. What belongs to a change is kept for as long as the
 * session is; the rest is only there in case that a command changes it, and is dropped when the session ends.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FileState } from '../../messages/changes.js';
import { needingRoom } from './no-room.js';

export class ContentStore {
  readonly #kept: string;
  readonly #spare: string;
  readonly #maxBytes: number;
  #bytes: number;

  constructor(dir: string, maxBytes: number) {
    this.#kept = join(dir, 'content');
    this.#spare = join(dir, 'spare');
    this.#maxBytes = maxBytes;
    for (const folder of [this.#kept, this.#spare]) {
      needingRoom(() => mkdirSync(folder, { recursive: true, mode: 0o700 }));
    }
    this.#bytes = bytesIn(this.#kept) + bytesIn(this.#spare);
  }

  /**
   * Null: it would be more than is kept. `isForced`: it is on the disk when this returns. Throws `NoRoom`, and
   * leaves nothing behind, when the disk does not take it.
   */
  put(content: Buffer, isForced: boolean): string | null {
    const hash = hashOf(content);
    if (this.#has(hash, content.length)) return hash;
    if (this.#bytes + content.length > this.#maxBytes) return null;
    needingRoom(() => write(join(this.#spare, hash), content, isForced));
    this.#bytes += content.length;
    return hash;
  }

  hasRoom(): boolean {
    return this.#bytes < this.#maxBytes;
  }

  /** For as long as the session is there. */
  keep(state: FileState): void {
    if (state.kind !== 'file' || state.hash === null) return;
    const [from, to] = [join(this.#spare, state.hash), join(this.#kept, state.hash)];
    if (!existsSync(to)) renameSync(from, to);
  }

  dropSpare(): void {
    rmSync(this.#spare, { recursive: true, force: true });
  }

  #has(hash: string, size: number): boolean {
    return [this.#kept, this.#spare].some(
      (folder) => statSync(join(folder, hash), { throwIfNoEntry: false })?.size === size,
    );
  }
}

function write(file: string, content: Buffer, isForced: boolean): void {
  const fd = openSync(file, 'w', 0o600);
  try {
    for (let at = 0; at < content.length;) at += writeSync(fd, content, at);
    if (isForced) fsyncSync(fd);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Null: it is not there, or not what it was. */
export function readContent(dir: string, hash: string): Buffer | null {
  try {
    const content = readFileSync(join(dir, 'content', hash));
    return hashOf(content) === hash ? content : null;
  } catch {
    return null;
  }
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
