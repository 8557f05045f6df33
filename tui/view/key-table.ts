/**
 * Which key does what, said once: the dashboard reacts by this table, and the help view and the hints at the
 * bottom are made from it.
 */
export type ViewCommand =
  | 'pause'
  | 'pause-now'
  | 'message'
  | 'next-panel'
  | 'previous-panel'
  | 'line-up'
  | 'line-down'
  | 'page-up'
  | 'page-down'
  | 'first'
  | 'last'
  | 'zoom'
  | 'expand'
  | 'search'
  | 'next-match'
  | 'previous-match'
  | 'help'
  | 'close'
  | 'interrupt'
  | 'leave'
  | 'stop'
  | 'question'
  | 'resume-session'
  | 'suspend'
  | 'redraw';

interface Binding {
  readonly keys: readonly string[];
  /** As people call the keys. */
  readonly shown: string;
  readonly command: ViewCommand;
  readonly help: string;
  /** A word for the bottom line; only the keys that everybody needs have one. */
  readonly hint?: string;
  /** Works on after the session has ended, where every other key closes the dashboard. */
  readonly looksOnly?: boolean;
}

const looksOnly = true;

export const BINDINGS: readonly Binding[] = [
  {
    keys: ['p'],
    shown: 'p',
    command: 'pause',
    help: 'pause at the next safe point; resume',
    hint: 'pause',
  },
  { keys: ['P'], shown: 'P', command: 'pause-now', help: 'pause now: abort the running request' },
  { keys: ['i'], shown: 'i', command: 'message', help: 'say something to the agent', hint: 'say' },
  {
    keys: ['C-c'],
    shown: 'Ctrl+C',
    command: 'interrupt',
    help: 'interrupt the turn; twice: see below',
  },
  { keys: ['o'], shown: 'o', command: 'question', help: 'open a question that was put aside' },
  { keys: ['Q'], shown: 'Q', command: 'stop', help: 'stop the session (asks)' },
  { keys: ['q'], shown: 'q', command: 'leave', help: 'leave; the session goes on', hint: 'leave' },
  { keys: ['R'], shown: 'R', command: 'resume-session', help: 'resume after the session was lost' },
  { keys: ['tab'], shown: 'Tab', command: 'next-panel', help: 'next panel', looksOnly },
  {
    keys: ['S-tab'],
    shown: 'Shift+Tab',
    command: 'previous-panel',
    help: 'previous panel',
    looksOnly,
  },
  { keys: ['up', 'k'], shown: 'Up k', command: 'line-up', help: 'one line up', looksOnly },
  { keys: ['down', 'j'], shown: 'Down j', command: 'line-down', help: 'one line down', looksOnly },
  { keys: ['pageup'], shown: 'PgUp', command: 'page-up', help: 'one page up', looksOnly },
  { keys: ['pagedown'], shown: 'PgDn', command: 'page-down', help: 'one page down', looksOnly },
  { keys: ['home', 'g'], shown: 'Home g', command: 'first', help: 'the beginning', looksOnly },
  {
    keys: ['end', 'G'],
    shown: 'End G',
    command: 'last',
    help: 'the end; the log follows it',
    looksOnly,
  },
  { keys: ['z'], shown: 'z', command: 'zoom', help: 'one panel without borders; back', looksOnly },
  {
    keys: ['e', 'enter'],
    shown: 'Enter e',
    command: 'expand',
    help: 'show a long entry whole; shorten it',
  },
  { keys: ['/'], shown: '/', command: 'search', help: 'search in the log', looksOnly },
  { keys: ['n'], shown: 'n', command: 'next-match', help: 'next match', looksOnly },
  { keys: ['N'], shown: 'N', command: 'previous-match', help: 'previous match', looksOnly },
  {
    keys: ['escape'],
    shown: 'Esc',
    command: 'close',
    help: 'close the topmost thing; twice: interrupt',
  },
  {
    keys: ['C-z'],
    shown: 'Ctrl+Z',
    command: 'suspend',
    help: 'suspend the dashboard (fg returns)',
  },
  { keys: ['C-l'], shown: 'Ctrl+L', command: 'redraw', help: 'draw everything anew', looksOnly },
  { keys: ['?'], shown: '?', command: 'help', help: 'this help', hint: 'help', looksOnly },
];

/** Keys of the message line, which takes every other key as text. */
export const MESSAGE_KEYS = {
  send: { keys: ['enter'], shown: 'Enter', help: 'send: read before the next request' },
  queue: {
    keys: ['M-enter', 'C-q'],
    shown: 'Alt+Enter',
    help: 'queue for after this turn (Ctrl+Q too)',
  },
  close: { keys: ['escape'], shown: 'Esc', help: 'close the line; the text is kept' },
  clear: { keys: ['C-c'], shown: 'Ctrl+C', help: 'clear the line' },
} as const;

const BY_KEY: ReadonlyMap<string, Binding> = new Map(
  BINDINGS.flatMap((binding) => binding.keys.map((key) => [key, binding] as const)),
);

export const bindingOf = (key: string): Binding | undefined => BY_KEY.get(key);
