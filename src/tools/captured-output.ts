/** Where a command's output is kept while it runs, and what is left of it when the process has died. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { CallId } from '../../messages/ids.js';
import type { Redact } from './redaction.js';

/** The end of the output says the most about how far a command had come. */
const SHOWN_BYTES = 8 * 1024;

/** Nothing in an id of ours needs replacing; a journal that was tampered with must not name other files. */
export const spillFile = (spillDir: string, callId: CallId): string =>
  join(spillDir, `${callId.replace(/[^\w-]/g, '_')}.txt`);

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
