/**
 * No request is larger than what is left of the window for messages, as long as there is anything that could
 * be left out. What counts are the tokens of the server; a session cannot know them before it is told.
 */
import { FORCE_ABOVE } from '../../actors/context/ladder.js';
import type { Message } from '../../messages/conversation.js';
import type { ModelRequest } from '../../messages/model.js';
import type { KnownWindow } from '../happenings.js';
import { promptTokensOf } from '../world/server-count.js';
import { wantsSummary } from '../world/summaries.js';
import type { Invariant } from './invariant.js';

export const windowKept: Invariant = {
  name: 'window-kept',
  promise: 'A request leaves room for its answer, as long as anything in it could be left out.',
  watch: (report) => {
    let window: KnownWindow | null = null;
    const check = (request: ModelRequest, known: KnownWindow): void => {
      const { agent, messages } = request;
      if (wantsSummary(request) || isBeginning(messages)) return;
      const used = promptTokensOf({ messages, tools: [] }, known);
      const most = mostTokens(request, known);
      if (used > most) report(`${agent} is sent ${used} tokens of messages, and ${most} fit`);
    };
    return {
      see: ({ what }) => {
        if (what.type === 'life.began') ({ window } = what);
        if (what.type === 'request.sent' && window !== null) check(what.request, window);
      },
    };
  },
};

/** The estimate is learned from what servers report, and these are not always the same kinds of text. */
const ERROR_OF_ESTIMATE = 0.1;
/** What is said with one request only comes on top. */
const NOTICE_TOKENS = 200;

function mostTokens({ tools }: ModelRequest, { tokens, replyTokens, counts }: KnownWindow): number {
  // Until it has learned how the server counts, a session takes the tools for as long as at first.
  const definitions = promptTokensOf({ messages: [], tools }, { counts: Math.min(1, counts) });
  const room = tokens - replyTokens - definitions;
  const unlearned = Math.max(1, counts) * (1 + ERROR_OF_ESTIMATE);
  return Math.floor(room * FORCE_ABOVE * unlearned) + NOTICE_TOKENS;
}

/** Instructions and words: all that a conversation can be begun anew with. */
const isBeginning = (messages: readonly Message[]): boolean =>
  messages.every(({ role }) => role === 'system' || role === 'user');
