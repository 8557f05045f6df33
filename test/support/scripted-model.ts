/** A model that answers as it was told to, behind the port that the real client implements. */
import type { ModelClient } from '../../actors/ports.js';
import type { ModelDelta, ModelErrorKind, ModelOutcome, ModelReply } from '../../messages/model.js';
import type { ModelRequest } from '../../messages/model.js';
import { Recorder } from './recorder.js';
import { modelError, usageOf } from './session-samples.js';

export type Turn =
  | ModelOutcome
  | ((request: ModelRequest, signal: AbortSignal) => ModelOutcome | Promise<ModelOutcome>);

const reply = (part: Partial<ModelReply>): ModelOutcome => ({
  status: 'ok',
  reply: {
    text: '',
    reasoning: '',
    calls: [],
    usage: usageOf(10, 5),
    finish: 'stop',
    model: 'scripted-1',
    ...part,
  },
});

export const says = (text: string, part: Partial<ModelReply> = {}): ModelOutcome =>
  reply({ text, ...part });

/** A call as the model writes it: the arguments are text when they are not to be JSON. */
export type Asked = readonly [name: string, args?: unknown];

export const calls = (...asked: readonly Asked[]): ModelOutcome =>
  reply({
    finish: 'calls',
    calls: asked.map(([name, args = {}], i) => ({
      id: `call_${i}`,
      name,
      argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
    })),
  });

export const fails = (kind: ModelErrorKind, retryAfterMs?: number): ModelOutcome => ({
  status: 'failed',
  error: retryAfterMs === undefined ? modelError(kind) : { ...modelError(kind), retryAfterMs },
});

/** Never answers by itself; ends as cancelled once it is aborted. */
export const hangs: Turn = (_request, signal) =>
  new Promise((resolve) => {
    const cancel = (): void => resolve({ status: 'cancelled' });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });

/** `turns` by request, in order; a function plays any agent at any time. */
export class ScriptedModel implements ModelClient {
  readonly requests = new Recorder<ModelRequest>();
  readonly #turns: Turn[];
  readonly #otherwise: Turn;

  constructor(turns: readonly Turn[], otherwise: Turn = says('nothing left to do')) {
    this.#turns = [...turns];
    this.#otherwise = otherwise;
  }

  async ask(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelOutcome> {
    // As they are now: the conversation grows on.
    this.requests.push({ ...request, messages: [...request.messages] });
    const turn = this.#turns.shift() ?? this.#otherwise;
    await Promise.resolve();
    const outcome = typeof turn === 'function' ? await turn(request, signal) : turn;
    if (signal.aborted) return { status: 'cancelled' };
    if (outcome.status === 'ok' && outcome.reply.text !== '')
      onDelta({ kind: 'text', text: outcome.reply.text });
    return outcome;
  }
}
