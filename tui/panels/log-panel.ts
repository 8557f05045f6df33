/** The agents' log with the text under way at its end, matches marked, and a word on what is new below. */
import type { LogEntry } from '../../messages/snapshot.js';
import { FIRST_LIVE_NUMBER, liveEntries } from '../view/log-text.js';
import {
  foldTarget,
  indexOf,
  visibleLines,
  type LogView,
  type VisibleLine,
} from '../view/log-window.js';
import { GREY, line, span, type Line, type Size, type Span } from '../picture.js';
import type { ViewState } from '../view/view-model.js';

/** What the window shows; the row that says what is below is not part of it. */
export function logView(state: ViewState, size: Size): LogView {
  return {
    entries: [...state.log.entries, ...liveEntries(state.live)],
    rows: Math.max(0, state.logPosition === null ? size.height : size.height - 1),
    width: size.width,
    expanded: state.expanded,
  };
}

function marked({ text, style }: Span, query: string): Span[] {
  const spans: Span[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  // Lower case of some letters is longer: then the places would not be the same.
  if (lower.length !== text.length) return [{ text, style }];
  for (let at = lower.indexOf(query); at !== -1; at = lower.indexOf(query, from)) {
    spans.push({ text: text.slice(from, at), style });
    spans.push({ text: text.slice(at, at + query.length), style: { ...style, inverse: true } });
    from = at + query.length;
  }
  return [...spans, { text: text.slice(from), style }];
}

function shownLine(
  { line: words, entry, fold }: VisibleLine,
  target: LogEntry | null,
  query: string,
): Line {
  if (fold && entry.n === target?.n) return [...words, span(' [e]', { fg: 'cyan', bold: true })];
  return query === '' ? words : words.flatMap((part) => marked(part, query));
}

function belowLine(state: ViewState, entries: readonly LogEntry[], newest: number): Line {
  const fresh = entries.length - 1 - indexOf(entries, newest);
  const live = (entries.at(-1)?.n ?? 0) >= FIRST_LIVE_NUMBER;
  const count = live ? fresh - state.live.pieces.size : fresh;
  const parts = [
    ...(count > 0 ? [`${count} new below`] : []),
    ...(live ? ['more is being written'] : []),
  ];
  if (parts.length === 0) return line('↓ End follows again', GREY);
  return line(`↓ ${parts.join(', ')} (End)`, { fg: 'yellow', bold: true });
}

export function logPanel(state: ViewState, size: Size): readonly Line[] {
  const view = logView(state, size);
  if (view.entries.length === 0) return [line('nothing yet', GREY)];
  const target = foldTarget(view, state.logPosition);
  const query = (state.search?.query ?? '').toLowerCase();
  const lines = visibleLines(view, state.logPosition).map((row) => shownLine(row, target, query));
  if (state.logPosition === null || size.height < 1) return lines;
  const padding: Line[] = Array.from({ length: Math.max(0, view.rows - lines.length) }, () => []);
  return [...lines, ...padding, belowLine(state, view.entries, state.logPosition.newest)];
}
