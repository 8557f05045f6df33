/** A toolbox without a world, with the port's promises: the intent ahead of the effect, then the outcome. */
import type { CallContext, CallPlan, FinishedCall, Journal, ToolBox } from '../../actors/ports.js';
import type { ToolCall } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import { factOf } from '../../messages/journal.js';
import type { Effect, ToolOutcome } from '../../messages/tools.js';
import { okOutcome } from './session-samples.js';

export interface SimulatedTool {
  readonly effect?: Effect;
  readonly locks?: readonly string[];
  readonly waits?: boolean;
  readonly run?: (call: ToolCall, context: CallContext) => ToolOutcome | Promise<ToolOutcome>;
}

const CANCELLED: ToolOutcome = { status: 'cancelled', text: 'Error: cancelled before it began.' };

export class SimulatedTools implements ToolBox {
  /** What really began, in order; the effect of a call happens when it is noted here. */
  readonly began: ToolCall[] = [];
  readonly #journal: Journal;
  readonly #tools: Readonly<Record<string, SimulatedTool>>;

  constructor(journal: Journal, tools: Readonly<Record<string, SimulatedTool>> = {}) {
    this.#journal = journal;
    this.#tools = tools;
  }

  definitions(): readonly [] {
    return [];
  }

  canonical(call: ToolCall): ToolCall {
    return call;
  }

  plan(_agent: AgentId, { name }: ToolCall): CallPlan {
    const { effect = 'read', locks = [], waits = false } = this.#tools[name] ?? {};
    return { effect, locks, waits, summary: name };
  }

  async run(call: ToolCall, context: CallContext): Promise<FinishedCall> {
    const { agent, round, signal } = context;
    if (signal.aborted) return this.#finish(call, context, CANCELLED);
    if (call.invalid !== undefined) {
      const text = `Error: not a JSON object: ${call.invalid}`;
      return this.#finish(call, context, { status: 'failed', reason: 'bad-args', text });
    }
    const { effect } = this.plan(agent, call);
    const body = { callId: call.id, name: call.name, effect };
    await this.#journal.append([factOf('tool.intent', agent, round, body)]);
    this.began.push(call);
    const run = this.#tools[call.name]?.run ?? (() => okOutcome(`${call.name} done`));
    return this.#finish(call, context, await run(call, context));
  }

  #finish(call: ToolCall, { agent, round }: CallContext, outcome: ToolOutcome): FinishedCall {
    const body = { callId: call.id, name: call.name, outcome };
    return {
      outcome,
      committed: this.#journal.append([factOf('tool.outcome', agent, round, body)]),
    };
  }
}

/** Runs until it is aborted. */
export const untilAborted: NonNullable<SimulatedTool['run']> = (_call, { signal }) =>
  new Promise((resolve) => {
    const end = (): void =>
      resolve({ status: 'cancelled', text: 'Error: the call was cancelled.' });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
