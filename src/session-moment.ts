/** Any moment of a session, rebuilt from its journal: the snapshot that a client would have been shown then. */
import {
  initialState,
  newAgent,
  newSubAgent,
  snapshotOf,
  type State,
} from '../actors/coordinator-state.js';
import { checkpointsIn, CheckpointCheck } from '../actors/checkpoint/agreement.js';
import { childrenIn } from '../actors/recovered-sub-agents.js';
import { Recovered } from '../actors/recovery.js';
import { MAIN_AGENT, type Millis } from '../messages/ids.js';
import type { JournalRow, TodoItem } from '../messages/journal.js';
import { stateAfter, type ForkOrigin, type SessionSpec } from '../messages/session.js';
import type { AgentView, Snapshot } from '../messages/snapshot.js';
import { upToRound } from './replay/up-to-round.js';
import { Standing } from './replay/standing.js';
import { openJournalReader } from './store/journal-store.js';
import type { JournalPlace } from './store/journal-file.js';

export interface Moment {
  readonly snapshot: Snapshot;
  readonly todos: readonly TodoItem[];
  /** Null: it is no branch. */
  readonly forkedFrom: ForkOrigin | null;
  /** Of the newest row that counts. */
  readonly at: Millis;
  readonly rows: number;
  /** The main agent's round then. */
  readonly round: number;
  /** What the checkpoints up to there were compared with. */
  readonly checkpoints: Pick<CheckpointCheck, 'agreeing' | 'unchecked' | 'disagreement'>;
}

/**
 * `round`: at the end of that round of the main agent, 0 before the first; null: at the end of the journal.
 * Null: the rows do not say what the session is. Throws what reading a journal throws.
 */
export function momentOf(place: JournalPlace, round: number | null): Moment | null {
  const view = openJournalReader(place);
  try {
    const rows = round === null ? view.rows() : upToRound(view.rows(), round);
    return foldMoment(rows, new CheckpointCheck(checkpointsIn(view)));
  } finally {
    view.close();
  }
}

function foldMoment(rows: Iterable<JournalRow>, checkpoints: CheckpointCheck): Moment | null {
  const recovered = new Recovered();
  const standing = new Standing();
  let count = 0;
  for (const row of rows) {
    recovered.apply(row);
    standing.apply(row);
    checkpoints.see(row.seq, recovered);
    count += 1;
  }
  const { spec, todos, lastTs: at } = recovered;
  if (spec === null) return null;
  const state = stateOf(recovered, standing, spec);
  const snapshot = snapshotOf(state, { depth: 0, highWater: 0, capacity: 0 });
  const { forkedFrom = null } = spec;
  const { round } = recovered.main;
  return { snapshot, todos, forkedFrom, at, rows: count, round, checkpoints };
}

function stateOf(recovered: Recovered, standing: Standing, spec: SessionSpec): State {
  const { goal, holds, discoveries, totals, spawned, asked, closed, ended } = recovered;
  const agents = agentsOf(recovered, spec).map((agent): AgentView => {
    const { model, ...stands } = standing.of(agent.id);
    const { round = 0 } = recovered.agents.get(agent.id) ?? {};
    return { ...agent, ...stands, model: model ?? agent.model, round };
  });
  return {
    ...initialState(spec, goal, { holds, agents, discoveries, totals, spawned, asked, closed }),
    life: 'working',
    endState: ended === null ? null : stateAfter(ended.status),
    calls: standing.calls,
    questions: standing.questions,
    result: ended?.text ?? null,
  };
}

const agentsOf = ({ agents, goal }: Recovered, spec: SessionSpec): AgentView[] => [
  newAgent(MAIN_AGENT, null, goal, spec.model),
  ...childrenIn(agents).map(({ id, birth: { parent, task } }) =>
    newSubAgent(id, parent, task, spec),
  ),
];
