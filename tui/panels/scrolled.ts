/** A part of a list of lines, and a word on how many more there are below. */
import { line, type Line } from '../picture.js';

/** The highest offset at which the last line is still in sight. */
export const lastOffset = (lines: number, rows: number): number => Math.max(0, lines - rows);

export function scrolledLines(
  lines: readonly Line[],
  offset: number,
  rows: number,
): readonly Line[] {
  const from = Math.min(offset, lastOffset(lines.length, rows));
  const below = lines.length - from - rows;
  if (below <= 0 || rows < 2) return lines.slice(from, from + rows);
  const more = line(`… ${below + 1} more`, { fg: 'cyan' });
  return [...lines.slice(from, from + rows - 1), more];
}
