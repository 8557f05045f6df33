/** Which rows of a journal `ouro logs` shows, and in what form. */
import { parseClock, parseDuration } from '../../config/duration.js';
import type { Millis } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { rowLine } from '../../tui/log-line.js';
import { jsonLine } from '../../tui/text/json.js';
import { wantsColour, widthOf } from './verb-context.js';
import type { VerbContext } from './verb-context.js';
import { JSON_VERSION, usage } from './verb-output.js';
import type { VerbFailure } from './verb-output.js';

export interface LogSelection {
  /** As typed: the last so many of what is shown; left out: all. */
  readonly lines?: string | undefined;
  /** A duration back from now, or a time. */
  readonly since?: string | undefined;
  readonly agent?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Null: the row is not shown. */
export type RowText = (row: JournalRow) => string | null;

const DAY_MS = 86_400_000;

/** For messages about what was expected. */
export const TIME_FORM = 'a duration such as 10m, or a time such as 08:00 or 2030-01-31T08:00';

export interface LogWish {
  readonly text: RowText;
  /** Infinity: all. */
  readonly last: number;
}

/** What to print, or what is wrong with what was asked. */
export function readSelection(
  { lines, since, agent, json = false }: LogSelection,
  context: VerbContext,
): LogWish | VerbFailure {
  if (lines !== undefined && !/^\d{1,9}$/.test(lines)) {
    return usage(`-n ${lines}: expected a number of lines, such as 100`);
  }
  const from = since === undefined ? 0 : startOf(since, context.now());
  if (from === null) {
    return usage(`--since ${since ?? ''}: expected ${TIME_FORM}`);
  }
  const form = json ? asJson : asLine(context);
  const shown = (row: JournalRow): boolean =>
    row.ts >= from && (agent === undefined || row.agent === agent);
  return {
    text: (row) => (shown(row) ? form(row) : null),
    last: lines === undefined ? Infinity : Number(lines),
  };
}

const asJson = (row: JournalRow): string => jsonLine({ v: JSON_VERSION, ...row });

function asLine(context: VerbContext): RowText {
  const width = widthOf(context);
  const colour = wantsColour(context);
  const layout = width === Infinity ? { colour } : { colour, width };
  return (row) => rowLine(row, layout);
}

/** A time of day is the last one there was. Null: it is neither a duration nor a time that has been. */
export function startOf(since: string, now: Millis): Millis | null {
  const ms = parseDuration(since);
  if (ms !== null) return now - ms;
  const isTimeOfDay = /^\d{1,2}:/.test(since.trim());
  const at = parseClock(since, isTimeOfDay ? now - DAY_MS : 0);
  return at !== null && at <= now ? at : null;
}
