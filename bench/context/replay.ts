/** Plays a trace round by round under one strategy, and writes down what each request was. */
import { createHash } from 'node:crypto';
import { Estimator } from '../../actors/context/estimator.js';
import { Conversation, userMessage } from '../../actors/conversation.js';
import { fold } from '../../actors/recovery.js';
import type { AssistantMessage, Message } from '../../messages/conversation.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import { factOf, type JournalFact, type JournalRow } from '../../messages/journal.js';
import type { ToolDefinition } from '../../messages/model.js';
import type { SessionSpec } from '../../messages/session.js';
import { encodeMessages } from '../../src/model/encode.js';
import { Bill, Provider } from './provider.js';
import { silentModel, standInModel } from './stand-in-model.js';
import { strategyOf, type Strategy, type StrategyName } from './strategies.js';
import { TokenCounter, type CountTokens } from './tokens.js';
import { callOf, type Trace, type TraceRound } from './trace.js';

export interface ReplaySetup {
  readonly trace: Trace;
  readonly strategy: StrategyName;
  readonly windowTokens: number;
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly spec: SessionSpec;
  /** Where no instructions of a person lie. */
  readonly home: string;
  readonly count: CountTokens;
  /** Looks at each request; for tests. */
  readonly onRequest?: (sent: Sent) => void;
}

export interface Sent {
  readonly round: number;
  readonly messages: readonly Message[];
  /** As it stands without what is said only this once. */
  readonly conversation: readonly Message[];
  readonly tokens: number;
  readonly kept: number | null;
  readonly compacted: boolean;
  /** To make the request, without what the stand-in for a model took; and its bytes where they were made. */
  readonly ms: number;
}

export interface Replayed {
  readonly sent: readonly Pick<Sent, 'round' | 'tokens' | 'kept' | 'compacted' | 'ms'>[];
  readonly messages: readonly Message[];
  /** As a journal has them; none where the strategy keeps none. */
  readonly rows: readonly JournalRow[];
  /** By price model. */
  readonly dollars: readonly number[];
  readonly summaries: number;
  readonly restarts: number;
  readonly estimator: Estimator;
  /** Rows folded at several rounds gave the same bytes as the conversation had then; null: no rows were kept. */
  readonly resumesSame: boolean | null;
}

/** A resume is tried this often in a trace. */
const RESUMES = 8;

interface Checkpoint {
  readonly rows: number;
  readonly digest: string;
}

export async function replay(setup: ReplaySetup): Promise<Replayed> {
  const run = new Run(setup);
  for (const [i, round] of setup.trace.rounds.entries()) await run.round(i + 1, round);
  return run.result();
}

class Run {
  readonly #setup: ReplaySetup;
  readonly #conversation = new Conversation();
  readonly #rows: JournalFact[] = [];
  readonly #checkpoints: Checkpoint[] = [];
  readonly #sent: Replayed['sent'][number][] = [];
  readonly #counter: TokenCounter;
  readonly #standIn;
  readonly #provider: Provider;
  readonly #bill = new Bill();
  readonly #estimator = new Estimator();
  readonly #strategy: Strategy;
  #compacted = false;
  #restarts = 0;
  #summaries = 0;

  constructor(setup: ReplaySetup) {
    const { tools, spec, home, windowTokens, strategy, system, trace, count } = setup;
    this.#setup = setup;
    this.#counter = new TokenCounter(count);
    this.#standIn = standInModel(this.#counter);
    this.#provider = new Provider(this.#counter, tools);
    this.#strategy = strategyOf(strategy, {
      ...{ conversation: this.#conversation, estimator: this.#estimator },
      ...{ tools, windowTokens, spec, home },
      model: strategy === 'mask + summary' ? this.#standIn.model : silentModel,
      record: (...facts) => void this.#rows.push(...facts),
      tell: (fact) => {
        if (fact.type !== 'context.compacted') return;
        this.#compacted = true;
        if (fact.step === 'restart') this.#restarts += 1;
        if (fact.step === 'summary') this.#summaries += 1;
      },
    });
    this.#add(0, { role: 'system', text: system });
    this.#add(0, userMessage(trace.goal, 'goal'));
  }

  async round(round: number, past: TraceRound): Promise<void> {
    if (past.heard !== null) this.#add(round, userMessage(past.heard, 'steer'));
    await this.#request(round, past);
    const calls = past.calls.map(({ name, args }, i) => ({ id: callOf(round, i + 1), name, args }));
    this.#add(round, { role: 'assistant', text: past.text, calls });
    past.calls.forEach(({ name, result }, i) => {
      const outcome = { status: 'ok', text: result, truncated: false } as const;
      const callId = callOf(round, i + 1);
      this.#conversation.addResult(callId, outcome);
      this.#rows.push(factOf('tool.outcome', MAIN_AGENT, round, { callId, name, outcome }));
    });
  }

  async #request(round: number, past: TraceRound): Promise<void> {
    this.#compacted = false;
    const { spent } = this.#standIn;
    const before = { ...spent };
    const start = performance.now();
    const messages = await this.#strategy.prepare(round);
    encodeMessages(messages);
    const ms = performance.now() - start - (spent.ms - before.ms);
    const billed = this.#provider.take(messages);
    const answered = this.#answerTokens(past);
    this.#bill.request(billed, answered);
    this.#bill.aside(spent.sent - before.sent, spent.answered - before.answered);
    const { tokens, cached, kept } = billed;
    const usage = { promptTokens: tokens, completionTokens: answered, cachedTokens: cached };
    const noted = { round, tokens, kept, compacted: this.#compacted, ms };
    this.#sent.push(noted);
    const conversation = this.#conversation.messages;
    this.#setup.onRequest?.({ ...noted, messages, conversation });
    this.#checkpoint(round);
    this.#strategy.counted(usage);
  }

  #answerTokens({ text, calls }: TraceRound): number {
    const written = calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
    return [text, ...written].reduce((sum, each) => sum + this.#counter.text(each), 0);
  }

  #add(round: number, message: Exclude<Message, { role: 'tool' }> | AssistantMessage): void {
    this.#conversation.add(message);
    this.#rows.push(factOf('message.added', MAIN_AGENT, round, { message }));
  }

  #checkpoint(round: number): void {
    const every = Math.ceil(this.#setup.trace.rounds.length / RESUMES);
    if (round % every !== 0 || !this.#keepsRows) return;
    const digest = digestOf(this.#conversation.messages);
    this.#checkpoints.push({ rows: this.#rows.length, digest });
  }

  get #keepsRows(): boolean {
    return this.#setup.strategy === 'mask' || this.#setup.strategy === 'mask + summary';
  }

  result(): Replayed {
    return {
      sent: this.#sent,
      messages: this.#conversation.messages,
      rows: this.#keepsRows ? this.#rows.map(fromDisk) : [],
      dollars: this.#bill.dollars,
      summaries: this.#summaries,
      restarts: this.#restarts,
      estimator: this.#estimator,
      resumesSame: this.#keepsRows ? this.#resumeAll() : null,
    };
  }

  #resumeAll(): boolean {
    return this.#checkpoints.every(({ rows, digest }) => {
      const folded = fold(this.#rows.slice(0, rows).map(fromDisk));
      return digestOf(folded.main.conversation.messages) === digest;
    });
  }
}

/** A journal holds JSON, and nothing of an object that was made for it. */
const fromDisk = (fact: JournalFact, i: number): JournalRow => {
  const row: unknown = JSON.parse(JSON.stringify({ ...fact, seq: i + 1, ts: i }));
  return row as JournalRow;
};

function digestOf(messages: readonly Message[]): string {
  const hash = createHash('sha256');
  for (const each of encodeMessages(messages)) hash.update(JSON.stringify(each)).update('\n');
  return hash.digest('hex');
}
