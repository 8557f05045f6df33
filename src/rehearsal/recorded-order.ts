/**
 * Which answer of a recording is next: each agent has its own in the order in which they were given, and so
 * has its work on the side (summaries, pages), which is asked for without tools. A server that was started
 * again goes on behind the newest answer that it finds in the conversation.
 */
import type { ChatMessage } from './chat-request.js';
import type { Scenario, Turn } from './scenario.js';

export class RecordedOrder {
  readonly #queues = new Map<string, Turn[]>();
  /** Position of the next answer, by queue. */
  readonly #next = new Map<string, number>();

  constructor({ turns }: Scenario) {
    for (const turn of turns) {
      const key = keyOf(turn.when.agent ?? '', turn.side === true);
      const queue = this.#queues.get(key) ?? [];
      this.#queues.set(key, [...queue, turn]);
    }
  }

  /** Null: this agent said no more. */
  next(agent: string, side: boolean, messages: readonly ChatMessage[]): Turn | null {
    const key = keyOf(agent, side);
    const queue = this.#queues.get(key) ?? [];
    const at = this.#next.get(key) ?? placeIn(queue, messages);
    this.#next.set(key, at);
    return queue[at] ?? null;
  }

  /** The answer has arrived, or was one that nobody keeps. */
  served(agent: string, side: boolean): void {
    const key = keyOf(agent, side);
    this.#next.set(key, (this.#next.get(key) ?? 0) + 1);
  }

  whyNone(agent: string, side: boolean): string {
    const played = this.#queues.get(keyOf(agent, side))?.length ?? 0;
    const what = side ? 'answers on the side' : 'answers';
    return `the recording has no further answer for agent ${agent}: it has ${played} ${what}, and all were played`;
  }
}

const keyOf = (agent: string, side: boolean): string => `${side ? 'side' : 'rounds'} ${agent}`;

function placeIn(queue: readonly Turn[], messages: readonly ChatMessage[]): number {
  for (const message of messages.toReversed()) {
    if (message.role !== 'assistant') continue;
    const found = queue.findLastIndex((turn) => isAnswer(turn, message));
    if (found >= 0) return found + 1;
  }
  return 0;
}

/** By the ids of its calls, which no two answers share; without calls by its words. */
function isAnswer(
  { calls, text, fault }: Turn,
  answer: Extract<ChatMessage, { role: 'assistant' }>,
): boolean {
  if (fault !== null || calls.length !== answer.calls.length) return false;
  if (calls.length === 0) return text.fixed !== '' && text.fixed?.trim() === answer.text.trim();
  return calls.every(({ recorded }, at) => recorded?.id === answer.calls[at]?.id);
}
