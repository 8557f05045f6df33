/**
 * Nothing begins under a hold. What was under way when the hold came goes on: a request, and the calls that
 * its answer asks for.
 */
import type { AgentId } from '../../messages/ids.js';
import { holdKey, type HoldScope } from '../../messages/pause.js';
import type { JournalFact } from '../../messages/journal.js';
import type { Moment } from '../happenings.js';
import type { Invariant } from './invariant.js';

export const holdsRespected: Invariant = {
  name: 'holds-respected',
  promise:
    'While a hold is in force, no request is sent and no work begins that was not under way.',
  watch: (report) => {
    const watch = new HoldWatch(report);
    return { see: (moment) => watch.see(moment) };
  },
};

interface Held {
  readonly scope: HoldScope;
  /** Since this step. */
  readonly step: number;
}

class HoldWatch {
  readonly #report: (what: string) => void;
  readonly #holds = new Map<string, Held>();
  /** Since which step each agent's round is under way, in this life. */
  readonly #rounds = new Map<string, number>();

  constructor(report: (what: string) => void) {
    this.#report = report;
  }

  see({ what, step }: Moment): void {
    switch (what.type) {
      case 'life.began':
        this.#holds.clear();
        this.#rounds.clear();
        for (const hold of what.holds) this.#holds.set(holdKey(hold), { ...hold, step });
        return;
      case 'rows.handed':
        for (const fact of what.facts) this.#hear(fact, step);
        return;
      case 'request.sent': {
        const { agent, round = 0 } = what.request;
        const key = this.#heldBefore(agent, step);
        if (key !== null) this.#report(`${agent} sent a request under the hold ${key}`);
        this.#rounds.set(`${agent}/${round}`, step);
        return;
      }
      case 'effect.began': {
        const { agent, round, callId } = what;
        const since = this.#rounds.get(`${agent}/${round}`) ?? step;
        const key = this.#heldBefore(agent, since);
        if (key !== null) this.#report(`${callId} began under the hold ${key}`);
        return;
      }
      case 'call.planned': {
        const [round = ''] = /\d+(?=_\d+$)/.exec(what.callId) ?? [];
        const name = `${what.agent}/${round}`;
        if (this.#rounds.has(name)) return;
        // Of an earlier life: it is taken up again here.
        this.#rounds.set(name, step);
        const key = this.#heldBefore(what.agent, step);
        if (key !== null) this.#report(`${what.callId} was taken up under the hold ${key}`);
        return;
      }
      default:
    }
  }

  #hear({ kind, body }: JournalFact, step: number): void {
    if (kind === 'hold.set' && !this.#holds.has(holdKey(body.hold))) {
      this.#holds.set(holdKey(body.hold), { ...body.hold, step });
    }
    if (kind === 'hold.lifted') this.#holds.delete(holdKey(body));
  }

  /** A hold that is in force, and was before that step. */
  #heldBefore(agent: AgentId, step: number): string | null {
    for (const [key, held] of this.#holds) {
      if ((held.scope === 'session' || held.scope === agent) && held.step < step) return key;
    }
    return null;
  }
}
