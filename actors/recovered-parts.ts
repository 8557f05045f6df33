/**
 * Everything that a fold over a journal keeps, in one place, so that it can be written down and begun from
 * again. What is not here is not there after a resume from a checkpoint.
 */
import type { AgentId, CallId, Millis } from '../messages/ids.js';
import type { Discovery, RowBodies, TodoItem } from '../messages/journal.js';
import type { Hold } from '../messages/pause.js';
import type { SessionSpec } from '../messages/session.js';
import type { Totals } from '../messages/snapshot.js';
import type { Effect } from '../messages/tools.js';
import type { ClosedQuestion } from './coordinator-state.js';
import { RecoveredAnswers, type AnswersState } from './recovered-answers.js';
import { RecoveredGuides, type GuidesState } from './recovered-guides.js';
import type { RecoveredAgent } from './recovered-sub-agents.js';
import { RecoveredWaits, type WaitsState } from './recovered-waits.js';
import { Deaths, type DeathsState } from './recovery-hold.js';
import { Spent, type SpentState } from './spent.js';
import { NO_TOTALS } from './totals.js';
import { UnclaimedCosts, type Cost } from './unclaimed-costs.js';

/** A process that was started for a call and may still live. */
export interface StartedProcess {
  readonly callId: CallId;
  readonly pid: number;
  readonly startTime: string;
}

/** One that was started in the background. */
export interface BackgroundStart extends StartedProcess {
  /** What else it is known by where it outlives the session's process; left out: it does not. */
  readonly kept?: {
    readonly agent: AgentId;
    readonly round: number;
    readonly command: string;
    readonly startedAt: Millis;
  };
}

export interface Intent {
  readonly agent: AgentId;
  readonly round: number;
  readonly name: string;
  readonly effect: Effect;
}

/** Plain data, but for the agents. */
export interface RecoveredParts {
  readonly spec: SessionSpec | null;
  readonly goal: string;
  readonly ended: RowBodies['session.ended'] | null;
  readonly holds: readonly Hold[];
  readonly discoveries: readonly Discovery[];
  readonly processes: readonly (readonly [CallId, StartedProcess])[];
  readonly totals: Totals;
  readonly spent: SpentState;
  readonly lastTs: Millis;
  readonly spawned: number;
  readonly todos: readonly TodoItem[];
  readonly background: readonly (readonly [string, BackgroundStart])[];
  readonly asked: number;
  readonly closed: readonly ClosedQuestion[];
  readonly waits: WaitsState;
  readonly answers: AnswersState;
  readonly guides: GuidesState;
  readonly deaths: DeathsState;
  readonly unclaimed: readonly Cost[];
  readonly questions: readonly string[];
  readonly intents: readonly (readonly [CallId, Intent])[];
  readonly agents: readonly RecoveredAgent[];
}

const NOTHING: RecoveredParts = {
  ...{ spec: null, goal: '', ended: null, holds: [], discoveries: [], processes: [] },
  ...{ totals: NO_TOTALS, spent: new Spent().state, lastTs: 0, spawned: 0, todos: [] },
  ...{ background: [], asked: 0, closed: [], waits: [], answers: new RecoveredAnswers().state },
  ...{
    guides: [],
    deaths: new Deaths().state,
    unclaimed: [],
    questions: [],
    intents: [],
    agents: [],
  },
};

export class RecoveredState {
  spec: SessionSpec | null;
  goal: string;
  ended: RowBodies['session.ended'] | null;
  holds: readonly Hold[];
  readonly discoveries: Discovery[];
  readonly agents: Map<AgentId, RecoveredAgent>;
  readonly processes: Map<CallId, StartedProcess>;
  totals: Totals;
  readonly spent: Spent;
  lastTs: Millis;
  spawned: number;
  todos: readonly TodoItem[];
  /** Background processes that were not seen to end, by their id. */
  readonly background: Map<string, BackgroundStart>;
  /** Questions ever asked. */
  asked: number;
  readonly closed: ClosedQuestion[];
  readonly waits: RecoveredWaits;
  readonly answers: RecoveredAnswers;
  readonly guides: RecoveredGuides;
  protected readonly died: Deaths;
  protected readonly unclaimed: UnclaimedCosts;
  protected readonly questions: Set<string>;
  protected readonly intents: Map<CallId, Intent>;

  constructor(from: RecoveredParts = NOTHING) {
    this.spec = from.spec;
    this.goal = from.goal;
    this.ended = from.ended;
    this.holds = from.holds;
    this.discoveries = [...from.discoveries];
    this.agents = new Map(from.agents.map((agent) => [agent.id, { ...agent }]));
    this.processes = new Map(from.processes);
    this.totals = from.totals;
    this.spent = new Spent(from.spent);
    this.lastTs = from.lastTs;
    this.spawned = from.spawned;
    this.todos = from.todos;
    this.background = new Map(from.background);
    this.asked = from.asked;
    this.closed = [...from.closed];
    this.waits = new RecoveredWaits(from.waits);
    this.answers = new RecoveredAnswers(from.answers);
    this.guides = new RecoveredGuides(from.guides);
    this.died = new Deaths(from.deaths);
    this.unclaimed = new UnclaimedCosts(from.unclaimed);
    this.questions = new Set(from.questions);
    this.intents = new Map(from.intents);
  }

  /** What it was made from would make it again. */
  get parts(): RecoveredParts {
    const { spec, goal, ended, holds, discoveries, totals, lastTs, spawned, todos } = this;
    return {
      ...{ spec, goal, ended, holds, discoveries, totals, lastTs, spawned, todos },
      processes: [...this.processes],
      spent: this.spent.state,
      background: [...this.background],
      asked: this.asked,
      closed: this.closed,
      waits: this.waits.state,
      answers: this.answers.state,
      guides: this.guides.state,
      deaths: this.died.state,
      unclaimed: this.unclaimed.state,
      questions: [...this.questions],
      intents: [...this.intents],
      agents: [...this.agents.values()],
    };
  }
}
