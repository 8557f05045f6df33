/**
 * The small model that reads pages of the web for an agent: one request to the session's own model server,
 * with instructions of its own and no tools, so that nothing a page says can do more than change an answer.
 */
import type { ModelClient } from '../actors/ports.js';
import { loadPrompt } from '../config/prompts.js';
import type { AgentId } from '../messages/ids.js';
import type { ModelOutcome } from '../messages/model.js';
import type { AskModel, ModelAnswer } from './web/answer-page.js';
import { startDeadline } from './web/deadline.js';
import { pageMessage } from './web/prompts.js';

export interface PageReaderParts {
  readonly model: ModelClient;
  /** Of the small model. */
  readonly name: string;
  /** For the whole answer; then the page itself takes its place. */
  readonly limitMs: number;
}

/** Who asks, as the model server is told. No agent of the mesh: it has no rounds and no conversation. */
const PAGE_READER = 'page-reader' as AgentId;

/** Must not reject. Asks once: the page itself is there when that fails. */
export const pageReader =
  ({ model, name, limitMs }: PageReaderParts): AskModel =>
  async (page, caller) => {
    const { mark, maxTokens } = page;
    const instructions = loadPrompt('page', { mark, max_tokens: String(maxTokens) });
    const deadline = startDeadline(caller, limitMs);
    const outcome = await model.ask(
      {
        agent: PAGE_READER,
        model: name,
        messages: [
          { role: 'system', text: instructions },
          { role: 'user', text: pageMessage(page), origin: 'harness' },
        ],
        tools: [],
        maxTokens,
      },
      () => undefined,
      deadline.signal,
    );
    deadline.end();
    return answerOf(outcome, caller.aborted ? 'it was cancelled' : tooSlow(name, limitMs));
  };

function answerOf(outcome: ModelOutcome, whyCancelled: string): ModelAnswer {
  switch (outcome.status) {
    case 'ok': {
      const { text, finish, model, usage } = outcome.reply;
      return { ok: true, text, cut: finish === 'length', use: { model, usage } };
    }
    case 'failed':
      return { ok: false, message: outcome.error.message };
    case 'cancelled':
      return { ok: false, message: whyCancelled };
  }
}

const tooSlow = (name: string, limitMs: number): string =>
  `${name} did not answer within ${Math.ceil(limitMs / 1000)} s`;
