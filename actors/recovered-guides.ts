/** Which guides each agent was given, by the journal. A conversation that began anew has none. */
import type { AgentId } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import { endsWithGuide } from '../messages/tool-guides.js';

/** Names of tools, by agent. */
export type GuidesState = readonly (readonly [AgentId, readonly string[]])[];

export class RecoveredGuides {
  readonly #given: Map<AgentId, Set<string>>;

  constructor(state: GuidesState = []) {
    this.#given = new Map(state.map(([agent, tools]) => [agent, new Set(tools)]));
  }

  get state(): GuidesState {
    return [...this.#given].map(([agent, tools]) => [agent, [...tools]]);
  }

  /** Names of tools. */
  of(agent: AgentId): ReadonlySet<string> {
    return this.#given.get(agent) ?? NONE;
  }

  apply(row: JournalRow): void {
    if (row.kind === 'agent.ended') this.#given.delete(row.body.agent);
    if (row.kind === 'context.restarted') this.#given.delete(row.agent);
    if (row.kind === 'tool.outcome') this.#read(row.agent, row.body.name, row.body.outcome.text);
    if (row.kind !== 'context.undone') return;
    for (const message of row.body.messages)
      if (message.role === 'tool') this.#read(row.agent, message.name, message.text);
  }

  #read(agent: AgentId, tool: string, result: string): void {
    if (!endsWithGuide(tool, result)) return;
    const given = this.#given.get(agent) ?? new Set();
    this.#given.set(agent, given.add(tool));
  }
}

const NONE: ReadonlySet<string> = new Set();
