/**
 * The canonical state of a session and its projection, the snapshot. Every change makes a new object and
 * shares what did not change, so that a snapshot once given out never changes.
 */
import type { BudgetLine } from '../messages/budget.js';
import { MAIN_AGENT, type AgentId } from '../messages/ids.js';
import type { Discovery } from '../messages/journal.js';
import { isOpen, type Hold } from '../messages/pause.js';
import type { Answer, Question } from '../messages/questions.js';
import type { SandboxKind, SessionSpec, SessionState } from '../messages/session.js';
import type { Sleep } from '../messages/sleeps.js';
import {
  LOG_TAIL,
  type AgentView,
  type InboxView,
  type LogEntry,
  type OpenCall,
  type Snapshot,
  type Totals,
} from '../messages/snapshot.js';
import type { SubAgentTask } from '../messages/subagents.js';
import { NO_TOTALS } from './totals.js';

/** What an action that is waiting for the pause controller will be answered with. */
export interface PendingAction {
  readonly id: string;
  readonly kind: 'pause' | 'resume' | 'raise';
  readonly holdsBefore: readonly Hold[];
}

/** What became of a question that is not open any more. */
export interface ClosedQuestion {
  readonly id: string;
  readonly status: Answer['status'];
}

export interface State {
  readonly version: number;
  readonly spec: SessionSpec;
  readonly goal: string;
  readonly sandbox: SandboxKind;
  readonly life: 'starting' | 'working' | 'stopping' | 'ended';
  /** Set once the session has ended. */
  readonly endState: SessionState | null;
  readonly holds: readonly Hold[];
  readonly agents: readonly AgentView[];
  readonly calls: readonly OpenCall[];
  readonly discoveries: readonly Discovery[];
  readonly log: readonly LogEntry[];
  readonly logged: number;
  readonly totals: Totals;
  readonly budget?: readonly BudgetLine[];
  readonly pending: readonly PendingAction[];
  /** Open questions, oldest first. */
  readonly questions: readonly Question[];
  readonly closed: readonly ClosedQuestion[];
  /** Calls that sleep. */
  readonly sleeps: readonly Sleep[];
  /** Questions ever asked: an id is never used twice. */
  readonly asked: number;
  readonly deadLetters: number;
  /** Sub-agents ever spawned in this session. */
  readonly spawned: number;
  readonly result: string | null;
}

export function initialState(
  spec: SessionSpec,
  goal: string,
  restored: Partial<
    Pick<
      State,
      | 'holds'
      | 'agents'
      | 'discoveries'
      | 'totals'
      | 'log'
      | 'logged'
      | 'spawned'
      | 'asked'
      | 'closed'
    >
  > = {},
): State {
  return {
    version: 0,
    spec,
    goal,
    sandbox: 'off',
    life: 'starting',
    endState: null,
    holds: [],
    agents: [newAgent(MAIN_AGENT, null, goal, spec.model)],
    calls: [],
    discoveries: [],
    log: [],
    logged: 0,
    totals: NO_TOTALS,
    pending: [],
    questions: [],
    closed: [],
    sleeps: [],
    asked: 0,
    deadLetters: 0,
    spawned: 0,
    result: null,
    ...restored,
  };
}

export const newAgent = (
  id: AgentId,
  parent: AgentId | null,
  task: string,
  model: string,
): AgentView => ({
  id,
  parent,
  task,
  phase: 'gated',
  detail: '',
  until: null,
  model,
  round: 0,
  promptTokens: 0,
  completionTokens: 0,
  contextTokens: 0,
  end: null,
});

export const newSubAgent = (
  id: AgentId,
  parent: AgentId,
  { kind, task, model }: SubAgentTask,
  spec: Pick<SessionSpec, 'model'>,
): AgentView => ({ ...newAgent(id, parent, task, model ?? spec.model), kind });

/** The state with one agent's view changed; an unknown agent changes nothing. */
export const withAgent = (state: State, id: AgentId, change: Partial<AgentView>): State => ({
  ...state,
  agents: state.agents.map((agent) => (agent.id === id ? { ...agent, ...change } : agent)),
});

export type NewEntry = Omit<LogEntry, 'n'>;

/** Adds to the log's tail; the oldest entries fall out (they are in the journal). */
export function withLog(state: State, ...entries: readonly NewEntry[]): State {
  if (entries.length === 0) return state;
  const numbered = entries.map((entry, i) => ({ ...entry, n: state.logged + i + 1 }));
  const log = [...state.log, ...numbered].slice(-LOG_TAIL);
  return { ...state, log, logged: state.logged + entries.length };
}

/** Held: nothing of the main agent goes on until somebody or something lifts a hold. */
export function sessionState(state: State): SessionState {
  if (state.endState !== null) return state.endState;
  switch (state.life) {
    case 'starting':
      return 'starting';
    case 'stopping':
    case 'ended':
      return 'stopping';
    case 'working':
      return isOpen(state.holds, MAIN_AGENT) ? 'running' : 'held';
  }
}

export function snapshotOf(state: State, inbox: Omit<InboxView, 'deadLetters'>): Snapshot {
  const { spec } = state;
  return Object.freeze({
    version: state.version,
    session: spec.id,
    name: spec.name,
    goal: state.goal,
    workspace: spec.workspace,
    model: spec.model,
    baseUrl: spec.baseUrl,
    scripted: spec.rehearsal !== null,
    permissionMode: spec.permissions.mode,
    sandbox: state.sandbox,
    state: sessionState(state),
    startedAt: spec.startedAt,
    holds: state.holds,
    agents: state.agents,
    calls: state.calls,
    questions: state.questions,
    discoveries: state.discoveries,
    log: state.log,
    totals: state.totals,
    budget: state.budget ?? [],
    maxRounds: spec.limits.maxRounds,
    inbox: { ...inbox, deadLetters: state.deadLetters },
    result: state.result,
  });
}
