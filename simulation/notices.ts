/** What is said with one request only stands behind its last message, and is no part of the conversation. */
import type { Message } from '../messages/conversation.js';

const NOTICE = /\n\n\[(?:Context notice|Budget notice|Round notice|Open tasks)\b[^]*$/;

export const withoutNotice = (text: string): string => text.replace(NOTICE, '');

/** The messages of a request as the conversation has them. */
export function conversationIn(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last === undefined) return messages;
  const text = withoutNotice(last.text);
  return text === last.text ? messages : [...messages.slice(0, -1), { ...last, text }];
}
