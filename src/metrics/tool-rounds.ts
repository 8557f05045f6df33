/** Which rounds had several calls, and in which of them two ran at the same time, by the order of the rows. */
import type { AgentId, CallId } from '../../messages/ids.js';

interface Round {
  readonly begun: Set<CallId>;
  readonly running: Set<CallId>;
  overlapped: boolean;
}

export class ToolRounds {
  readonly #rounds = new Map<string, Round>();

  begin(agent: AgentId, round: number, callId: CallId): void {
    const { begun, running } = this.#roundOf(agent, round);
    begun.add(callId);
    running.add(callId);
    if (running.size > 1) this.#roundOf(agent, round).overlapped = true;
  }

  end(agent: AgentId, round: number, callId: CallId): void {
    this.#rounds.get(keyOf(agent, round))?.running.delete(callId);
  }

  /** Whatever runs has ended. */
  cutOff(): void {
    for (const { running } of this.#rounds.values()) running.clear();
  }

  counts(): { readonly multiToolRounds: number; readonly parallelRounds: number } {
    const several = [...this.#rounds.values()].filter(({ begun }) => begun.size > 1);
    const parallelRounds = several.filter(({ overlapped }) => overlapped).length;
    return { multiToolRounds: several.length, parallelRounds };
  }

  #roundOf(agent: AgentId, round: number): Round {
    const key = keyOf(agent, round);
    const known = this.#rounds.get(key);
    if (known !== undefined) return known;
    const fresh = { begun: new Set<CallId>(), running: new Set<CallId>(), overlapped: false };
    this.#rounds.set(key, fresh);
    return fresh;
  }
}

const keyOf = (agent: AgentId, round: number): string => `${agent} ${round}`;
