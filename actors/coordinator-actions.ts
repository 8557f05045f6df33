/** What a person's action means: the letters that carry it out, and what the person is answered. Pure. */
import type { ActionFact, ActionResult, UserAction } from '../messages/actions.js';
import type { Raise } from '../messages/budget.js';
import type { Letter } from '../messages/coordinator.js';
import { MAIN_AGENT, type Millis } from '../messages/ids.js';
import {
  OUTAGE_HOLDS,
  type DiskProbed,
  type EndpointProbed,
  type Hold,
  type HoldKind,
} from '../messages/pause.js';
import { liftedBy, OWN_HOLDS, pauseHold, type ResumeAction } from './person-holds.js';
import { wakeByResume, wakeByWords } from './coordinator-sleeps.js';
import { cannotRaise, raised } from './raised-limits.js';
import { answerByPerson } from './coordinator-questions.js';
import { changeSettings } from './coordinator-settings.js';
import { type PendingAction, type State } from './coordinator-state.js';

export function applyAction(state: State, message: UserAction): [State, Letter[]] {
  const { action, id, at } = message;
  if (state.life === 'stopping' || state.life === 'ended') {
    return [state, [answer(id, at, { ok: false, message: 'the session is stopping' })]];
  }
  switch (action.do) {
    case 'pause':
      return pause(state, message, action.until, action.now);
    case 'resume':
      return action.add === undefined
        ? resume(state, message, action)
        : raise(state, message, action.add, liftedBy(action));
    case 'interrupt': {
      const [held, letters] = pause(state, message, null, true);
      return [held, [...letters, toolsCancelled, subAgentsStopped]];
    }
    case 'send': {
      const say: Letter = {
        to: 'agent',
        agent: MAIN_AGENT,
        message: { type: 'agent.say', text: action.text, mode: action.mode, source: message.seq },
      };
      const when = action.mode === 'queue' ? 'after this turn' : 'before its next request';
      const text = `the agent reads it ${when}`;
      const [next, woken] = action.mode === 'queue' ? [state, []] : wakeByWords(state);
      return [next, [say, ...woken, answer(id, at, { ok: true, changed: true, message: text })]];
    }
    case 'answer':
    case 'approve':
    case 'deny': {
      const [next, letters, result] = answerByPerson(state, action, at);
      return [next, [...letters, answer(id, at, result)]];
    }
    case 'set': {
      const [next, letters, result] = changeSettings(state, action.change);
      return [next, [...letters, answer(id, at, result)]];
    }
    case 'stop': {
      const restart = action.restart === true ? { restart: true as const } : {};
      return [
        { ...state, life: 'stopping' },
        [
          answer(id, at, { ok: true, changed: true, message: 'stopping' }),
          { to: 'root', message: { type: 'root.quit', reason: 'stopped', ...restart } },
        ],
      ];
    }
  }
}

const toolsCancelled: Letter = { to: 'tools', message: { type: 'tool.cancelAll', agent: null } };

/** Their calls are cancelled, so nobody waits for them any more. */
const subAgentsStopped: Letter = {
  to: 'supervisor',
  message: { type: 'subagent.stopAll', parent: null, reason: 'interrupted' },
};

function pause(
  state: State,
  { id, at }: UserAction,
  until: Millis | null,
  now: boolean,
): [State, Letter[]] {
  const hold = pauseHold(state.spec, at, until);
  const aborts = state.agents
    .filter((agent) => now && agent.end === null)
    .map(({ id: agent }): Letter => ({
      to: 'agent',
      agent,
      message: { type: 'agent.abortRequest' },
    }));
  const letters: Letter[] = [
    { to: 'pause', message: { type: 'pause.hold', hold, action: id } },
    ...aborts,
  ];
  return [awaiting(state, { id, kind: 'pause', holdsBefore: state.holds }), letters];
}

/** What was away is asked first, server or disk: what it says decides which holds are lifted; unless by force. */
function resume(state: State, { id }: UserAction, action: ResumeAction): [State, Letter[]] {
  const isOut =
    action.force !== true &&
    state.holds.some(({ kind }) => kind === 'disk' || OUTAGE_HOLDS.includes(kind));
  const letter: Letter = isOut
    ? { to: 'root', message: { type: 'root.probe', action: id } }
    : lift(liftedBy(action), id);
  const [next, woken] = wakeByResume(state);
  // The holds of those who wake are lifted first: the person is told what is left when all is done.
  return [awaiting(next, { id, kind: 'resume', holdsBefore: state.holds }), [...woken, letter]];
}

const lift = (kinds: readonly HoldKind[], action?: string): Letter => ({
  to: 'pause',
  message: {
    type: 'pause.lift',
    kinds,
    scope: 'session',
    ...(action === undefined ? {} : { action }),
  },
});

/** What is lifted by itself is the outage alone: a key or an allowance may want a person's decision. */
export function onProbed({ ok, action }: EndpointProbed): Letter[] {
  if (action !== null) return [lift(ok ? [...OWN_HOLDS, ...OUTAGE_HOLDS] : OWN_HOLDS, action)];
  return ok ? [lift(['endpoint'])] : [];
}

/** As it is for a server. */
export function onDiskProbed({ ok, action }: DiskProbed): Letter[] {
  if (action !== null) return [lift(ok ? [...OWN_HOLDS, 'disk'] : OWN_HOLDS, action)];
  return ok ? [lift(['disk'])] : [];
}

/** The limits are raised before anybody goes on. */
function raise(
  state: State,
  { id, at }: UserAction,
  by: Raise,
  kinds: readonly HoldKind[],
): [State, Letter[]] {
  const refusal = cannotRaise(state.spec, by);
  if (refusal !== null) return [state, [answer(id, at, { ok: false, message: refusal })]];
  const spec = raised(state.spec, by);
  const letters: Letter[] = [
    { to: 'root', message: { type: 'root.raised', spec } },
    {
      to: 'pause',
      message: { type: 'pause.lift', kinds, scope: 'session', action: id },
    },
  ];
  const pending = { id, kind: 'raise', holdsBefore: state.holds } as const;
  return [awaiting({ ...state, spec }, pending), letters];
}

const awaiting = (state: State, action: PendingAction): State => ({
  ...state,
  pending: [...state.pending, action],
});

/** The pause controller has done what a person asked. */
export function answerPending(state: State, action: string, at: Millis): [State, Letter[]] {
  const pending = state.pending.find(({ id }) => id === action);
  if (pending === undefined) return [state, []];
  const rest = state.pending.filter((other) => other !== pending);
  return [{ ...state, pending: rest }, [answer(action, at, resultOf(pending, state.holds))]];
}

function resultOf(action: PendingAction, holds: readonly Hold[]): ActionResult {
  const [other] = holds;
  if (action.kind === 'pause') {
    const changed = holds !== action.holdsBefore;
    const message = changed
      ? 'paused: no further request is sent; what is running finishes'
      : 'it was paused already';
    return { ok: true, changed, message };
  }
  if (other !== undefined) {
    return { ok: false, message: `still held: ${other.reason}; lift it with: ${other.release}` };
  }
  if (action.kind === 'raise') {
    return { ok: true, changed: true, message: 'the limits are raised: going on' };
  }
  const changed = action.holdsBefore.length > 0;
  return { ok: true, changed, message: changed ? 'going on' : 'it was not paused' };
}

const answer = (id: string, at: Millis, result: ActionResult): Letter => {
  const fact: ActionFact = { type: 'action.done', id, result, at };
  return { to: 'observers', message: fact };
};
