/** A question that a person has answered, and was told so, is not asked again. */
import type { CallId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import type { Invariant, Of } from './invariant.js';

export const personsAnswers: Invariant = {
  name: 'persons-answers',
  promise: 'An answer that was accepted counts: the same call does not ask again.',
  watch: (report) => {
    const askedBy = new Map<string, CallId>();
    const newest = new Map<CallId, string>();
    const answered = new Map<CallId, string>();
    const compare = (callId: CallId): void => {
      const [before, now] = [answered.get(callId), newest.get(callId)];
      if (before === undefined || now === undefined || before === now) return;
      report(`${callId} asks ${now}, and ${before} was answered`);
    };
    const hear = ({ kind, body }: JournalFact): void => {
      if (kind !== 'question.opened') return;
      const { id, callId } = body.question;
      askedBy.set(id, callId);
      newest.set(callId, id);
      compare(callId);
    };
    const isTold = ({ action, result }: Of<'person.acted'>): void => {
      if (result?.ok !== true || !('question' in action)) return;
      const callId = askedBy.get(action.question);
      if (callId === undefined) return;
      answered.set(callId, action.question);
      compare(callId);
    };
    return {
      see: ({ what }) => {
        if (what.type === 'rows.handed') what.facts.forEach(hear);
        if (what.type === 'person.acted') isTold(what);
      },
    };
  },
};
