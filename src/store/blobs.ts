/**
 * Bodies too large for a row, one file each, named by the SHA-256 of its text. A file is on disk before
 * the row that names it, and is checked against its name whenever it is read.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeFileAtomic } from './atomic-file.js';

/** Above this SQLite reads and writes long chains of pages, and a file is cheaper. */
const MAX_ROW_BODY_BYTES = 256 * 1024;

const REFERENCE_START = '{"$blob":';

interface BlobReference {
  readonly $blob: string;
  readonly bytes: number;
}

/** What stands in the row: the text itself, or a reference to the file that now holds it. */
export function storeBody(dir: string, text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_ROW_BODY_BYTES) return text;
  const name = hash('sha256', text);
  const folder = join(dir, 'blobs');
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dir);
  writeFileAtomic(join(folder, name), text);
  return JSON.stringify({ $blob: name, bytes } satisfies BlobReference);
}

/** Null: the body stands in the row itself. No body of ours starts with the key that marks a reference. */
export function blobFileOf(dir: string, stored: string): string | null {
  if (!stored.startsWith(REFERENCE_START)) return null;
  const reference = JSON.parse(stored) as BlobReference;
  return join(dir, 'blobs', reference.$blob);
}

/** Null: the file does not hold what its name says. Throws when it cannot be read. */
export function readBlob(file: string, name: string): string | null {
  const bytes = readFileSync(file);
  return hash('sha256', bytes) === name ? bytes.toString('utf8') : null;
}
