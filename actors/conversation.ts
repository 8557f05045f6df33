/**
 * One agent's conversation, kept outside of its machine so that nothing copies it. Results enter all
 * together, in call order, once the last call of a batch is answered; until then `openCalls` is not empty
 * and the messages are not fit to be sent. What a person says meanwhile waits until the next request
 * (`steer`) or the end of the turn (`queue`).
 */
import type { MaskedResult, WorkRecord } from '../messages/context.js';
import type { Message, ToolCall, ToolMessage, UserMessage } from '../messages/conversation.js';
import type { CallId, Seq } from '../messages/ids.js';
import type { RowBodies } from '../messages/journal.js';
import type { ToolOutcome } from '../messages/tools.js';
import { EMPTY_RECORD } from './context/record.js';
import { Corrections } from './corrections.js';
import { Tally } from './tally.js';

export interface Said {
  readonly text: string;
  readonly mode: 'steer' | 'queue';
  readonly source: Seq;
}

export class Conversation {
  #messages: Message[] = [];
  #revision = 0;
  #record: WorkRecord = EMPTY_RECORD;
  readonly #results = new Map<CallId, ToolOutcome>();
  #batch: readonly ToolCall[] = [];
  #said: Said[] = [];
  readonly tally = new Tally();
  readonly corrections = new Corrections();

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Counts up whenever messages that were there before are changed. */
  get revision(): number {
    return this.#revision;
  }

  /** What is remembered of messages that are gone. */
  get record(): WorkRecord {
    return this.#record;
  }

  /** The calls of the newest answer that have no result yet, in call order. */
  get openCalls(): readonly ToolCall[] {
    return this.#batch.filter(({ id }) => !this.#results.has(id));
  }

  /** All calls of the newest answer, while one of them is open. */
  get batch(): readonly ToolCall[] {
    return this.#batch;
  }

  /** Of a call of the batch; null: it is open. */
  resultOf(callId: CallId): ToolOutcome | null {
    return this.#results.get(callId) ?? null;
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

  /** Puts a line in the place of each of these results. */
  mask(masks: readonly MaskedResult[]): void {
    const texts = new Map(masks.map(({ callId, text }) => [callId, text]));
    this.#messages = this.#messages.map((message) => {
      const text = message.role === 'tool' ? texts.get(message.callId) : undefined;
      return text === undefined ? message : { ...message, text };
    });
    this.#revision += 1;
  }

  /** Puts a summary in the place of `count` messages from `first` on. */
  condense(by: RowBodies['context.summarised']): void {
    this.#messages.splice(by.first, by.count, ...by.messages);
    this.#record = by.record;
    this.#revision += 1;
  }

  /** Begins again with these messages. */
  beginAnew({ messages, record }: RowBodies['context.restarted']): void {
    this.#messages = [...messages];
    this.#record = record;
    this.#revision += 1;
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
