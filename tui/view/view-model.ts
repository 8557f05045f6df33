/**
 * Everything the dashboard's picture is made of, the events that change it, and the effects a change can ask
 * for. The screen is a function of `ViewState`; nothing in it is a clock, a stream or a terminal.
 */
import type { ActionRequest, ActionResult } from '../../messages/actions.js';
import type { AgentDelta, AgentPhase } from '../../messages/agents.js';
import type { AgentId, Millis } from '../../messages/ids.js';
import type { Question } from '../../messages/questions.js';
import type { RunResult } from '../../messages/result.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { EMPTY_LINE, type LineEditor } from './line-editor.js';
import { NO_LIVE_TEXT, type LiveText } from './live-text.js';
import { EMPTY_LOG, type LogBuffer } from './log-buffer.js';
import type { LogPosition } from './log-window.js';
import type { Size } from '../picture.js';
import type { Input } from '../terminal/key-input.js';

export const PANELS = ['log', 'agents', 'discoveries', 'progress'] as const;
export type PanelName = (typeof PANELS)[number];

/** Why the connection is over. */
export type LinkEnd =
  | { readonly kind: 'bye'; readonly result: RunResult | null }
  | { readonly kind: 'lost'; readonly reason: string };

export type DashboardMode = 'run' | 'attach';

export interface Notice {
  readonly text: string;
  readonly tone: 'plain' | 'warning';
  readonly until: Millis;
}

/** Where a phase has lasted since, as far as this dashboard has seen. */
export interface PhaseAge {
  readonly phase: AgentPhase;
  readonly round: number;
  readonly since: Millis;
}

export interface Search {
  readonly query: string;
  /** The entry found; null: none holds the words. */
  readonly at: number | null;
}

/** The question in front, and how far the person is with it. */
export interface OpenModal {
  readonly question: Question;
  readonly openedAt: Millis;
  /** The choice the cursor is on. */
  readonly choice: number;
  /** Text being written instead of a choice; null: choosing. */
  readonly draft: LineEditor | null;
}

export interface ViewState {
  readonly mode: DashboardMode;
  readonly size: Size;
  /** Time of the newest event; what counts down is drawn by it. */
  readonly now: Millis;
  readonly snapshot: Snapshot | null;
  readonly log: LogBuffer;
  readonly live: LiveText;
  readonly phases: ReadonlyMap<AgentId, PhaseAge>;

  readonly focus: PanelName;
  readonly zoomed: boolean;
  readonly helpOpen: boolean;
  /** Null: the log follows its end. `newest`: the last entry there was when it stopped to. */
  readonly logPosition: (LogPosition & { readonly newest: number }) | null;
  /** First visible line of what scrolls by lines. */
  readonly offsets: Readonly<Record<Exclude<PanelName, 'log'> | 'help', number>>;
  readonly expanded: ReadonlySet<number>;

  /** What is being typed to the agent; kept while the line is closed. */
  readonly draft: LineEditor;
  readonly typing: 'message' | 'search' | null;
  readonly searchDraft: LineEditor;
  readonly search: Search | null;
  readonly confirmingStop: boolean;
  /** The question in front of everything else. */
  readonly modal: OpenModal | null;
  /** Questions to be answered later, by id. */
  readonly putAside: ReadonlySet<string>;

  readonly notice: Notice | null;
  /** Until when a second Ctrl+C or Esc counts. */
  readonly interruptArmedUntil: Millis;
  readonly escapeArmedUntil: Millis;
  /** When Esc closed the message line: an Enter right after it was Alt+Enter in two parts. */
  readonly escapedAt: Millis;
  readonly end: (LinkEnd & { readonly at: Millis }) | null;
}

export type ViewEvent =
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly type: 'delta'; readonly delta: AgentDelta }
  | { readonly type: 'lagged'; readonly dropped: number }
  | Input
  | { readonly type: 'resize'; readonly size: Size }
  | { readonly type: 'tick' }
  | { readonly type: 'acted'; readonly action: ActionRequest; readonly result: ActionResult }
  | { readonly type: 'ended'; readonly end: LinkEnd };

/** How the dashboard was left. */
export type DashboardEnd =
  /** The session goes on without us. */
  | { readonly kind: 'left' }
  /** The session is over. */
  | { readonly kind: 'ended'; readonly result: RunResult | null }
  /** Ctrl+C twice in `run`: the session was told to stop. */
  | { readonly kind: 'stopped-by-user' }
  /** The session's process is gone; it can be resumed from its journal. */
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'resume-wanted' }
  /** This process was asked to end (SIGTERM); the session goes on. */
  | { readonly kind: 'terminated' };

export type Effect =
  | { readonly type: 'act'; readonly action: ActionRequest }
  | { readonly type: 'end'; readonly end: DashboardEnd }
  /** Ends once the session has heard that it is to stop. */
  | { readonly type: 'stop-and-end' }
  | { readonly type: 'suspend' }
  /** Draws every cell anew, for when something else wrote on the terminal. */
  | { readonly type: 'redraw' };

export type Step = readonly [ViewState, readonly Effect[]];

const NEVER: Millis = 0;
const NOTICE_MS = 5_000;

export function initialView(mode: DashboardMode, size: Size, now: Millis): ViewState {
  return {
    mode,
    size,
    now,
    snapshot: null,
    log: EMPTY_LOG,
    live: NO_LIVE_TEXT,
    phases: new Map(),
    focus: 'log',
    zoomed: false,
    helpOpen: false,
    logPosition: null,
    offsets: { agents: 0, discoveries: 0, progress: 0, help: 0 },
    expanded: new Set(),
    draft: EMPTY_LINE,
    typing: null,
    searchDraft: EMPTY_LINE,
    search: null,
    confirmingStop: false,
    modal: null,
    putAside: new Set(),
    notice: null,
    interruptArmedUntil: NEVER,
    escapeArmedUntil: NEVER,
    escapedAt: NEVER,
    end: null,
  };
}

export function withNotice(
  state: ViewState,
  text: string,
  tone: Notice['tone'] = 'plain',
  ms = NOTICE_MS,
): ViewState {
  return { ...state, notice: { text, tone, until: state.now + ms } };
}
