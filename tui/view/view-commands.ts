/** What each command of the key table does to the view, and what it asks of the session. */
import type { ActionRequest } from '../../messages/actions.js';
import type { HoldKind } from '../../messages/pause.js';
import type { ViewCommand } from './key-table.js';
import { neighbour } from './layout.js';
import { EMPTY_LINE } from './line-editor.js';
import { reopenQuestions } from './question-view.js';
import { withNotice, type Effect, type Step, type ViewState } from './view-model.js';
import { scrollFocused, search, toggleExpanded } from './view-scroll.js';

/** Within this time a second Ctrl+C or Esc means more than the first. */
const TWICE_MS = 2_000;

const only = (state: ViewState): Step => [state, []];
const ending = (state: ViewState, effect: Effect): Step => [state, [effect]];

/** Asks the session, unless it is gone. */
function acting(state: ViewState, action: ActionRequest): Step {
  if (state.end === null) return [state, [{ type: 'act', action }]];
  const how = state.end.kind === 'lost' ? 'R resumes it' : 'it has ended';
  return only(withNotice(state, `The session cannot hear this: ${how}.`, 'warning'));
}

/** Holds that lift themselves: whoever presses the key wants the session to stay where it is even so. */
const PASSING: readonly HoldKind[] = ['endpoint', 'rate-limit', 'disk'];

function togglePause(state: ViewState): Step {
  const held = (state.snapshot?.holds ?? []).some(
    ({ scope, kind }) => scope === 'session' && !PASSING.includes(kind),
  );
  return acting(state, held ? { do: 'resume' } : { do: 'pause', now: false, until: null });
}

function interrupt(state: ViewState): Step {
  if (state.end !== null) return leave(state);
  if (state.now < state.interruptArmedUntil) {
    const end: Effect =
      state.mode === 'run' ? { type: 'stop-and-end' } : { type: 'end', end: { kind: 'left' } };
    return ending(state, end);
  }
  const then = state.mode === 'run' ? 'stops the session' : 'leaves';
  const armed = { ...state, interruptArmedUntil: state.now + TWICE_MS };
  const text = `Interrupting the turn. Ctrl+C again within 2 s ${then}.`;
  return acting(withNotice(armed, text, 'warning', TWICE_MS), { do: 'interrupt' });
}

/** The topmost open thing, or null when there is none. */
function closeTopmost(state: ViewState): ViewState | null {
  if (state.helpOpen) return { ...state, helpOpen: false };
  if (state.zoomed) return { ...state, zoomed: false };
  if (state.search !== null) return { ...state, search: null, notice: null };
  return null;
}

function close(state: ViewState): Step {
  const closed = closeTopmost(state);
  if (closed !== null) return only(closed);
  if (state.end !== null) return only(state);
  if (state.now < state.escapeArmedUntil) {
    const text = 'Interrupting the turn.';
    const disarmed = { ...state, escapeArmedUntil: 0 };
    return acting(withNotice(disarmed, text, 'warning', TWICE_MS), { do: 'interrupt' });
  }
  const armed = { ...state, escapeArmedUntil: state.now + TWICE_MS };
  return only(withNotice(armed, 'Esc again interrupts the turn.', 'plain', TWICE_MS));
}

function leave(state: ViewState): Step {
  const { end } = state;
  if (end === null) return ending(state, { type: 'end', end: { kind: 'left' } });
  if (end.kind === 'bye') {
    return ending(state, { type: 'end', end: { kind: 'ended', result: end.result } });
  }
  return ending(state, { type: 'end', end: { kind: 'lost', reason: end.reason } });
}

function resumeSession(state: ViewState): Step {
  if (state.end?.kind === 'lost') {
    return ending(state, { type: 'end', end: { kind: 'resume-wanted' } });
  }
  return only(withNotice(state, 'The session is there; R is for when it was lost.'));
}

function again(state: ViewState, step: 1 | -1): Step {
  if (state.search === null)
    return only(withNotice(state, 'Nothing was searched for: / searches.'));
  return only(search(state, state.search.query, step));
}

function startTyping(state: ViewState): Step {
  return state.end === null
    ? only({ ...state, typing: 'message', helpOpen: false, notice: null })
    : acting(state, { do: 'resume' });
}

function openQuestion(state: ViewState): Step {
  const reopened = reopenQuestions(state);
  return only(reopened.modal === null ? withNotice(state, 'No question is open.') : reopened);
}

type Reaction = (state: ViewState) => Step;

const line =
  (sign: 1 | -1): Reaction =>
  (s) =>
    only(scrollFocused(s, { by: 'line', sign }));
const page =
  (sign: 1 | -1): Reaction =>
  (s) =>
    only(scrollFocused(s, { by: 'page', sign }));
const panel =
  (by: 1 | -1): Reaction =>
  (s) =>
    only({ ...s, focus: neighbour(s.focus, by), helpOpen: false });

const REACTIONS: Readonly<Record<ViewCommand, Reaction>> = {
  pause: togglePause,
  'pause-now': (s) => acting(s, { do: 'pause', now: true, until: null }),
  message: startTyping,
  'next-panel': panel(1),
  'previous-panel': panel(-1),
  'line-up': line(-1),
  'line-down': line(1),
  'page-up': page(-1),
  'page-down': page(1),
  first: (s) => only(scrollFocused(s, 'first')),
  last: (s) => only(scrollFocused(s, 'last')),
  zoom: (s) => only({ ...s, zoomed: !s.zoomed, helpOpen: false }),
  expand: (s) => only(s.focus === 'log' && !s.helpOpen ? toggleExpanded(s) : s),
  search: (s) =>
    only({ ...s, typing: 'search', searchDraft: EMPTY_LINE, helpOpen: false, notice: null }),
  'next-match': (s) => again(s, 1),
  'previous-match': (s) => again(s, -1),
  help: (s) => only({ ...s, helpOpen: !s.helpOpen, offsets: { ...s.offsets, help: 0 } }),
  close,
  interrupt,
  leave,
  stop: (s) => (s.end === null ? only({ ...s, confirmingStop: true }) : leave(s)),
  question: openQuestion,
  'resume-session': resumeSession,
  suspend: (s) => ending(s, { type: 'suspend' }),
  redraw: (s) => ending(s, { type: 'redraw' }),
};

export const perform = (state: ViewState, command: ViewCommand): Step => REACTIONS[command](state);
