/**
 * Puts calls that the rules leave open to the person. What was allowed for the session is not asked again:
 * the very same tool and subject, nothing wider.
 */
import type { Approver } from '../../actors/ports.js';
import type { AskPerson } from './ask-person.js';

export function personApprover(ask: AskPerson): Approver {
  const allowed = new Set<string>();
  return {
    approve: async ({ tool, subject, summary, rule }, context) => {
      const key = `${tool} ${subject}`;
      if (allowed.has(key)) return { allowed: true, rule: 'allowed by a person for this session' };
      const body = { kind: 'approval', tool, subject, summary, rule } as const;
      const answer = await context.parked(() => ask(body, null, context));
      if (answer.status === 'approved') {
        if (answer.scope === 'session') allowed.add(key);
        return { allowed: true, rule: 'allowed by a person' };
      }
      const why = answer.status === 'denied' && answer.reason !== '' ? `: ${answer.reason}` : '';
      const text = `Error: '${tool}' was denied${why}. Use another way, go on without, or submit as blocked.`;
      return { allowed: false, rule, text };
    },
  };
}
