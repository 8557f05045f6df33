/** What the ends of an agent's steps mean for its machine. */
import type { AgentCommand, CycleEnd } from '../messages/agents.js';
import type { ModelError } from '../messages/model.js';
import type { Asked, Prepared } from './agent-steps.js';

export const stop = {
  type: 'endWith',
  params: ({ event }: { event: Extract<AgentCommand, { type: 'agent.stop' }> }) => ({
    status: 'stopped' as const,
    reason: event.reason,
  }),
} as const;

export function endOf(prepared: Prepared): CycleEnd {
  if (prepared.kind !== 'end') throw new Error('the turn is not over');
  return prepared.end;
}

/** Only a failed request comes here; anything else is a bug, and fatal. */
export function failureOf(asked: Asked): ModelError {
  if (asked.kind !== 'failed') throw new Error(`not a failure: ${asked.kind}`);
  return asked.error;
}
