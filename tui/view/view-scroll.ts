/** What scrolling, searching and expanding do to the view. Pure: positions in, positions out. */
import type { LogEntry } from '../../messages/snapshot.js';
import { layoutOf, placeOf, type Placed } from './layout.js';
import { linesOf, searchText } from './log-text.js';
import { newestNumber } from './log-buffer.js';
import { foldTarget, scrolled, type LogPosition } from './log-window.js';
import { innerSize, type Line, type Size } from '../picture.js';
import { agentsPanel } from '../panels/agents-panel.js';
import { discoveriesPanel } from '../panels/discoveries-panel.js';
import { helpPanel } from '../panels/help-panel.js';
import { logView } from '../panels/log-panel.js';
import { progressPanel } from '../panels/progress-panel.js';
import { lastOffset } from '../panels/scrolled.js';
import { withNotice, type PanelName, type ViewState } from './view-model.js';

type Scroll = { readonly by: 'line' | 'page'; readonly sign: 1 | -1 } | 'first' | 'last';

/** A match is shown with some lines above it. */
const LINES_ABOVE_MATCH = 3;
const ONE_ROW: Size = { width: 1, height: 1 };

type ByLines = Exclude<PanelName, 'log'> | 'help';

/** All lines of what scrolls by lines, however few are visible. */
export function panelLines(state: ViewState, name: ByLines, size: Size): readonly Line[] {
  switch (name) {
    case 'agents':
      return agentsPanel(state, size);
    case 'discoveries':
      return discoveriesPanel(state, size);
    case 'progress':
      return progressPanel(state, size);
    case 'help':
      return helpPanel(state.mode, size);
  }
}

const amount = (scroll: Scroll, rows: number): number => {
  if (scroll === 'first') return -Infinity;
  if (scroll === 'last') return Infinity;
  return scroll.sign * (scroll.by === 'line' ? 1 : Math.max(1, rows - 1));
};

function scrollByLines(state: ViewState, name: ByLines, size: Size, scroll: Scroll): ViewState {
  const most = lastOffset(panelLines(state, name, size).length, size.height);
  const to = Math.min(state.offsets[name], most) + amount(scroll, size.height);
  const offset = Math.max(0, Math.min(most, to));
  return { ...state, offsets: { ...state.offsets, [name]: offset } };
}

const logSize = (state: ViewState): Size => {
  const place: Placed | null = placeOf(layoutOf(state), 'log');
  return place?.inner ?? ONE_ROW;
};

/** `newest` stays what it was when the log stopped following. */
function at(state: ViewState, position: LogPosition | null): ViewState {
  if (position === null)
    return state.logPosition === null ? state : { ...state, logPosition: null };
  const newest = state.logPosition?.newest ?? newestNumber(state.log);
  return { ...state, logPosition: { n: position.n, line: position.line, newest } };
}

function scrollLog(state: ViewState, scroll: Scroll): ViewState {
  if (scroll === 'last') return at(state, null);
  const view = logView(state, logSize(state));
  if (scroll === 'first') return at(state, scrolled(view, { n: 0, line: 0 }, 0));
  return at(state, scrolled(view, state.logPosition, amount(scroll, view.rows)));
}

export function scrollFocused(state: ViewState, scroll: Scroll): ViewState {
  const layout = layoutOf(state);
  if (state.helpOpen) {
    return scrollByLines(state, 'help', innerSize(layout.help, layout.helpFramed), scroll);
  }
  if (state.focus === 'log') return scrollLog(state, scroll);
  const size = placeOf(layout, state.focus)?.inner ?? ONE_ROW;
  return scrollByLines(state, state.focus, size, scroll);
}

/** Expands or shortens the long entry in sight; an expanded one is shown from its beginning. */
export function toggleExpanded(state: ViewState): ViewState {
  const view = logView(state, logSize(state));
  const target = foldTarget(view, state.logPosition);
  if (target === null) return withNotice(state, 'No long entry is in sight.');
  const expanded = new Set(state.expanded);
  if (!expanded.delete(target.n)) expanded.add(target.n);
  const next = { ...state, expanded };
  if (!expanded.has(target.n)) {
    return at(next, scrolled({ ...view, expanded }, state.logPosition, 0));
  }
  return at(next, scrolled({ ...view, expanded }, { n: target.n, line: 0 }, 0));
}

function showMatch(state: ViewState, entry: LogEntry, query: string, found: string): ViewState {
  const size = logSize(state);
  const whole = linesOf(entry, { width: size.width, expanded: new Set([entry.n]) });
  const holds = (row: Line): boolean =>
    row
      .map(({ text }) => text)
      .join('')
      .toLowerCase()
      .includes(query.toLowerCase());
  const row = Math.max(0, whole.lines.findIndex(holds));
  const short = linesOf(entry, { width: size.width, expanded: state.expanded });
  // A match in the part that is not shown: show it.
  const hiddenFrom = short.hidden > 0 && !short.expanded ? short.lines.length - 1 : Infinity;
  const expanded = row >= hiddenFrom ? new Set(state.expanded).add(entry.n) : state.expanded;
  const next = { ...state, expanded, search: { query, at: entry.n } };
  const top = scrolled(logView(next, size), { n: entry.n, line: row }, -LINES_ABOVE_MATCH);
  return withNotice(at(next, top), found);
}

/** Starts at the newest match; `step` goes down (1) or up (-1) from the present one, around the end. */
export function search(state: ViewState, query: string, step: 1 | -1 | null): ViewState {
  const wanted = query.toLowerCase();
  const matches = state.log.entries.filter((entry) => searchText(entry).includes(wanted));
  const count = matches.length;
  const present = matches.findIndex((entry) => entry.n === state.search?.at);
  const last = count - 1;
  const next = step === null || present === -1 ? last : (present + step + count) % count;
  const entry = matches[next];
  if (entry === undefined) {
    return withNotice({ ...state, search: null }, `Not found: ${query}`, 'warning');
  }
  return showMatch(
    { ...state, focus: 'log' },
    entry,
    query,
    `match ${next + 1} of ${count}: ${query}`,
  );
}
