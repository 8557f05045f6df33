/**
 * Where a session starts from: nothing, or what its journal holds. Gives the rows to write first and the
 * state and conversation to go on with. Pure but for what it is given.
 */
import { Conversation, userMessage } from '../../actors/conversation.js';
import {
  initialState,
  newAgent,
  newSubAgent,
  type NewEntry,
  type State,
} from '../../actors/coordinator-state.js';
import { FORCED_HOLDS, isOwnHold } from '../../actors/person-holds.js';
import { recoveryHold } from '../../actors/recovery-hold.js';
import { survivorsIn } from '../../actors/recovered-sub-agents.js';
import { repairs, type Recovered } from '../../actors/recovery.js';
import type { Message } from '../../messages/conversation.js';
import { MAIN_AGENT, type CallId, type Millis, type Seq } from '../../messages/ids.js';
import { sessionFact, type JournalFact } from '../../messages/journal.js';
import { OUTAGE_HOLDS } from '../../messages/pause.js';
import type { SessionSpec } from '../../messages/session.js';
import { LOG_TAIL } from '../../messages/snapshot.js';

export interface StartingPoint {
  readonly spec: SessionSpec;
  readonly state: State;
  readonly conversation: Conversation;
  readonly round: number;
  /** To be written before anything else happens. */
  readonly rows: readonly JournalFact[];
}

export interface Process {
  readonly version: string;
  readonly pid: number;
}

export function fromNothing(
  spec: SessionSpec,
  goal: string,
  systemPrompt: string,
  process: Process,
): StartingPoint {
  const system: Message = { role: 'system', text: systemPrompt };
  const asked = userMessage(goal, 'goal');
  const conversation = new Conversation();
  conversation.add(system);
  conversation.add(asked);
  return {
    spec,
    state: initialState(spec, goal),
    conversation,
    round: 0,
    rows: [
      sessionFact('session.started', { spec, ...process }),
      sessionFact('message.added', { message: system }),
      sessionFact('goal.set', { goal }),
      sessionFact('message.added', { message: asked }),
    ],
  };
}

export interface Resumption {
  /** What was changed from the command line; the rest stays as it was. */
  readonly spec: SessionSpec;
  /** A further goal; null: the old one goes on. */
  readonly goal: string | null;
  /** What the agent must know before it goes on. */
  readonly notice: string | null;
  /** What was found out about what it had left behind; left out: nothing. */
  readonly found?: readonly JournalFact[];
  /** A person asked for it: their own holds are lifted. */
  readonly byPerson: boolean;
  /** A person wants it to run, and changes nothing else; left out: as `byPerson`. */
  readonly wanted?: boolean;
  /** It goes on also where it has to be looked at first; left out: it comes back held then. */
  readonly force?: boolean;
  /** The model server can be asked again; left out: a hold that waits for it stays. */
  readonly outageIsOver?: boolean;
  readonly process: Process;
  readonly now: Millis;
  /** The seq that the first row written gets. */
  readonly nextSeq: Seq;
  /** What is known of the output of a call that was cut off. */
  readonly captured: (callId: CallId) => string;
}

/** Applies the repairs to `recovered` itself: what is written and what is gone on with are the same. */
export function fromJournal(recovered: Recovered, resumption: Resumption): StartingPoint {
  const { spec, goal, process, now } = resumption;
  const rows: JournalFact[] = [
    sessionFact('session.resumed', { ...process, spec }),
    ...(resumption.found ?? []),
    ...repairs(recovered, resumption.captured),
    ...lifted(recovered, resumption),
    ...heldForLooking(recovered, resumption),
  ];
  if (resumption.notice !== null) rows.push(said(resumption.notice));
  if (goal !== null) rows.push(sessionFact('goal.set', { goal }), said(goal));
  rows.forEach((row, i) => recovered.apply({ ...row, seq: resumption.nextSeq + i, ts: now }));
  const { conversation, round } = recovered.main;
  const log = historyEntries(conversation.messages, now).map((entry, i) => ({
    ...entry,
    n: i + 1,
  }));
  const { holds, discoveries, totals, spawned, asked, closed } = recovered;
  return {
    spec,
    state: initialState(spec, recovered.goal, {
      holds,
      agents: agentsOf(recovered, spec),
      discoveries,
      totals,
      spawned,
      asked,
      closed,
      log: log.slice(-LOG_TAIL),
      logged: log.length,
    }),
    conversation,
    round,
    rows,
  };
}

/** The main agent, and those of its sub-agents that go on. */
const agentsOf = (recovered: Recovered, spec: SessionSpec): State['agents'] => [
  newAgent(MAIN_AGENT, null, recovered.goal, spec.model),
  ...survivorsIn(recovered.agents).map(({ id, birth: { parent, task } }) =>
    newSubAgent(id, parent, task, spec),
  ),
];

/** Like words from a person: calls that are still open get their results first. */
const said = (text: string): JournalFact =>
  sessionFact('user.action', { action: { do: 'send', text, mode: 'steer' } });

/** What is over lifts itself; a person who resumes lifts their own. */
const lifted = (
  { holds }: Recovered,
  { now, byPerson, outageIsOver = false, force = false }: Resumption,
): JournalFact[] =>
  holds
    // Those of calls that wait are lifted with their calls.
    .filter(({ kind, call }) => kind !== 'question' && call === undefined)
    // A limit that is still reached holds again at once, with what is true then.
    .filter(
      (hold) =>
        (force && FORCED_HOLDS.includes(hold.kind)) ||
        (hold.until !== null && hold.until <= now) ||
        (byPerson && (isOwnHold(hold) || hold.kind === 'budget')) ||
        (outageIsOver && OUTAGE_HOLDS.includes(hold.kind)),
    )
    .map(({ kind, scope }) => sessionFact('hold.lifted', { kind, scope }));

/** What was held for it before is still held. */
function heldForLooking(
  { deaths, lastTs, holds }: Recovered,
  { spec, now, byPerson, wanted = byPerson, force = false }: Resumption,
): JournalFact[] {
  if (force || holds.some(({ kind }) => kind === 'recovery')) return [];
  const hold = recoveryHold({ session: spec.id, deaths, lastTs, now, byPerson: wanted });
  return hold === null ? [] : [sessionFact('hold.set', { hold })];
}

/** The log of a resumed session begins with what was said before. */
function historyEntries(messages: readonly Message[], at: Millis): NewEntry[] {
  const about = { at, agent: MAIN_AGENT, round: 0 };
  return messages.flatMap((message): NewEntry[] => {
    switch (message.role) {
      case 'system':
        return [];
      case 'user':
        return [{ ...about, kind: 'user', text: message.text }];
      case 'assistant': {
        const calls = message.calls.map(({ name }): NewEntry => ({
          ...about,
          kind: 'tool',
          text: name,
        }));
        return message.text === ''
          ? calls
          : [{ ...about, kind: 'text', text: message.text }, ...calls];
      }
      case 'tool':
        return [{ ...about, kind: 'result', text: `${message.name}: ${message.text}` }];
    }
  });
}
