/**
 * One agent's conversation, kept outside of its machine so that nothing copies it. Results enter all
 * together, in call order, once the last call of a batch is answered; until then `openCalls` is not empty
 * and the messages are not fit to be sent. What a person says meanwhile waits until the next request
 * (`steer`) or the end of the turn (`queue`). Rebuilt from a journal it also knows in which row each message
 * stands; a living one does not.
 */
import type { Origin } from '../messages/checkpoint.js';
import type { MaskedResult, WorkRecord } from '../messages/context.js';
import type { Message, ToolCall, UserMessage } from '../messages/conversation.js';
import type { CallId, Seq } from '../messages/ids.js';
import type { RowBodies } from '../messages/journal.js';
import type { ToolOutcome } from '../messages/tools.js';
import { EMPTY_RECORD } from './context/record.js';
import { Corrections } from './corrections.js';
import { NO_TALLY, Tally, type TallyState } from './tally.js';

export interface Said {
  readonly text: string;
  readonly mode: 'steer' | 'queue';
  readonly source: Seq;
}

/** The result of a call of a batch, and the row that it stands in. */
export interface Result {
  readonly outcome: ToolOutcome;
  readonly row: Seq | null;
}

/** All that a conversation consists of; `row` and `origins` are null where no journal was read. */
export interface ConversationParts {
  readonly messages: readonly Message[];
  readonly origins: readonly (Origin | null)[];
  readonly revision: number;
  readonly record: { readonly is: WorkRecord; readonly row: Seq | null };
  readonly batch: { readonly calls: readonly ToolCall[]; readonly row: Seq | null };
  readonly results: readonly (readonly [CallId, Result])[];
  readonly said: readonly Said[];
  readonly tally: TallyState;
}

const NOTHING: ConversationParts = {
  messages: [],
  origins: [],
  revision: 0,
  record: { is: EMPTY_RECORD, row: null },
  batch: { calls: [], row: null },
  results: [],
  said: [],
  tally: NO_TALLY,
};

export class Conversation {
  #messages: Message[];
  /** As many as there are messages. */
  #origins: (Origin | null)[];
  #revision: number;
  #record: ConversationParts['record'];
  readonly #results: Map<CallId, Result>;
  #batch: ConversationParts['batch'];
  #said: readonly Said[];
  readonly tally: Tally;
  readonly corrections = new Corrections();

  constructor(parts: ConversationParts = NOTHING) {
    this.#messages = [...parts.messages];
    this.#origins = [...parts.origins];
    this.#revision = parts.revision;
    this.#record = parts.record;
    this.#results = new Map(parts.results);
    this.#batch = parts.batch;
    this.#said = parts.said;
    this.tally = new Tally(parts.tally);
  }

  /** Shares the messages with it. */
  get parts(): ConversationParts {
    return {
      messages: this.#messages,
      origins: this.#origins,
      revision: this.#revision,
      record: this.#record,
      batch: this.#batch,
      results: [...this.#results],
      said: this.#said,
      tally: this.tally.state,
    };
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Counts up whenever messages that were there before are changed. */
  get revision(): number {
    return this.#revision;
  }

  /** What is remembered of messages that are gone. */
  get record(): WorkRecord {
    return this.#record.is;
  }

  /** The calls of the newest answer that have no result yet, in call order. */
  get openCalls(): readonly ToolCall[] {
    return this.#batch.calls.filter(({ id }) => !this.#results.has(id));
  }

  /** All calls of the newest answer, while one of them is open. */
  get batch(): readonly ToolCall[] {
    return this.#batch.calls;
  }

  /** Of a call of the batch; null: it is open. */
  resultOf(callId: CallId): ToolOutcome | null {
    return this.#results.get(callId)?.outcome ?? null;
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
  add(message: Message, row: Seq | null = null): void {
    this.#messages.push(message);
    this.#origins.push(row === null ? null : { row });
    if (message.role === 'user') this.tally.reopen();
    if (message.role !== 'assistant' || message.calls.length === 0) return;
    this.#batch = { calls: message.calls, row };
    this.#results.clear();
  }

  /** A second result for the same call, or one for a call of no open batch, changes nothing. */
  addResult(callId: CallId, outcome: ToolOutcome, row: Seq | null = null): void {
    const call = this.openCalls.find(({ id }) => id === callId);
    if (call === undefined) return;
    this.#results.set(callId, { outcome, row });
    this.tally.count(call, outcome);
    if (this.openCalls.length > 0) return;
    for (const call of this.#batch.calls) this.#addResultOf(call);
    this.#batch = NOTHING.batch;
    this.#results.clear();
  }

  #addResultOf({ id, name }: ToolCall): void {
    const { outcome, row = null } = this.#results.get(id) ?? {};
    this.#messages.push({ role: 'tool', callId: id, name, text: outcome?.text ?? '' });
    this.#origins.push(row === null ? null : { row });
  }

  /** Puts a line in the place of each of these results. */
  mask(masks: readonly MaskedResult[], row: Seq | null = null): void {
    const texts = new Map(masks.map(({ callId, text }) => [callId, text]));
    this.#messages = this.#messages.map((message, i) => {
      const text = message.role === 'tool' ? texts.get(message.callId) : undefined;
      if (text === undefined) return message;
      const origin = this.#origins[i] ?? null;
      this.#origins[i] = origin === null || row === null ? null : { ...origin, mask: row };
      return { ...message, text };
    });
    this.#revision += 1;
  }

  /** Puts a summary in the place of `count` messages from `first` on. */
  condense(by: RowBodies['context.summarised'], row: Seq | null = null): void {
    this.#messages.splice(by.first, by.count, ...by.messages);
    this.#origins.splice(by.first, by.count, ...originsIn(by.messages, row));
    this.#record = { is: by.record, row };
    this.#revision += 1;
  }

  /** Begins again with these messages. */
  beginAnew({ messages, record }: RowBodies['context.restarted'], row: Seq | null = null): void {
    this.#messages = [...messages];
    this.#origins = originsIn(messages, row);
    this.#record = { is: record, row };
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

const originsIn = (messages: readonly Message[], row: Seq | null): (Origin | null)[] =>
  messages.map((_, at) => (row === null ? null : { row, at }));

export const userMessage = (text: string, origin: UserMessage['origin']): UserMessage => ({
  role: 'user',
  text,
  origin,
});
