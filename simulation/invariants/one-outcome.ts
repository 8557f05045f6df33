/** Every call gets exactly one outcome, and the outcome tells the truth about what was done. */
import type { AgentId, CallId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import type { Invariant, Of } from './invariant.js';

export const oneOutcome: Invariant = {
  name: 'one-outcome',
  promise: 'Every call gets one outcome, never two, and the outcome is true.',
  watch: (report) => {
    const asked = new Map<AgentId, CallId[]>();
    const known = new Set<CallId>();
    const begun = new Set<CallId>();

    const hear = ({ kind, body, agent }: JournalFact): void => {
      if (kind === 'message.added' && body.message.role === 'assistant') {
        asked.set(agent, [...(asked.get(agent) ?? []), ...body.message.calls.map(({ id }) => id)]);
      }
      if (kind !== 'tool.outcome') return;
      const { callId, outcome } = body;
      if (known.has(callId)) report(`${callId} has two outcomes`);
      known.add(callId);
      const nothing = outcome.status === 'denied' || outcome.status === 'overloaded';
      if (nothing && begun.has(callId)) report(`${callId} is ${outcome.status}, and was begun`);
    };
    const begins = ({ rows }: Of<'life.began'>): void => {
      known.clear();
      asked.clear();
      rows.forEach(hear);
    };
    return {
      see: ({ what }) => {
        if (what.type === 'life.began') begins(what);
        else if (what.type === 'rows.handed') what.facts.forEach(hear);
        else if (what.type === 'effect.began') begun.add(what.callId);
        else if (what.type === 'request.sent') {
          const open = (asked.get(what.request.agent) ?? []).filter((id) => !known.has(id));
          if (open.length > 0) report(`a request is sent before ${open.join(', ')} has an outcome`);
        }
      },
      end: (rows) => {
        const counted = new Set<CallId>();
        for (const { kind, body } of rows) {
          if (kind !== 'tool.outcome') continue;
          if (counted.has(body.callId)) report(`${body.callId} has two outcomes in the journal`);
          counted.add(body.callId);
        }
      },
    };
  },
};
