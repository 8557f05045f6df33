/**
 * The person's own notes on one workspace, part of every first prompt there. Agents cannot write them: tools
 * are kept out of ouro's own folder. Never more than the limits, and what was left out is said in the text.
 */
import { dirname } from 'node:path';
import { readPlain } from './instruction-file.js';

/** Notes beyond this crowd out the work: an index of what matters fits. */
const MAX_LINES = 200;
const MAX_BYTES = 25 * 1024;

/** Empty: there are no notes. */
export function readMemory(file: string): string {
  const text = readPlain(file, dirname(file), MAX_BYTES)?.trim() ?? '';
  const lines = text.split('\n');
  const cut = withinBytes(lines.slice(0, MAX_LINES));
  if (cut.length === lines.length && cut.join('\n') === text) return text;
  const limit = `${MAX_LINES} lines or ${MAX_BYTES / 1024} KB`;
  return [...cut, `[the rest is left out: more than ${limit}]`].join('\n');
}

/** Whole lines, but of a first line that is too long its beginning. */
function withinBytes(lines: readonly string[]): readonly string[] {
  let room = MAX_BYTES;
  const end = lines.findIndex((line) => (room -= Buffer.byteLength(line) + 1) < 0);
  if (end < 0) return lines;
  return end > 0 ? lines.slice(0, end) : [(lines[0] ?? '').slice(0, MAX_BYTES)];
}
