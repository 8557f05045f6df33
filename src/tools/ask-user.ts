/** `ask_user`: a question to a person. The call waits for the answer, which comes back as JSON. */
import { z } from 'zod';
import type { CallContext } from '../../actors/ports.js';
import { done } from './outcomes.js';
import { defineTool, type Tool } from './tool.js';

export interface UserQuestion {
  readonly prompt: string;
  /** None: free text is asked for. */
  readonly choices: readonly string[];
  /** A choice may be changed before it is sent. */
  readonly editable: boolean;
  /** Null: nobody set a limit. */
  readonly timeoutMs: number | null;
}

/** `index` counts from 1. */
export type UserAnswer =
  | { readonly status: 'selected' | 'edited'; readonly index: number; readonly text: string }
  | { readonly status: 'free_text'; readonly text: string }
  | { readonly status: 'skipped' }
  /** Also where nobody can be asked. */
  | { readonly status: 'timed_out' };

/** Must not reject; resolves soon after the signal aborts, with whatever. */
export type AskUser = (question: UserQuestion, context: CallContext) => Promise<UserAnswer>;

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
        .optional()
        .describe('2 to 10'),
      editable: z.boolean().default(false),
      timeout: z.int().min(1).max(MAX_TIMEOUT_S).optional().describe('Seconds'),
    }),
    about: ({ prompt }) => prompt,
    async execute({ prompt, choices = [], editable, timeout }, run) {
      const { agent, round, callId, signal } = run;
      const timeoutMs = timeout === undefined ? null : timeout * 1000;
      const question = { prompt, choices, editable, timeoutMs };
      const answer = await askUser(question, { agent, round, callId, signal });
      if (signal.aborted) return { status: 'stopped', text: '' };
      const told = answer.status === 'timed_out' ? { ...answer, advice: NOBODY } : answer;
      return done(JSON.stringify(told, ['status', 'index', 'text', 'advice']));
    },
  });
