/** What an imported session keeps of what it was made from: in its own folder, for its own exports. */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from './line-reader.js';
import { isJson } from './refused.js';
import { keptMain, keptSide } from './transcript.js';

export const keptIn = (sessionFolder: string): string => join(sessionFolder, 'imported');

const LF = Buffer.from('\n');

/** The main transcript is there, as it was when it was kept. */
export function isAsKept(folder: string, sha256: string): boolean {
  const file = keptMain(folder);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
  const sum = createHash('sha256');
  for (const { bytes } of linesOf(file)) sum.update(bytes).update(LF);
  return sum.digest('hex') === sha256;
}

export interface KeptLine {
  /** The file of a sub-agent; null: the main one. */
  readonly side: string | null;
  readonly bytes: Buffer;
}

/** `session`: what the lines shall call their session; null: what they do. */
export function* keptLines(folder: string, session: string | null): Generator<KeptLine> {
  yield* linesIn(keptMain(folder), null, session);
  const side = keptSide(folder);
  if (statSync(side, { throwIfNoEntry: false }) === undefined) return;
  for (const name of readdirSync(side).sort()) yield* linesIn(join(side, name), name, session);
}

function* linesIn(file: string, side: string | null, session: string | null): Generator<KeptLine> {
  for (const { bytes } of linesOf(file)) {
    yield { side, bytes: session === null ? bytes : renamed(bytes, session) };
  }
}

function renamed(bytes: Buffer, session: string): Buffer {
  let line: unknown;
  try {
    line = JSON.parse(bytes.toString('utf8'));
  } catch {
    return bytes;
  }
  if (!isJson(line)) return bytes;
  const names = ['sessionId', 'session_id'].filter((name) => typeof line[name] === 'string');
  if (names.length === 0) return bytes;
  const changes = Object.fromEntries(names.map((name) => [name, session]));
  return Buffer.from(JSON.stringify({ ...line, ...changes }));
}
