/**
 * Knows which sub-agents there are and how they ended, from what the mesh tells: for agents that wait for
 * those in the background, and for calls that ask. Each result is told once by itself; asking for it counts.
 */
import type { ChildReport, ChildrenPort } from '../../actors/agent-steps.js';
import { handedBack, type SubAgentEnd } from '../../actors/sub-agent-reports.js';
import { Gate } from '../../messages/channels/gate.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { AgentId, CallId } from '../../messages/ids.js';
import type { SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';

export interface KnownSubAgent {
  readonly agent: AgentId;
  readonly parent: AgentId;
  readonly callId: CallId;
  readonly task: SubAgentTask;
  /** Null: it has not ended. */
  readonly end: SubAgentEnd | null;
  /** Its parent has been told the result. */
  readonly told: boolean;
}

/** A result that comes by itself is cut here; `check_agent` gives the whole. */
export const REPORT_CHARS = 4_000;

export class SubAgentDesk implements ChildrenPort {
  readonly #known = new Map<AgentId, KnownSubAgent>();
  readonly #tokensOf: (agent: AgentId) => number | null;
  readonly #changed = new Gate();

  /** `earlier`: those of earlier runs of the process. */
  constructor(earlier: readonly KnownSubAgent[], tokensOf: (agent: AgentId) => number | null) {
    for (const known of earlier) this.#known.set(known.agent, known);
    this.#tokensOf = tokensOf;
  }

  hear(fact: ObservedFact): void {
    if (fact.type === 'subagent.spawned') {
      const { agent, parent, callId, task } = fact;
      this.#known.set(agent, { agent, parent, callId, task, end: null, told: false });
    } else if (fact.type === 'subagent.ended') {
      const { agent, rounds, end } = fact;
      const tokens = this.#tokensOf(agent);
      this.#change(agent, { end: { agent, rounds, tokens, end } });
    } else return;
    this.#changed.open();
  }

  #change(agent: AgentId, change: Partial<KnownSubAgent>): void {
    const known = this.#known.get(agent);
    if (known !== undefined) this.#known.set(agent, { ...known, ...change });
  }

  find(agent: AgentId): KnownSubAgent | null {
    return this.#known.get(agent) ?? null;
  }

  /** The one that was spawned for a call, in this run of the process or before. */
  ofCall(callId: CallId): KnownSubAgent | null {
    return [...this.#known.values()].find((known) => known.callId === callId) ?? null;
  }

  /** Those that work for an agent, directly or not, in the order in which they were spawned. */
  under(parent: AgentId): readonly KnownSubAgent[] {
    const below = new Set([parent]);
    return [...this.#known.values()].filter((known) => {
      if (!below.has(known.parent)) return false;
      below.add(known.agent);
      return true;
    });
  }

  /** The result of one that has ended was read. */
  markTold(agent: AgentId): void {
    this.#change(agent, { told: true });
  }

  /** Resolves with the next change, or when the signal aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const stop = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([this.#changed.opened(), stop]);
  }

  takeReports(parent: AgentId): readonly ChildReport[] {
    const reports = this.#untold(parent).map(({ agent, end }) => ({ agent, text: reportOf(end) }));
    for (const { agent } of reports) this.markTold(agent);
    return reports;
  }

  #untold(parent: AgentId): readonly (KnownSubAgent & { readonly end: SubAgentEnd })[] {
    return [...this.#known.values()]
      .filter((known) => known.parent === parent && isUntold(known))
      .flatMap((known) => (known.end === null ? [] : [{ ...known, end: known.end }]));
  }

  anyAlive(parent: AgentId): boolean {
    const all = [...this.#known.values()];
    return all.some((known) => known.parent === parent && known.end === null);
  }

  async reported(parent: AgentId, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#untold(parent).length === 0) await this.changed(signal);
  }
}

const isUntold = ({ task, end, told }: KnownSubAgent): boolean =>
  task.background === true && end !== null && !told;

function reportOf(end: SubAgentEnd): string {
  const { text }: ToolOutcome = handedBack(end);
  if (text.length <= REPORT_CHARS) return text;
  return `${text.slice(0, REPORT_CHARS)}\n[cut; all of it: check_agent agent_id=${end.agent}]`;
}
