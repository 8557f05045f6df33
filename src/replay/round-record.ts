/**
 * One round of one agent as its journal has it: what was asked and how often, what came back, and what became
 * of each call. Pure. It is also what `ouro show --json` prints: fields are added, never changed.
 */
import type { AssistantMessage, ToolCall } from '../../messages/conversation.js';
import type { AgentId, CallId } from '../../messages/ids.js';
import type { JournalRow, RowBodies } from '../../messages/journal.js';
import type { ModelUse, Usage } from '../../messages/model.js';
import { answerText, promptOf } from '../../messages/questions.js';
import type { Effect, ToolOutcome } from '../../messages/tools.js';

export interface AttemptRecord {
  readonly attempt: number;
  readonly model: string;
  readonly messages: number;
  readonly asked_at: string;
  /** `pending`: the rows end before its outcome. */
  readonly status: RowBodies['model.outcome']['status'] | 'pending';
  readonly duration_ms: number | null;
  readonly error: { readonly kind: string; readonly message: string } | null;
  /** Null: it was not made again after a wait. */
  readonly retry_in_ms: number | null;
}

export interface CallRecord {
  readonly call_id: CallId;
  readonly name: string;
  readonly args: unknown;
  /** What the model wrote, where that was no JSON object, or was repaired. */
  readonly sent: string | null;
  /** Null: it was never begun. */
  readonly effect: Effect | null;
  readonly began_at: string | null;
  readonly duration_ms: number | null;
  /** `open`: the rows end before its outcome. */
  readonly status: ToolOutcome['status'] | 'open';
  readonly text: string;
  readonly cached: boolean;
  /** What refused it, or what left it to a person. Null: the journal names none, as of calls that may run. */
  readonly rule: string | null;
  readonly question: {
    readonly id: string;
    readonly prompt: string;
    readonly answer: string | null;
  } | null;
  readonly pid: number | null;
  readonly model_use: readonly ModelUse[];
}

export interface RoundRecord {
  readonly agent: AgentId;
  readonly round: number;
  readonly attempts: readonly AttemptRecord[];
  /** Names of the tools on offer; null: the journal does not say. */
  readonly tools: readonly string[] | null;
  /** Null: the model did not answer. */
  readonly answer: {
    readonly model: string;
    readonly text: string;
    readonly reasoning: string;
    readonly finish: string;
    readonly duration_ms: number;
    readonly usage: Usage | null;
  } | null;
  readonly calls: readonly CallRecord[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type OkOutcome = Extract<RowBodies['model.outcome'], { status: 'ok' }>;

/** Collects the rows of a round; `wanted` null: of the newest one. */
export class RoundFold {
  readonly #agent: AgentId;
  readonly #wanted: number | null;
  #tools: readonly string[] | null = null;
  #round: number | null = null;
  #attempts: Writable<AttemptRecord>[] = [];
  #outcome: OkOutcome | null = null;
  #message: AssistantMessage | null = null;
  #calls = new Map<CallId, Writable<CallRecord>>();
  /** The tools that were on offer in the round. */
  #offered: readonly string[] | null = null;

  constructor(agent: AgentId, wanted: number | null) {
    this.#agent = agent;
    this.#wanted = wanted;
  }

  /** Whether the row asks the model in the round that is wanted. */
  begins(row: JournalRow): boolean {
    if (row.kind !== 'model.intent' || row.agent !== this.#agent) return false;
    return this.#wanted === null || row.round === this.#wanted;
  }

  apply(row: JournalRow): void {
    if (row.kind === 'model.intent' && row.agent === this.#agent)
      this.#tools = row.body.tools ?? this.#tools;
    if (this.begins(row) && row.round !== this.#round) this.#begin(row.round);
    if (row.agent === this.#agent && row.round === this.#round) this.#applyModel(row);
    this.#applyCall(row);
  }

  /** Null: there was no such round. */
  record(): RoundRecord | null {
    if (this.#round === null) return null;
    const { model = '', finish = '', ms = 0, usage = null } = this.#outcome ?? {};
    const { text = '', reasoning = '' } = this.#message ?? {};
    const isAnswered = this.#outcome !== null || this.#message !== null;
    return {
      agent: this.#agent,
      round: this.#round,
      attempts: this.#attempts,
      tools: this.#offered,
      answer: isAnswered ? { model, text, reasoning, finish, duration_ms: ms, usage } : null,
      calls: [...this.#calls.values()],
    };
  }

  #begin(round: number): void {
    this.#round = round;
    this.#attempts = [];
    this.#outcome = null;
    this.#message = null;
    this.#calls = new Map();
  }

  #applyModel(row: JournalRow): void {
    if (row.kind === 'model.intent') {
      const { attempt, model, messages } = row.body;
      this.#offered = this.#tools;
      this.#attempts.push({
        ...{ attempt, model, messages, asked_at: new Date(row.ts).toISOString() },
        ...{ status: 'pending', duration_ms: null, error: null, retry_in_ms: null },
      });
    } else if (row.kind === 'model.outcome') this.#endAttempt(row.body);
    else if (row.kind === 'model.reset') {
      const last = this.#attempts.at(-1);
      if (last !== undefined) last.retry_in_ms = row.body.retryInMs;
    } else if (row.kind === 'message.added' && row.body.message.role === 'assistant') {
      this.#message = row.body.message;
      for (const call of row.body.message.calls) this.#calls.set(call.id, newCall(call));
    }
  }

  #endAttempt(body: RowBodies['model.outcome']): void {
    const last = this.#attempts.at(-1);
    if (body.status === 'ok') this.#outcome = body;
    if (last === undefined) return;
    last.status = body.status;
    if (body.status === 'ok' || body.status === 'failed') last.duration_ms = body.ms;
    if (body.status === 'failed')
      last.error = { kind: body.error.kind, message: body.error.message };
  }

  #applyCall(row: JournalRow): void {
    if (row.kind === 'question.answered') {
      for (const { question } of this.#calls.values())
        if (question?.id === row.body.id)
          Object.assign(question, { answer: answerText(row.body.answer) });
      return;
    }
    const id = callOf(row);
    const call = id === null ? undefined : this.#calls.get(id);
    if (call === undefined) return;
    if (row.kind === 'tool.intent') {
      call.effect = row.body.effect;
      call.began_at = new Date(row.ts).toISOString();
    } else if (row.kind === 'tool.started') call.pid = row.body.pid;
    else if (row.kind === 'question.opened') {
      const { question } = row.body;
      if (question.body.kind === 'approval') call.rule = question.body.rule;
      call.question = { id: question.id, prompt: promptOf(question), answer: null };
    } else if (row.kind === 'tool.outcome') endCall(call, row.body.outcome, row.ts);
  }
}

function callOf(row: JournalRow): CallId | null {
  switch (row.kind) {
    case 'tool.intent':
    case 'tool.started':
    case 'tool.outcome':
      return row.body.callId;
    case 'question.opened':
      return row.body.question.callId;
    default:
      return null;
  }
}

const newCall = ({ id, name, args, invalid, repairedFrom }: ToolCall): Writable<CallRecord> => ({
  call_id: id,
  name,
  args,
  sent: invalid ?? repairedFrom ?? null,
  effect: null,
  began_at: null,
  duration_ms: null,
  status: 'open',
  text: '',
  cached: false,
  rule: null,
  question: null,
  pid: null,
  model_use: [],
});

function endCall(call: Writable<CallRecord>, outcome: ToolOutcome, at: number): void {
  call.status = outcome.status;
  call.text = outcome.text;
  call.duration_ms = call.began_at === null ? null : at - Date.parse(call.began_at);
  call.cached = outcome.status === 'ok' && outcome.cached === true;
  if (outcome.status === 'denied') call.rule = outcome.rule;
  call.model_use = outcome.modelUse ?? [];
}
