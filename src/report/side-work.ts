/** Sub-agents and background processes: who was started, and what became of them. */
import type { AgentId, Seq } from '../../messages/ids.js';
import type { JournalRow, RowBodies } from '../../messages/journal.js';
import type { BackgroundProcess, SubAgent } from './report.js';

interface Started {
  readonly seq: Seq;
  /** Of the newest row about it. */
  heard: Seq;
}

interface Spawned extends Started {
  readonly birth: RowBodies['agent.spawned'];
  end: RowBodies['agent.ended'] | null;
  round: number;
}

interface Launched extends Started {
  readonly start: RowBodies['process.started'];
  state: BackgroundProcess['state'];
  exitCode: number | null;
}

export class SideWork {
  readonly #agents = new Map<AgentId, Spawned>();
  readonly #processes = new Map<string, Launched>();

  apply(row: JournalRow): void {
    const agent = this.#agents.get(row.agent);
    if (agent !== undefined) {
      agent.round = Math.max(agent.round, row.round);
      agent.heard = row.seq;
    }
    switch (row.kind) {
      case 'agent.spawned':
        this.#agents.set(row.body.agent, {
          ...{ seq: row.seq, heard: row.seq, birth: row.body, end: null, round: 0 },
        });
        return;
      case 'agent.ended':
        if (agent !== undefined) agent.end = row.body;
        return;
      case 'process.started':
        this.#processes.set(row.body.id, {
          ...{ seq: row.seq, heard: row.seq, start: row.body, state: 'running', exitCode: null },
        });
        return;
      case 'process.ended':
        this.#endProcess(row.body, row.seq);
        return;
      case 'session.started':
      case 'session.resumed':
      case 'session.ended':
        // They do not outlive the session's process, but for those that are kept.
        for (const one of this.#processes.values())
          if (one.state === 'running' && one.start.keep === undefined)
            one.state = 'not-seen-to-end';
        return;
      default:
    }
  }

  #endProcess({ id, exitCode, unseen }: RowBodies['process.ended'], seq: Seq): void {
    const one = this.#processes.get(id);
    if (one === undefined) return;
    one.heard = seq;
    one.exitCode = exitCode;
    if (unseen === true) one.state = 'not-seen-to-end';
    else one.state = exitCode === null ? 'ended-by-ouro' : 'exited';
  }

  /** Those of which something is told from row `from` on. */
  subAgents(from: Seq): SubAgent[] {
    return heardFrom(this.#agents, from).map(({ birth, end, round }) => ({
      agent: birth.agent,
      parent: birth.parent,
      kind: birth.task.kind,
      task: birth.task.task,
      status: end?.end.status ?? null,
      rounds: end?.rounds ?? round,
    }));
  }

  processes(from: Seq, isLive: boolean): BackgroundProcess[] {
    return heardFrom(this.#processes, from).map(({ start, state, exitCode }) => ({
      id: start.id,
      command: start.command,
      pid: start.pid,
      state: state === 'running' && !isLive ? 'not-seen-to-end' : state,
      exit_code: exitCode,
    }));
  }
}

const heardFrom = <T extends Started>(all: ReadonlyMap<unknown, T>, from: Seq): T[] =>
  [...all.values()].filter(({ heard }) => heard >= from);
