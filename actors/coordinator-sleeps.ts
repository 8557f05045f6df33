/**
 * Calls that sleep: their agent is held as long as they do, the others go on. Each is told once why it
 * wakes: its time is over, what it waits for has come, a person resumed or said something, or the session
 * ends. Pure.
 */
import type { CycleEnd } from '../messages/agents.js';
import type { Letter } from '../messages/coordinator.js';
import { MAIN_AGENT, shortId, type AgentId, type CallId, type Millis } from '../messages/ids.js';
import type { Hold, HoldKind } from '../messages/pause.js';
import type { Sleep, SleepRequest, WaitRequest, WakeReason } from '../messages/sleeps.js';
import type { State } from './coordinator-state.js';
import { endWord } from './sub-agent-reports.js';

type Step = [State, Letter[]];

export function beginSleep(state: State, { agent, callId, wait, at }: SleepRequest): Step {
  const reason = reasonAtOnce(state, agent, wait, at);
  if (reason !== null) return [state, [wakeLetter(callId, reason)]];
  const next = { ...state, sleeps: [...state.sleeps, { agent, callId, wait }] };
  return [next, [holdLetter(next, agent, wait.mode)]];
}

/** Null: there is something to wait for. */
function reasonAtOnce(
  state: State,
  agent: AgentId,
  wait: WaitRequest,
  at: Millis,
): WakeReason | null {
  if (isEnding(state)) return 'shutdown';
  if (wait.mode === 'manual') return null;
  if (wait.mode === 'event' && wait.event.kind === 'agent') {
    const { agent: awaited } = wait.event;
    const view = state.agents.find(({ id }) => id === awaited);
    // Nobody can wait for himself, or for the agent that everybody works for.
    if (view === undefined || awaited === agent || awaited === MAIN_AGENT) return 'agent_not_found';
    if (view.end !== null) return reasonOfEnd(view.end);
  }
  return wait.until <= at ? overdue(wait) : null;
}

const overdue = ({ mode }: WaitRequest): WakeReason =>
  mode === 'timer' ? 'timer_expired' : 'max_duration_exceeded';

const isEnding = ({ life }: State): boolean => life === 'stopping' || life === 'ended';

const reasonOfEnd = (end: CycleEnd['status']): WakeReason => `agent_${endWord(end)}`;

/** The call waits no longer; it is answered like every other that slept. */
export const withdrawSleep = (state: State, callId: CallId): Step =>
  wake(state, (sleep) => (sleep.callId === callId ? 'cancelled' : null));

export const wakeOverdue = (state: State, at: Millis): Step =>
  wake(state, ({ wait }) => (wait.mode !== 'manual' && wait.until <= at ? overdue(wait) : null));

export const wakeAtEndOf = (state: State, agent: AgentId, end: CycleEnd['status']): Step =>
  wake(state, ({ wait }) =>
    wait.mode === 'event' && wait.event.kind === 'agent' && wait.event.agent === agent
      ? reasonOfEnd(end)
      : null,
  );

/** What waits for an event goes on waiting. */
export const wakeByResume = (state: State): Step =>
  wake(state, ({ wait }) => (wait.mode === 'event' ? null : 'user_resumed'));

/** A person's words are not left unread for hours. */
export const wakeByWords = (state: State): Step =>
  wake(state, ({ agent }) => (agent === MAIN_AGENT ? 'message_received' : null));

export const wakeAll = (state: State, reason: WakeReason): Step => wake(state, () => reason);

/** `reasonFor` null: it sleeps on. */
function wake(state: State, reasonFor: (sleep: Sleep) => WakeReason | null): Step {
  const woken = state.sleeps.flatMap((sleep) => {
    const reason = reasonFor(sleep);
    return reason === null ? [] : [{ sleep, reason }];
  });
  if (woken.length === 0) return [state, []];
  const gone = new Set(woken.map(({ sleep }) => sleep));
  const next = { ...state, sleeps: state.sleeps.filter((sleep) => !gone.has(sleep)) };
  const letters = woken.flatMap(({ sleep: { agent, callId, wait }, reason }) => [
    holdLetter(next, agent, wait.mode),
    wakeLetter(callId, reason),
  ]);
  return [next, letters];
}

const wakeLetter = (callId: CallId, reason: WakeReason): Letter => ({
  to: 'sleeper',
  message: { type: 'sleep.wake', callId, reason },
});

const KINDS: Readonly<Record<WaitRequest['mode'], HoldKind>> = {
  timer: 'timer',
  event: 'event',
  manual: 'user',
};

/** One hold for an agent's sleeps of one mode; it ends when the first of them does. */
function holdLetter(state: State, agent: AgentId, mode: WaitRequest['mode']): Letter {
  const kind = KINDS[mode];
  const sleeps = state.sleeps.filter((sleep) => sleep.agent === agent && sleep.wait.mode === mode);
  const [first] = sleeps;
  if (first === undefined) {
    return { to: 'pause', message: { type: 'pause.lift', kinds: [kind], scope: agent } };
  }
  const untils = sleeps.flatMap(({ wait }) => (wait.mode === 'manual' ? [] : [wait.until]));
  const session = shortId(state.spec.id);
  const hold: Hold = {
    kind,
    scope: agent,
    since: first.wait.since,
    until: untils.length === 0 ? null : Math.min(...untils),
    reason: `asleep ${whatFor(first.wait)}`,
    release: mode === 'event' ? `ouro send ${session} TEXT` : `ouro resume ${session}`,
    call: first.callId,
  };
  return { to: 'pause', message: { type: 'pause.hold', hold } };
}

function whatFor(wait: WaitRequest): string {
  if (wait.mode === 'timer') return 'until its time is over';
  if (wait.mode === 'manual') return 'until a person resumes it';
  switch (wait.event.kind) {
    case 'agent':
      return `until ${wait.event.agent} ends`;
    case 'process':
      return `until process ${wait.event.id} ends`;
    case 'path':
      return `until ${wait.event.path} changes`;
  }
}
