/** Rounds and sub-agents stay within what the session was given. */
import type { AgentLimits } from '../../actors/sub-agent-supervisor.js';
import { MAIN_AGENT, type AgentId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import type { Moment } from '../happenings.js';
import type { Invariant } from './invariant.js';

/** The most rounds that a sub-agent of any kind has. */
const SUB_AGENT_ROUNDS = 60;

export const limitsRespected: Invariant = {
  name: 'limits-respected',
  promise: 'Limits of rounds and sub-agents are kept.',
  watch: (report) => {
    const watch = new LimitWatch(report);
    return { see: (moment) => watch.see(moment) };
  },
};

class LimitWatch {
  readonly #report: (what: string) => void;
  #limits: AgentLimits = { atOnce: 0, alive: 0, depth: 0 };
  #maxRounds: number | null = null;
  /** By agent; of the main one those of this life. */
  readonly #rounds = new Map<AgentId, Set<number>>();
  #parents = new Map<AgentId, AgentId>();

  constructor(report: (what: string) => void) {
    this.#report = report;
  }

  see({ what }: Moment): void {
    switch (what.type) {
      case 'life.began':
        this.#limits = what.limits;
        this.#maxRounds = what.spec.limits.maxRounds;
        this.#rounds.delete(MAIN_AGENT);
        this.#parents = new Map();
        for (const row of what.rows) this.#hear(row, false);
        return;
      case 'rows.handed':
        for (const fact of what.facts) this.#hear(fact, true);
        return;
      case 'request.sent': {
        const { agent, round = 0 } = what.request;
        const rounds = (this.#rounds.get(agent) ?? new Set()).add(round);
        this.#rounds.set(agent, rounds);
        const limit = agent === MAIN_AGENT ? this.#maxRounds : SUB_AGENT_ROUNDS;
        if (limit !== null && rounds.size > limit) {
          this.#report(`${agent} has ${rounds.size} rounds, and the limit is ${limit}`);
        }
        return;
      }
      default:
    }
  }

  #hear({ kind, body }: JournalFact, isNew: boolean): void {
    if (kind === 'agent.ended') this.#parents.delete(body.agent);
    if (kind !== 'agent.spawned') return;
    this.#parents.set(body.agent, body.parent);
    if (!isNew) return;
    const { alive, depth } = this.#limits;
    if (this.#parents.size > alive) {
      this.#report(`${this.#parents.size} sub-agents are alive, and the limit is ${alive}`);
    }
    const deep = this.#depthOf(body.agent);
    if (deep > depth) this.#report(`${body.agent} is at depth ${deep}, and the limit is ${depth}`);
  }

  #depthOf(agent: AgentId): number {
    const parent = this.#parents.get(agent);
    return parent === undefined ? 0 : 1 + this.#depthOf(parent);
  }
}
