/**
 * What each agent has said so far of an answer that is not finished: for a client that comes in the middle
 * of it, or has missed some. It is gone once the answer is whole or withdrawn.
 */
import type { AgentDelta } from '../../messages/agents.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { AgentId } from '../../messages/ids.js';

/** More than a screen shows; the whole answer comes with the snapshot. */
const KEPT_CHARACTERS = 16_000;

export class UnfinishedText {
  readonly #pieces = new Map<AgentId, AgentDelta>();

  /** One delta an agent, as if all of it had just been said. */
  get deltas(): readonly AgentDelta[] {
    return [...this.#pieces.values()];
  }

  add(delta: AgentDelta): void {
    const before = this.#pieces.get(delta.agent);
    const goesOn = before?.round === delta.round && before.kind === delta.kind;
    const text = (goesOn ? before.text + delta.text : delta.text).slice(-KEPT_CHARACTERS);
    this.#pieces.set(delta.agent, { ...delta, text });
  }

  hear(fact: ObservedFact): void {
    switch (fact.type) {
      case 'agent.said':
      case 'agent.ended':
      case 'model.reset':
        this.#pieces.delete(fact.agent);
        return;
      case 'agent.status':
        if (fact.phase !== 'asking') this.#pieces.delete(fact.agent);
        return;
      default:
        return;
    }
  }
}
