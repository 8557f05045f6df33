/**
 * One agent's conversation, kept outside of its machine so that nothing copies it. Results enter all
 * together, in call order, once the last call of a batch is answered; until then `openCalls` is not empty
 * and the messages are not fit to be sent. What a person says meanwhile waits until the next request
 * (`steer`) or the end of the turn (`queue`).
 */
import type { Message, ToolCall, ToolMessage, UserMessage } from '../messages/conversation.js';
import type { CallId, Seq } from '../messages/ids.js';
import type { ToolOutcome } from '../messages/tools.js';
import { Corrections } from './corrections.js';
import { Tally } from './tally.js';

export interface Said {
  readonly text: string;
  readonly mode: 'steer' | 'queue';
  readonly source: Seq;
}

export class Conversation {
  readonly #messages: Message[] = [];
  readonly #results = new Map<CallId, ToolOutcome>();
  #batch: readonly ToolCall[] = [];
  #said: Said[] = [];
  readonly tally = new Tally();
  readonly corrections = new Corrections();

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The calls of the newest answer that have no result yet, in call order. */
  get openCalls(): readonly ToolCall[] {
    return this.#batch.filter(({ id }) => !this.#results.has(id));
  }

  get said(): readonly Said[] {
    return this.#said;
  }

  /** The model asks for nothing more, or has submitted its work. */
  get turnIsOver(): boolean {
    const last = this.#messages.at(-1);
    return (
      this.tally.submission !== null || (last?.role === 'assistant' && last.calls.length === 0)
    );
  }

  /** The newest words of the model; empty when it has said nothing yet. */
  get lastText(): string {
    const spoken = this.#messages.findLast((m) => m.role === 'assistant' && m.text !== '');
    return spoken?.role === 'assistant' ? spoken.text : '';
  }

  /** An answer with calls opens a batch; it joins the messages when the last result is in. */
  add(message: Message): void {
    this.#messages.push(message);
    if (message.role === 'user') this.tally.reopen();
    if (message.role !== 'assistant' || message.calls.length === 0) return;
    this.#batch = message.calls;
    this.#results.clear();
  }

  /** A second result for the same call, or one for a call of no open batch, changes nothing. */
  addResult(callId: CallId, outcome: ToolOutcome): void {
    const call = this.openCalls.find(({ id }) => id === callId);
    if (call === undefined) return;
    this.#results.set(callId, outcome);
    this.tally.count(call, outcome);
    if (this.openCalls.length > 0) return;
    this.#messages.push(...this.#batch.map((call) => this.#resultOf(call)));
    this.#batch = [];
    this.#results.clear();
  }

  #resultOf({ id, name }: ToolCall): ToolMessage {
    return { role: 'tool', callId: id, name, text: this.#results.get(id)?.text ?? '' };
  }

  hear(said: Said): void {
    this.#said = [...this.#said, said];
  }

  /** Takes the words out that may be read now, in the order they were said. */
  takeSaid(turnIsOver: boolean): Said[] {
    const taken = this.#said.filter(({ mode }) => turnIsOver || mode === 'steer');
    this.#said = this.#said.filter((said) => !taken.includes(said));
    return taken;
  }

  /** Forgets words that have been read already, by their row. */
  forgetSaid(source: Seq): void {
    this.#said = this.#said.filter((said) => said.source !== source);
  }
}

export const userMessage = (text: string, origin: UserMessage['origin']): UserMessage => ({
  role: 'user',
  text,
  origin,
});
