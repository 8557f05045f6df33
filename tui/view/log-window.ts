/**
 * Which lines of the log are visible, and what scrolling does. A position is an entry and a line in it, so
 * that it stays where it is while entries arrive, and survives a change of width. Null: the end is followed.
 */
import type { LogEntry } from '../../messages/snapshot.js';
import { linesOf, type LogStyle } from './log-text.js';
import type { Line } from '../picture.js';

export interface LogPosition {
  readonly n: number;
  readonly line: number;
}

export interface LogView extends LogStyle {
  /** Sorted by `n`. */
  readonly entries: readonly LogEntry[];
  readonly rows: number;
}

export interface VisibleLine {
  readonly entry: LogEntry;
  readonly line: Line;
  /** It says that there is more, or less, to show. */
  readonly fold: boolean;
}

/** The first entry with this number or a higher one; the last one when there is none. */
export function indexOf(entries: readonly LogEntry[], n: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.n ?? Infinity) < n) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, Math.min(low, entries.length - 1));
}

const heightOf = (view: LogView, index: number): number => {
  const entry = view.entries[index];
  return entry === undefined ? 0 : linesOf(entry, view).lines.length;
};

interface Spot {
  readonly index: number;
  readonly line: number;
}

/** Where a position is now: its entry may be gone, or shorter than it was. */
function spotOf(view: LogView, position: LogPosition): Spot {
  const index = indexOf(view.entries, position.n);
  const same = view.entries[index]?.n === position.n;
  const line = same ? Math.min(position.line, Math.max(0, heightOf(view, index) - 1)) : 0;
  return { index, line };
}

function up(view: LogView, from: Spot, lines: number): Spot {
  let { index, line } = from;
  let left = lines;
  while (left > line && index > 0) {
    left -= line + 1;
    index -= 1;
    line = heightOf(view, index) - 1;
  }
  return { index, line: Math.max(0, line - left) };
}

function down(view: LogView, from: Spot, lines: number): Spot {
  let { index, line } = from;
  let left = lines;
  while (index < view.entries.length - 1 && line + left >= heightOf(view, index)) {
    left -= heightOf(view, index) - line;
    index += 1;
    line = 0;
  }
  return { index, line: line + left };
}

/** The top of the window that shows the end. */
function lastTop(view: LogView): Spot {
  const index = view.entries.length - 1;
  return up(view, { index, line: heightOf(view, index) - 1 }, Math.max(0, view.rows - 1));
}

const isBefore = (a: Spot, b: Spot): boolean =>
  a.index < b.index || (a.index === b.index && a.line < b.line);

/** Never so far down that rows would stay empty: lines may have gone since the position was taken. */
function topOf(view: LogView, position: LogPosition | null): Spot {
  const end = lastTop(view);
  const spot = position === null ? end : spotOf(view, position);
  return isBefore(spot, end) ? spot : end;
}

/** The position so many lines further down (negative: up). Null when that reaches the end. */
export function scrolled(
  view: LogView,
  from: LogPosition | null,
  lines: number,
): LogPosition | null {
  if (view.entries.length === 0) return null;
  const end = lastTop(view);
  const start = from === null ? end : spotOf(view, from);
  const to = lines < 0 ? up(view, start, -lines) : down(view, start, lines);
  if (!isBefore(to, end)) return null;
  return { n: view.entries[to.index]?.n ?? 0, line: to.line };
}

/** The visible lines from the top; fewer than the rows when the log is shorter. */
export function visibleLines(view: LogView, position: LogPosition | null): VisibleLine[] {
  if (view.entries.length === 0 || view.rows <= 0) return [];
  const top = topOf(view, position);
  const visible: VisibleLine[] = [];
  let skip = top.line;
  for (
    let index = top.index;
    index < view.entries.length && visible.length < view.rows;
    index += 1
  ) {
    const entry = view.entries[index];
    if (entry === undefined) break;
    const { lines, hidden } = linesOf(entry, view);
    const last = lines.length - 1;
    const shown = lines.map((line, at) => ({ entry, line, fold: hidden > 0 && at === last }));
    visible.push(...shown.slice(skip));
    skip = 0;
  }
  return visible.slice(0, view.rows);
}

/** The long entry that the expand key acts on: the newest one in sight at the end, else the first. */
export function foldTarget(view: LogView, position: LogPosition | null): LogEntry | null {
  const long = visibleLines(view, position)
    .map(({ entry }) => entry)
    .filter((entry) => linesOf(entry, view).hidden > 0);
  return (position === null ? long.at(-1) : long[0]) ?? null;
}
