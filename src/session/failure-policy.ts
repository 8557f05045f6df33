/** What a failure that outlasted its retries leads to, and when a server that was away is looked for. Pure. */
import type { ModelError } from '../../messages/model.js';
import type { HoldKind } from '../../messages/pause.js';

/** After these the server is asked whether it is back; after the last one, again and again. */
const PROBE_DELAYS_MS = [5_000, 15_000, 60_000, 300_000, 900_000] as const;

/** `step`: how often it was asked since it last answered a request. */
export const probeDelayMs = (step: number): number =>
  PROBE_DELAYS_MS[Math.min(step, PROBE_DELAYS_MS.length - 1)] ?? 900_000;

/**
 * The hold that a failure asks for; null: the turn ends, because waiting changes nothing. `patient`: there
 * is no limit to the wait, so that a person can change something meanwhile.
 */
export function holdFor({ kind }: Pick<ModelError, 'kind'>, patient: boolean): HoldKind | null {
  switch (kind) {
    case 'auth':
      return patient ? 'auth' : null;
    case 'rate-limit':
      return 'rate-limit';
    case 'overloaded':
    case 'server':
    case 'network':
    case 'stalled':
    case 'cut':
      return 'endpoint';
    default:
      return null;
  }
}
