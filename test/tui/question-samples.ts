/** Open questions for the dashboard to show. */
import type { CallId } from '../../messages/ids.js';
import type { Question, QuestionBody } from '../../messages/questions.js';
import { MAIN, START } from './example-session.js';

export const question = (
  id: string,
  body: QuestionBody,
  until: number | null = null,
): Question => ({
  id,
  agent: MAIN,
  callId: `call-of-${id}` as CallId,
  body,
  since: START,
  until,
});

export const approval = (id: string, subject = 'rm -rf x', until: number | null = null): Question =>
  question(
    id,
    { kind: 'approval', tool: 'shell', subject, summary: subject, rule: 'not-allowed' },
    until,
  );

export const choice = (
  id: string,
  choices = ['red', 'green', 'blue'],
  editable = false,
): Question => question(id, { kind: 'choice', prompt: 'Which colour?', choices, editable });
