/**
 * How the view changes: one event in, the next state and the effects it asks for out. No clock and no I/O:
 * its test is a table.
 */
import type { ActionRequest, ActionResult } from '../../messages/actions.js';
import type { AgentId, Millis } from '../../messages/ids.js';
import type { AgentView, Snapshot } from '../../messages/snapshot.js';
import { editorWith } from './line-editor.js';
import { afterSnapshot, withDelta, withoutPieces } from './live-text.js';
import { newestNumber, withNew } from './log-buffer.js';
import { withQuestion } from './question-view.js';
import { onKey, onPaste } from './view-keys.js';
import {
  withNotice,
  type LinkEnd,
  type PhaseAge,
  type Step,
  type ViewEvent,
  type ViewState,
} from './view-model.js';

function phaseAges(state: ViewState, agents: readonly AgentView[]): ReadonlyMap<AgentId, PhaseAge> {
  return new Map(
    agents.map(({ id, phase, round }) => {
      const seen = state.phases.get(id);
      const same = seen?.phase === phase && seen.round === round;
      return [id, same ? seen : { phase, round, since: state.now }];
    }),
  );
}

function onSnapshot(state: ViewState, snapshot: Snapshot): ViewState {
  if (snapshot.version === state.snapshot?.version) return state;
  const before = newestNumber(state.log);
  const added = snapshot.log.filter(({ n }) => n > before);
  return withQuestion({
    ...state,
    snapshot,
    log: withNew(state.log, snapshot.log),
    live: afterSnapshot(state.live, added, snapshot.agents),
    phases: phaseAges(state, snapshot.agents),
  });
}

/** A question that was not answered after all is open again. */
function reconsidered(state: ViewState, action: ActionRequest): ViewState {
  if (!('question' in action)) return state;
  const putAside = new Set(state.putAside);
  putAside.delete(action.question);
  return withQuestion({ ...state, putAside });
}

/** What stood in front of a question may just have closed; one that was in front stays as its key left it. */
const afterKey = ({ modal }: ViewState, [next, effects]: Step): Step =>
  modal === null ? [withQuestion(next), effects] : [next, effects];

function onActed(state: ViewState, action: ActionRequest, result: ActionResult): ViewState {
  if (!result.ok) {
    const next = withNotice(reconsidered(state, action), result.message, 'warning');
    // Words that were not taken are not lost.
    const lost = action.do === 'send' && state.draft.chars.length === 0;
    return lost ? { ...next, draft: editorWith(action.text) } : next;
  }
  // The notice of an interrupt says what a second one does.
  return action.do === 'interrupt' ? state : withNotice(state, result.message);
}

function onEnded(state: ViewState, end: LinkEnd): ViewState {
  if (state.end !== null) return state;
  return {
    ...state,
    end: { ...end, at: state.now },
    live: withoutPieces(state.live),
    confirmingStop: false,
    modal: null,
    typing: null,
    notice: null,
  };
}

/** A notice goes away by itself. */
const withoutOldNotice = (state: ViewState): ViewState =>
  state.notice !== null && state.notice.until <= state.now ? { ...state, notice: null } : state;

/** Counts down, or grows older, or goes away: then the picture changes with time alone. */
export function needsClock(state: ViewState): boolean {
  if (state.notice !== null) return true;
  if (state.end !== null || state.snapshot === null) return false;
  if (state.modal !== null && state.modal.question.until !== null) return true;
  const { holds, agents, calls } = state.snapshot;
  return (
    calls.length > 0 ||
    holds.some(({ until }) => until !== null) ||
    agents.some(({ until, phase }) => until !== null || phase === 'asking' || phase === 'queued') ||
    state.live.pieces.size > 0
  );
}

function react(state: ViewState, event: ViewEvent): Step {
  switch (event.type) {
    case 'snapshot':
      return [onSnapshot(state, event.snapshot), []];
    case 'delta':
      return [{ ...state, live: withDelta(state.live, event.delta, state.now) }, []];
    case 'lagged':
      return [{ ...state, live: withoutPieces(state.live) }, []];
    case 'key':
      return afterKey(state, onKey({ ...state, notice: null }, event));
    case 'paste':
      return onPaste({ ...state, notice: null }, event.text);
    case 'resize':
      return [{ ...state, size: event.size }, []];
    case 'tick':
      return [state, []];
    case 'acted':
      return [onActed(state, event.action, event.result), []];
    case 'ended':
      return [onEnded(state, event.end), []];
  }
}

export function step(state: ViewState, event: ViewEvent, now: Millis): Step {
  return react(withoutOldNotice({ ...state, now }), event);
}
