/**
 * A journal's rows as what was said, in the order of the conversations: results stand behind their answer in
 * call order, each with the rows it comes from. Where a conversation is rewritten to keep it within its
 * model's window, it says so with all that is left of it. Holds the living conversation and no more.
 */
import type { Message, ToolCall } from '../../messages/conversation.js';
import {
  MAIN_AGENT,
  type AgentId,
  type CallId,
  type Millis,
  type Seq,
} from '../../messages/ids.js';
import type { JournalRow, RowBodies } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { isJson, type Json } from './refused.js';

export type Answered = Extract<RowBodies['model.outcome'], { status: 'ok' }>;

/** A message and the row that holds it. */
export interface Said {
  readonly message: Message;
  readonly seq: Seq;
  readonly ts: Millis;
  readonly round: number;
  /** Of an answer: how it was given; null where no row says so. */
  readonly answered: Answered | null;
  /** Of a result. */
  readonly outcome: ToolOutcome | null;
}

export type Told =
  | { readonly type: 'said'; readonly agent: AgentId; readonly said: Said }
  /** The agent's conversation consists of these from here on. */
  | {
      readonly type: 'rewritten';
      readonly agent: AgentId;
      readonly seq: Seq;
      readonly ts: Millis;
      readonly said: readonly Said[];
    };

interface Conversation {
  said: Said[];
  /** The calls that have no result in `said` yet, and the results that have come. */
  calls: readonly ToolCall[];
  readonly results: Map<CallId, Said>;
  answered: Answered | null;
}

export class ConversationFold {
  readonly #agents = new Map<AgentId, Conversation>();

  /** What the main agent's conversation consists of now. */
  get main(): readonly Said[] {
    return this.#of(MAIN_AGENT).said;
  }

  /** The same, with the results that have come of calls that still run. */
  get whole(): readonly Said[] {
    const { said, calls, results } = this.#of(MAIN_AGENT);
    return [...said, ...calls.flatMap(({ id }) => results.get(id) ?? [])];
  }

  #of(agent: AgentId): Conversation {
    const known = this.#agents.get(agent);
    if (known !== undefined) return known;
    const made: Conversation = { said: [], calls: [], results: new Map(), answered: null };
    this.#agents.set(agent, made);
    return made;
  }

  take(row: JournalRow): readonly Told[] {
    const { agent } = row;
    const conversation = this.#of(agent);
    switch (row.kind) {
      case 'model.outcome':
        conversation.answered = row.body.status === 'ok' ? row.body : null;
        return [];
      case 'message.added':
        return this.#add(conversation, row);
      case 'tool.outcome':
        return this.#settle(conversation, row);
      case 'agent.ended':
        this.#agents.delete(agent);
        return this.#left(agent, conversation);
      default:
        return rewrite(conversation, row);
    }
  }

  /** Results of calls whose batch never became whole. */
  end(): readonly Told[] {
    return [...this.#agents].flatMap(([agent, conversation]) => this.#left(agent, conversation));
  }

  #left(agent: AgentId, { calls, results }: Conversation): readonly Told[] {
    const left = calls.flatMap(({ id }) => results.get(id) ?? []);
    return left.map((said) => ({ type: 'said', agent, said }));
  }

  #add(conversation: Conversation, row: Extract<JournalRow, { kind: 'message.added' }>): Told[] {
    const { agent, seq, ts, round, body } = row;
    const { message } = body;
    const isAnswer = message.role === 'assistant';
    const answered = isAnswer ? conversation.answered : null;
    const said: Said = { message, seq, ts, round, answered, outcome: null };
    conversation.said.push(said);
    if (isAnswer) {
      conversation.answered = null;
      conversation.calls = message.calls;
      conversation.results.clear();
    }
    return [{ type: 'said', agent, said }];
  }

  #settle(conversation: Conversation, row: Extract<JournalRow, { kind: 'tool.outcome' }>): Told[] {
    const { agent, seq, ts, round, body } = row;
    const { callId, name, outcome } = body;
    const { calls, results } = conversation;
    if (!calls.some(({ id }) => id === callId) || results.has(callId)) return [];
    const message: Message = { role: 'tool', callId, name, text: outcome.text };
    results.set(callId, { message, seq, ts, round, answered: null, outcome });
    if (results.size < calls.length) return [];
    const all = calls.flatMap(({ id }) => results.get(id) ?? []);
    conversation.said.push(...all);
    conversation.calls = [];
    results.clear();
    return all.map((said) => ({ type: 'said', agent, said }));
  }
}

/** The kinds of rows that rewrite a conversation; looked at by their shape. */
const REWRITES: readonly string[] = ['context.summarised', 'context.restarted', 'context.undone'];

function rewrite(conversation: Conversation, row: JournalRow): readonly Told[] {
  const { agent, seq, ts, round } = row;
  const body: unknown = row.body;
  if (!REWRITES.includes(row.kind) || !isJson(body) || !Array.isArray(body['messages'])) return [];
  const messages = body['messages'] as readonly Message[];
  const fresh = messages.map((message): Said => ({
    ...{ message, seq, ts, round },
    answered: null,
    outcome: null,
  }));
  const [from, count] = spanOf(body, conversation.said.length);
  conversation.said.splice(from, count, ...fresh);
  return [{ type: 'rewritten', agent, seq, ts, said: [...conversation.said] }];
}

/** Which messages the new ones replace; all, unless it is said. */
function spanOf(body: Json, all: number): readonly [from: number, count: number] {
  const { first, count } = body;
  return typeof first === 'number' && typeof count === 'number' ? [first, count] : [0, all];
}
