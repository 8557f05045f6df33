/** The layout of one event on one line: when, who, a mark for what kind of thing it is, and what. */
import type { AgentId, Millis } from '../messages/ids.js';
import { withoutGuide } from '../messages/tool-guides.js';
import { clock, plural, stamp } from './text/amounts.js';
import { paint, type Tone } from './text/colour.js';
import { cutWidth, fitWidth, sanitiseLine } from './text/sanitise.js';

export type Mark =
  | 'said'
  | 'reasoning'
  | 'call'
  | 'ok'
  | 'failed'
  | 'person'
  | 'notice'
  | 'hold'
  | 'discovery'
  | 'error';

const MARKS: Readonly<Record<Mark, readonly [string, Tone]>> = {
  said: ['•', 'plain'],
  reasoning: ['~', 'dim'],
  call: ['▸', 'accent'],
  ok: ['✓', 'good'],
  failed: ['✗', 'warn'],
  person: ['›', 'bold'],
  notice: ['·', 'dim'],
  hold: ['‖', 'warn'],
  discovery: ['◆', 'accent'],
  error: ['!', 'bad'],
};

export interface LineEvent {
  readonly at: Millis;
  readonly agent: AgentId;
  readonly mark: Mark;
  /** Foreign text must be sanitised already: as one line, or revealed. */
  readonly text: string;
}

export interface LineLayout {
  /** Cells of the terminal; without it lines are cut at `LINE_LIMIT`. */
  readonly width?: number;
  readonly colour?: boolean;
  /** Also the day, for a record that covers more than one. */
  readonly date?: boolean;
}

/** Long enough for any sentence and most commands; a whole file in one log line helps nobody. */
const LINE_LIMIT = 500;
/** `main`, and `sub-1` to `sub-99`. */
const AGENT_CELLS = 6;
/** Sanitising costs per character, and no more than `LINE_LIMIT` cells are shown. */
const READ_LIMIT = 8 * LINE_LIMIT;

/** Foreign text on one line; line ends are shown as `⏎`. */
export const oneLine = (text: string): string => sanitiseLine(text.slice(0, READ_LIMIT));

/** The first line that says something, and how many follow. */
export function gist(text: string): string {
  const lines = withoutGuide(text).trim().split('\n');
  const more = lines.length - 1;
  const first = oneLine(lines[0] ?? '');
  return more > 0 ? `${cutWidth(first, LINE_LIMIT / 2)} (+${plural(more, 'line')})` : first;
}

export function eventLine(event: LineEvent, layout: LineLayout = {}): string {
  const { width = LINE_LIMIT, colour = false, date = false } = layout;
  const time = (date ? stamp : clock)(event.at);
  const agent = fitWidth(sanitiseLine(event.agent), AGENT_CELLS);
  const [glyph, tone] = MARKS[event.mark];
  const room = width - `${time} ${agent} ${glyph} `.length;
  // Where not even time and agent fit, the line is cut as a whole, and colour codes cannot be cut.
  if (room < 0) return cutWidth(`${time} ${agent} ${glyph}`, width);
  const text = cutWidth(event.text, room);
  return `${paint(time, 'dim', colour)} ${agent} ${paint(`${glyph} ${text}`.trimEnd(), tone, colour)}`;
}
