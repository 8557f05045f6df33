/**
 * Where output is kept that is too long for a model, a command's from its first byte on, and what is left of
 * it when the process has died.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallId } from '../../messages/ids.js';
import type { Redact } from './redaction.js';

/** The end of the output says the most about how far a command had come. */
const SHOWN_BYTES = 8 * 1024;

/** Nothing in an id of ours needs replacing; a journal that was tampered with must not name other files. */
export const spillFile = (spillDir: string, callId: CallId): string =>
  join(spillDir, `${callId.replace(/[^\w-]/g, '_')}.txt`);

/** Tells a model how to see all of it. */
export const wholeText = (callId: CallId): string => `[all of it: read_output id=${callId}]`;

/** Tells a model that there is no more to be seen than this. */
export const NOT_KEPT = '[the rest could not be kept: no space left on the disk]';

/** Where the disk does not take it, it says so: the result is worth having all the same. */
export async function keepText(spillDir: string, callId: CallId, text: string): Promise<string> {
  const file = spillFile(spillDir, callId);
  try {
    await mkdir(spillDir, { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
    return wholeText(callId);
  } catch {
    await rm(file, { force: true }).catch(() => undefined);
    return NOT_KEPT;
  }
}

/** The end of what a call had printed until the crash; empty when nothing is known. */
export function capturedOutput(spillDir: string, callId: CallId, redact: Redact): string {
  let file: number;
  try {
    file = openSync(spillFile(spillDir, callId), 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, SHOWN_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString('utf8');
    // The first line may be half a line, and hold half a secret that nothing would recognise.
    return redact(bytes.length < size ? text.slice(text.indexOf('\n') + 1) : text);
  } finally {
    closeSync(file);
  }
}
