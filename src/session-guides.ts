/**
 * Gives each agent the guide of a tool once: below that tool's first result, so that no earlier byte of the
 * conversation changes. What was given is known from the journal. A guide that was masked or summarised is not
 * repeated: by then the agent has worked with the tool. A conversation that begins anew has nothing of that, and
 * is given each guide again.
 */
import type { RecoveredGuides } from '../actors/recovered-guides.js';
import { toolGuide } from '../config/tool-guides.js';
import type { ObservedFact } from '../messages/coordinator.js';
import type { AgentId } from '../messages/ids.js';
import { framedGuide } from '../messages/tool-guides.js';

/** A longer one belongs into the first prompt; the rest of it is left out. */
const MAX_GUIDE_CHARS = 1_500;

export class SessionGuides {
  readonly #given = new Map<AgentId, Set<string>>();
  readonly #texts = new Map<string, string | null>();
  readonly #earlier: Pick<RecoveredGuides, 'of'> | null;
  readonly #guideOf: (tool: string) => string | null;

  /** `earlier`: what an earlier run of the session gave; null: there was none. */
  constructor(earlier: Pick<RecoveredGuides, 'of'> | null, guideOf = toolGuide) {
    this.#earlier = earlier;
    this.#guideOf = guideOf;
  }

  /** The guide, which counts as given from now on; null: there is none, or the agent has it. */
  first(agent: AgentId, tool: string): string | null {
    const given = this.#of(agent);
    if (given.has(tool)) return null;
    given.add(tool);
    const text = this.#textOf(tool);
    return text === null ? null : framedGuide(tool, text);
  }

  hear(fact: ObservedFact): void {
    if (fact.type === 'context.compacted' && fact.step === 'restart')
      this.#given.set(fact.agent, new Set());
    if (fact.type === 'subagent.ended') this.#given.delete(fact.agent);
  }

  #of(agent: AgentId): Set<string> {
    const known = this.#given.get(agent) ?? new Set(this.#earlier?.of(agent));
    this.#given.set(agent, known);
    return known;
  }

  /** Read once a session, so that all its agents read the same. */
  #textOf(tool: string): string | null {
    const known = this.#texts.get(tool);
    if (known !== undefined) return known;
    const text = this.#guideOf(tool)?.slice(0, MAX_GUIDE_CHARS) ?? null;
    this.#texts.set(tool, text);
    return text;
  }
}
