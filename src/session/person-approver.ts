/** Puts calls that the rules leave open to the person. What is allowed for the session becomes a rule. */
import type { ApprovalRequest, Approver } from '../../actors/ports.js';
import type { AskPerson } from './ask-person.js';

/** `remember`: allows the very same call from here on, and nothing wider. */
export const personApprover = (
  ask: AskPerson,
  remember: (request: ApprovalRequest) => void,
): Approver => ({
  approve: async (request, context) => {
    const { tool, subject, summary, rule } = request;
    const body = { kind: 'approval', tool, subject, summary, rule } as const;
    const answer = await ask(body, null, context);
    if (answer.status === 'approved') {
      if (answer.scope === 'session') remember(request);
      return { allowed: true, rule: 'allowed by a person' };
    }
    const why = answer.status === 'denied' && answer.reason !== '' ? `: ${answer.reason}` : '';
    const text = `Error: '${tool}' was denied${why}. Use another way, go on without, or submit as blocked.`;
    return { allowed: false, rule, text };
  },
});
