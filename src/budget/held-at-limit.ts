/**
 * Where nobody waits for an exit code, reaching a limit is a hold: the request that did not fit is taken back
 * and asked again when the hold is lifted.
 */
import type { ModelClient } from '../../actors/ports.js';
import type { Millis, SessionId } from '../../messages/ids.js';
import type { Hold } from '../../messages/pause.js';
import { holdForBudget } from './budget-texts.js';

export interface HoldingPorts {
  readonly session: SessionId;
  now(): Millis;
  /** Resolves when the gates are closed, or `signal` aborts. */
  hold(hold: Hold, signal: AbortSignal): Promise<void>;
}

export const heldAtLimit = (inner: ModelClient, ports: HoldingPorts): ModelClient => ({
  async ask(...question) {
    const outcome = await inner.ask(...question);
    if (outcome.status !== 'failed') return outcome;
    const hold = holdForBudget(outcome.error, ports.session, ports.now());
    if (hold === null) return outcome;
    await ports.hold(hold, question[2]);
    // It was never sent, and waits at the gate.
    return { status: 'cancelled' };
  },
});
