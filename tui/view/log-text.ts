/**
 * Log entries as styled lines of a given width. Long entries show their beginning until they are expanded.
 * The lines of an entry are computed once per width, so that a frame costs what is visible, not what is kept.
 */
import { MAIN_AGENT, type AgentId } from '../../messages/ids.js';
import type { LogEntry, LogKind } from '../../messages/snapshot.js';
import { clockTime } from './amounts.js';
import type { LiveText } from './live-text.js';
import { GREY, span, type Line, type Span, type Style } from '../picture.js';
import { displayWidth, sanitise, sanitiseLine, wrap } from '../text/sanitise.js';

/** Lines of a long entry before it is expanded. An answer is what the person reads: never cut. */
const SHOWN_LINES: Readonly<Record<LogKind, number>> = {
  text: Infinity,
  user: 8,
  notice: 8,
  error: 8,
  tool: 3,
  result: 4,
  reasoning: 3,
};
/** A sub-agent's streaming text must not push away the main agent's. */
const LIVE_LINES = 3;
/** Narrower than this, the time of day is left out. */
const TIME_FROM_WIDTH = 44;
/** What a line needs at least beside its prefix. */
const NARROWEST_TEXT = 8;
/** Live text has numbers above every real entry's, so that it sorts below the newest. */
export const FIRST_LIVE_NUMBER = Number.MAX_SAFE_INTEGER - 1_000;

interface EntryLines {
  readonly lines: readonly Line[];
  /** Lines that are not shown; more than 0: it can be expanded. */
  readonly hidden: number;
  readonly expanded: boolean;
}

export interface LogStyle {
  readonly width: number;
  readonly expanded: ReadonlySet<number>;
}

function markOf(entry: LogEntry): Span {
  switch (entry.kind) {
    case 'text':
      return span('● ', { fg: 'blue' });
    case 'reasoning':
      return span('~ ', GREY);
    case 'tool':
      return span('> ', { fg: 'cyan' });
    case 'result':
      return entry.status === 'ok' || entry.status === undefined
        ? span('✓ ', { fg: 'green' })
        : span('✗ ', { fg: 'red' });
    case 'user':
      return span('» ', { fg: 'magenta', bold: true });
    case 'notice':
      return span('- ', { fg: 'yellow' });
    case 'error':
      return span('! ', { fg: 'red', bold: true });
  }
}

function styleOf(entry: LogEntry): Style {
  switch (entry.kind) {
    case 'text':
      return {};
    case 'user':
      return { bold: true };
    case 'notice':
      return { fg: 'yellow' };
    case 'error':
      return { fg: 'red' };
    case 'tool':
      return { fg: 'cyan' };
    case 'reasoning':
    case 'result':
      return GREY;
  }
}

function prefixOf(entry: LogEntry, width: number): Span[] {
  const time = width >= TIME_FROM_WIDTH ? [span(`${clockTime(entry.at)} `, GREY)] : [];
  const agent = entry.agent === MAIN_AGENT ? [] : [span(`${entry.agent} `, { fg: 'magenta' })];
  return [...time, ...agent, markOf(entry)];
}

/** A status other than `ok` is a word, not only a colour. */
function wordsOf(entry: LogEntry): string {
  const failed = entry.status !== undefined && entry.status !== 'ok' ? `${entry.status}: ` : '';
  return failed + sanitise(entry.text).replace(/\n+$/, '');
}

interface Wrapped {
  readonly width: number;
  readonly indent: number;
  readonly lines: readonly Line[];
}

function wrapped(entry: LogEntry, width: number): Wrapped {
  const prefix = prefixOf(entry, width);
  const indent = prefix.reduce((sum, { text }) => sum + displayWidth(text), 0);
  const style = styleOf(entry);
  const texts = wrap(wordsOf(entry), Math.max(NARROWEST_TEXT, width - indent));
  const lines = texts.map((text, index) =>
    index === 0 ? [...prefix, span(text, style)] : [span(' '.repeat(indent)), span(text, style)],
  );
  return { width, indent, lines };
}

const cache = new WeakMap<LogEntry, Wrapped>();

function wrappedOnce(entry: LogEntry, width: number): Wrapped {
  const known = cache.get(entry);
  if (known?.width === width) return known;
  const fresh = wrapped(entry, width);
  cache.set(entry, fresh);
  return fresh;
}

const isLive = (entry: LogEntry): boolean => entry.n >= FIRST_LIVE_NUMBER;

function liveLines(entry: LogEntry, lines: readonly Line[]): EntryLines {
  const short = entry.agent !== MAIN_AGENT || entry.kind === 'reasoning';
  return { lines: short ? lines.slice(-LIVE_LINES) : lines, hidden: 0, expanded: false };
}

export function linesOf(entry: LogEntry, { width, expanded }: LogStyle): EntryLines {
  const { lines, indent } = wrappedOnce(entry, width);
  if (isLive(entry)) return liveLines(entry, lines);
  const limit = SHOWN_LINES[entry.kind];
  // One more line costs no more room than saying that there is one.
  if (lines.length <= limit + 1) return { lines, hidden: 0, expanded: false };
  const hidden = lines.length - limit;
  const fold = (text: string): Line => [span(' '.repeat(indent)), span(text, { fg: 'cyan' })];
  if (expanded.has(entry.n)) return { lines: [...lines, fold('less')], hidden, expanded: true };
  const more = fold(`… ${hidden} more lines`);
  return { lines: [...lines.slice(0, limit), more], hidden, expanded: false };
}

/** The text under way as entries at the end of the log. */
export function liveEntries(live: LiveText): LogEntry[] {
  const agents = [...live.pieces.keys()].sort(mainLast);
  return agents.flatMap((agent, index): LogEntry[] => {
    const piece = live.pieces.get(agent);
    if (piece === undefined) return [];
    const { round, kind, text, since } = piece;
    return [{ n: FIRST_LIVE_NUMBER + index, at: since, agent, round, kind, text }];
  });
}

/** The main agent's text is the last, where the eye is. */
const mainLast = (a: AgentId, b: AgentId): number =>
  Number(a === MAIN_AGENT) - Number(b === MAIN_AGENT) || a.localeCompare(b);

/** What a search looks at. */
export const searchText = (entry: LogEntry): string => sanitiseLine(entry.text).toLowerCase();
