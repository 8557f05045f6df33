/** `ask_user`: a question to a person. The call waits for the answer, which comes back as JSON. */
import { z } from 'zod';
import type { CallContext } from '../../actors/ports.js';
import type { Answer, ChoiceQuestion } from '../../messages/questions.js';
import { done } from './outcomes.js';
import { defineTool, type Tool } from './tool.js';

/**
 * `timeoutMs` null: the call set no limit. Must not reject; resolves soon after the signal aborts, with
 * whatever.
 */
export type AskUser = (
  question: ChoiceQuestion,
  timeoutMs: number | null,
  context: CallContext,
) => Promise<Answer>;

const MIN_CHOICES = 2;
const MAX_CHOICES = 10;
const MAX_PROMPT = 4_000;
const MAX_CHOICE = 500;

/** As long as a background session waits for anybody. */
const MAX_TIMEOUT_S = 24 * 60 * 60;

const NOBODY =
  'Nobody answered. Decide yourself and say so in your summary, or submit as blocked if you cannot.';

export const askUserTool = (askUser: AskUser): Tool =>
  defineTool({
    name: 'ask_user',
    description: 'Ask the person what you cannot decide yourself.',
    effect: 'none',
    waits: true,
    schema: z.strictObject({
      prompt: z.string().min(1).max(MAX_PROMPT),
      choices: z
        .array(z.string().min(1).max(MAX_CHOICE))
        .min(MIN_CHOICES)
        .max(MAX_CHOICES)
        .optional(),
      editable: z.boolean().default(false),
      timeout: z.int().min(1).max(MAX_TIMEOUT_S).optional().describe('Seconds'),
    }),
    about: ({ prompt }) => prompt,
    async execute({ prompt, choices = [], editable, timeout }, run) {
      const question = { kind: 'choice', prompt, choices, editable } as const;
      const timeoutMs = timeout === undefined ? null : timeout * 1000;
      const answer = await askUser(question, timeoutMs, run);
      return run.signal.aborted ? { status: 'stopped', text: '' } : done(answerJson(answer));
    },
  });

function answerJson(answer: Answer): string {
  switch (answer.status) {
    case 'selected':
    case 'edited': {
      const { status, index, text } = answer;
      return JSON.stringify({ status, index, text });
    }
    case 'free_text':
      return JSON.stringify({ status: answer.status, text: answer.text });
    case 'timed_out':
      return JSON.stringify({ status: answer.status, advice: NOBODY });
    // A person who only said yes or no has not chosen anything.
    case 'skipped':
    case 'approved':
    case 'denied':
    case 'withdrawn':
      return JSON.stringify({ status: 'skipped' });
  }
}
