/**
 * Some servers that speak the protocol refuse a request that names the form of the answer. They are asked
 * again without it, and from then on always so: the answer is judged here anyway.
 */
import type { ModelClient } from '../../actors/ports.js';

const REFUSED = /response_format|json_schema|structured output/i;

export function unlessRefused(inner: ModelClient): ModelClient {
  let refused = false;
  return {
    async ask(request, onDelta, signal) {
      const { outputSchema, ...plain } = request;
      if (refused || outputSchema === undefined) return inner.ask(plain, onDelta, signal);
      const outcome = await inner.ask(request, onDelta, signal);
      if (outcome.status !== 'failed' || outcome.error.kind !== 'bad-request') return outcome;
      if (!REFUSED.test(outcome.error.message)) return outcome;
      refused = true;
      return inner.ask(plain, onDelta, signal);
    },
  };
}
