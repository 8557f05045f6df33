/**
 * A model server that answers as chance has it: with calls of all kinds, with words, late, in pieces, with
 * every failure there is, and at times not at all until the request is given up.
 */
import type { ModelClient } from '../../actors/ports.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import type {
  ModelDelta,
  ModelErrorKind,
  ModelOutcome,
  ModelReply,
  ModelRequest,
} from '../../messages/model.js';
import type { Chance, Weighted } from '../chance.js';
import type { Fault } from '../faults.js';
import type { Happening } from '../happenings.js';
import type { SimulatedProcess } from '../process/simulated-process.js';
import type { ModelTemper } from '../scenario.js';
import type { Money } from '../money.js';
import type { Talk } from '../talk.js';
import { callsOf } from './calls.js';
import { promptTokensOf, usageOf } from './server-count.js';
import { summaryOf, wantsSummary } from './summaries.js';
import type { World } from './world.js';

export interface SimulatedModelParts {
  readonly process: SimulatedProcess;
  readonly world: World;
  readonly chance: Chance;
  readonly temper: ModelTemper;
  readonly talk: Talk;
  readonly money: Money;
  readonly fault: Fault | null;
  readonly note: (what: Happening) => void;
}

const FAILURES: readonly Weighted<ModelErrorKind>[] = [
  ['auth', 1],
  ['not-found', 1],
  ['bad-request', 2],
  ['context-overflow', 1],
  ['rate-limit', 4],
  ['overloaded', 4],
  ['server', 4],
  ['network', 4],
  ['stalled', 3],
  ['cut', 3],
  ['empty', 3],
];

/** A request that waits for so long is given up by whoever asked. */
const NEVER_MS = 3_600_000;
const OUTAGE_MS = 300_000;

export class SimulatedModel implements ModelClient {
  readonly #parts: SimulatedModelParts;

  constructor(parts: SimulatedModelParts) {
    this.#parts = parts;
  }

  async ask(
    given: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelOutcome> {
    const { process, note, world } = this.#parts;
    if (!process.isAlive) return process.never();
    if (signal.aborted) return { status: 'cancelled' };
    const request = faulty({ ...given, messages: [...given.messages] }, this.#parts);
    note({ type: 'request.sent', request });
    world.countRequest();
    const outcome = await this.#answer(request, onDelta, signal);
    note({ type: 'request.ended', agent: request.agent, round: request.round ?? 0, outcome });
    return outcome;
  }

  /** Whether it answers when somebody looks after it. */
  async probe(): Promise<boolean> {
    const { process, world, chance } = this.#parts;
    await process.wait(chance.skewed(1, 2_000));
    return !world.isServerAway(process.now());
  }

  async #answer(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelOutcome> {
    const { process, chance, temper } = this.#parts;
    const outcome = this.#decide(request);
    const pieces = outcome.status === 'ok' ? chance.between(1, 3) : 1;
    const never = chance.happens(temper.odd / 20);
    for (let piece = 0; piece < pieces; piece += 1) {
      const ms = never ? NEVER_MS : chance.skewed(0, temper.latencyMs);
      if (await process.waitOrAbort(ms, signal)) {
        await process.wait(chance.skewed(0, 100));
        return { status: 'cancelled' };
      }
      if (outcome.status === 'ok') onDelta({ kind: 'text', text: `piece ${piece} ` });
    }
    return never ? failure('stalled') : outcome;
  }

  #decide(request: ModelRequest): ModelOutcome {
    const { process, chance, temper, world } = this.#parts;
    const now = process.now();
    const isTired = world.requests > temper.patience;
    if (world.isServerAway(now)) return failure('network');
    if (this.#isTooLong(request)) return failure('context-overflow');
    // One that only wants to finish does not break down again and again, so that every history ends.
    if (!isTired && chance.happens(temper.failing)) return this.#fail(now);
    const { talk } = this.#parts;
    const usage = usageOf(request, this.#parts, chance);
    if (wantsSummary(request)) {
      const text = summaryOf(request, chance.happens(talk.badSummaries), chance);
      return { status: 'ok', reply: { ...EMPTY, text, usage } };
    }
    if (isTired || chance.happens(0.07))
      return says(request, `done with ${world.newKey()}`, usage, chance);
    const calls = callsOf(request, chance, world, temper);
    return { status: 'ok', reply: { ...EMPTY, calls, finish: 'calls', usage } };
  }

  /** For what it really has room for. */
  #isTooLong(request: ModelRequest): boolean {
    const { talk } = this.#parts;
    return talk.window !== null && promptTokensOf(request, talk) > talk.window * talk.served;
  }

  #fail(now: number): ModelOutcome {
    const { chance, world } = this.#parts;
    if (chance.happens(0.15)) world.breakServer(now + chance.skewed(1_000, OUTAGE_MS));
    const kind = chance.weighted(FAILURES);
    const retryAfterMs = kind === 'rate-limit' ? chance.pick([1_000, 30_000, 120_000]) : undefined;
    return failure(kind, retryAfterMs);
  }
}

const EMPTY: ModelReply = {
  text: '',
  reasoning: '',
  calls: [],
  usage: null,
  finish: 'stop',
  model: 'simulated',
};

/** Longer than any panel, log line or summary shows. */
const LONG = 20_000;

/** A sub-agent's words are cut for its parent, and kept in a real file: that is not simulated. */
function says(
  { agent }: ModelRequest,
  text: string,
  usage: ModelReply['usage'],
  chance: Chance,
): ModelOutcome {
  const said =
    agent === MAIN_AGENT && chance.happens(0.02) ? text.padEnd(LONG, ' and so on') : text;
  const finish = chance.happens(0.1) ? 'length' : 'stop';
  return { status: 'ok', reply: { ...EMPTY, text: said, finish, usage } };
}

const failure = (kind: ModelErrorKind, retryAfterMs?: number): ModelOutcome => ({
  status: 'failed',
  error: {
    kind,
    message: `the simulated server: ${kind}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  },
});

/** What the faults that are put in make of a request. */
function faulty(
  request: ModelRequest,
  { fault, process }: Pick<SimulatedModelParts, 'fault' | 'process'>,
): ModelRequest {
  const { messages } = request;
  if (fault === 'clock-in-prompt') {
    const [system, ...others] = messages;
    if (system === undefined) return request;
    const text = `${system.text} It is ${process.now()}.`;
    return { ...request, messages: [{ ...system, text }, ...others] };
  }
  if (fault === 'drop-system') {
    return { ...request, messages: messages.filter(({ role }) => role !== 'system') };
  }
  if (fault !== 'drop-result') return request;
  const newest = messages.findLastIndex(({ role }) => role === 'tool');
  return { ...request, messages: messages.filter((_, i) => i !== newest) };
}
