/**
 * Divides a conversation into its zones: the pinned beginning, the summary of what was compacted, the
 * middle, and the recent messages that stay as they are. No zone ever begins between an answer and the
 * results of its calls.
 */
import type { AssistantMessage, Message } from '../../messages/conversation.js';

/** Each zone begins where the one before it ends; the first begins at 0. */
export interface Zones {
  /** End of system prompt and goal. */
  readonly pinned: number;
  /** End of the summary and of the person's words kept with it; equal to `pinned` when there is none. */
  readonly summary: number;
  /** End of the middle, and beginning of the recent messages. */
  readonly middle: number;
}

/** Messages that stay as they are, counted from the end and rounded up to whole turns. */
export const RECENT_MESSAGES = 10;

export const SUMMARY_MARK = '<context_summary';

export const isSummary = (message: Message | undefined): message is AssistantMessage =>
  message?.role === 'assistant' &&
  message.calls.length === 0 &&
  message.text.startsWith(SUMMARY_MARK);

export function zonesOf(messages: readonly Message[], recent = RECENT_MESSAGES): Zones {
  const pinned = pinnedEnd(messages);
  let summary = pinned;
  if (isSummary(messages[pinned])) {
    summary += 1;
    while (messages[summary]?.role === 'user') summary += 1;
  }
  return { pinned, summary, middle: Math.max(summary, recentStart(messages, recent)) };
}

/** The system prompt and the first words of a person (or of the parent agent). */
function pinnedEnd(messages: readonly Message[]): number {
  let end = 0;
  while (messages[end]?.role === 'system') end += 1;
  return messages[end]?.role === 'user' ? end + 1 : end;
}

/** Rounded outward to the answer whose results would be cut off; at least one whole turn. */
function recentStart(messages: readonly Message[], recent: number): number {
  let start = Math.max(0, messages.length - Math.max(1, recent));
  while (start > 0 && messages[start]?.role === 'tool') start -= 1;
  return start;
}
