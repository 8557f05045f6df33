/**
 * The model client for every server: asks it in its own protocol, puts the answer together, and keeps the
 * limits on silence. Asks once: whether to try again is for the agent.
 */
import type { ModelClient } from '../../actors/ports.js';
import type { ModelDelta, ModelOutcome, ModelReply, ModelRequest } from '../../messages/model.js';
import { readAnswer } from './answer.js';
import { EMPTY_REPLY } from './assemble.js';
import type { ReplyInProgress } from './assemble.js';
import { conclude } from './conclusion.js';
import type { Ending } from './conclusion.js';
import { readEndpoint } from './endpoint.js';
import type { Endpoint, EndpointOptions } from './endpoint.js';
import { fetchTransport } from './fetch-transport.js';
import { inTurns } from './in-turns.js';
import type { Protocol } from './protocol.js';
import { recordOf } from './json-shape.js';
import { protocolFor } from './protocols.js';
import { readCalls } from './read-calls.js';
import { sdkTransport } from './sdk-transport.js';
import type { EndpointSettings } from './settings.js';
import type { Transport } from './transport.js';
import { cutPromptNotice } from './window-notice.js';
import { Watchdog, type SilenceLimits } from './watchdog.js';
import { limitsFor, type PatientLimits } from './patience.js';

export interface ModelClientOptions extends EndpointOptions, PatientLimits {
  /** Left to the server unless set. */
  readonly temperature?: number;
  /** Tokens in one reply; left to the server unless set. */
  readonly maxTokens?: number;
  /** Our own, for the user agent. */
  readonly version: string;
  readonly settings?: EndpointSettings;
}

function report({ added }: ReplyInProgress, onDelta: (delta: ModelDelta) => void): void {
  if (added.reasoning !== '') onDelta({ kind: 'reasoning', text: added.reasoning });
  if (added.text !== '') onDelta({ kind: 'text', text: added.text });
}

/** Characters of what is kept to be sent back; more than any provider sends, and too much for every row. */
const MAX_CARRIED = 1_000_000;

/** Whether the model said something; counts and comments of its server are no words. */
const spoke = (before: ReplyInProgress, now: ReplyInProgress): boolean =>
  now.text !== before.text ||
  now.reasoning !== before.reasoning ||
  now.calls !== before.calls ||
  now.blocks !== before.blocks ||
  now.finishReason !== before.finishReason;

type Question = readonly [
  request: ModelRequest,
  onDelta: (delta: ModelDelta) => void,
  signal: AbortSignal,
];

class ServerModelClient implements ModelClient {
  readonly #options: ModelClientOptions;
  readonly #settings: EndpointSettings;
  readonly #endpoint: Endpoint;
  readonly #protocol: Protocol;
  readonly #transport: Transport;
  /** What has been said to a person once already. */
  readonly #noticed = new Set<string>();

  constructor(options: ModelClientOptions) {
    this.#options = options;
    this.#settings = options.settings ?? {};
    this.#endpoint = readEndpoint(options);
    this.#protocol = protocolFor(this.#endpoint.baseUrl, this.#settings.protocol);
    const open = this.#protocol.metadata.travel === 'sdk' ? sdkTransport : fetchTransport;
    this.#transport = open(this.#endpoint, {
      'User-Agent': `ouro/${options.version}`,
      ...this.#protocol.headers(this.#endpoint),
      ...this.#settings.headers,
    });
  }

  /** Loads what the first request would have to load. */
  async warm(): Promise<void> {
    await this.#transport.warm();
  }

  async ask(...question: Question): Promise<ModelOutcome> {
    const [request, , signal] = question;
    if (signal.aborted) return { status: 'cancelled' };
    const { metadata } = this.#protocol;
    const asked = { endpoint: this.#endpoint, model: request.model, metadata };
    const { problem } = this.#endpoint;
    if (problem !== null) return { status: 'failed', error: problem };
    const limits = limitsFor(this.#options, request);
    const ending = await this.#converse(limits, ...question);
    const outcome = conclude(ending, asked, limits);
    if (outcome.status !== 'ok') return outcome;
    const reply = await readCalls(outcome.reply, request, this.#settings);
    return { status: 'ok', reply: this.#complete(reply, ending.state, request) };
  }

  #complete(reply: ModelReply, { blocks }: ReplyInProgress, request: ModelRequest): ModelReply {
    const { name } = this.#protocol.metadata;
    const notice = cutPromptNotice(request, reply.usage, this.#endpoint, name);
    const carries = blocks.length > 0 && JSON.stringify(blocks).length <= MAX_CARRIED;
    const isNew = notice !== null && !this.#noticed.has(request.agent);
    if (isNew) this.#noticed.add(request.agent);
    return {
      ...reply,
      ...(carries ? { carried: { protocol: name, model: request.model, blocks } } : {}),
      ...(isNew ? { notices: [...(reply.notices ?? []), notice] } : {}),
    };
  }

  /** One request, to whatever end it comes. */
  async #converse(limits: SilenceLimits, ...[request, onDelta, signal]: Question): Promise<Ending> {
    const controller = new AbortController();
    const watchdog = new Watchdog(limits, signal, controller);
    let state = EMPTY_REPLY;
    let complete = false;
    let thrown: Ending['thrown'] = null;
    try {
      const answer = await this.#send(request, controller);
      for await (const chunk of inTurns(answer.chunks)) {
        const next = this.#parse(state, chunk, answer.isWhole());
        if (next === state) continue;
        if (spoke(state, next)) watchdog.progress();
        state = next;
        report(state, onDelta);
        if (!state.ended) continue;
        answer.finish();
        break;
      }
      complete = answer.isComplete();
    } catch (reason) {
      thrown = { reason };
    }
    watchdog.release();
    if (!complete) controller.abort();
    return { state, complete, endedBy: watchdog.endedBy, thrown };
  }

  async #send(request: ModelRequest, controller: AbortController) {
    const { metadata } = this.#protocol;
    const { temperature, maxTokens = Infinity } = this.#options;
    const limit = Math.min(maxTokens, request.maxTokens ?? Infinity);
    const settings = {
      ...this.#settings,
      ...(temperature === undefined ? {} : { temperature }),
      ...(limit === Infinity ? {} : { maxTokens: limit }),
    };
    const { response, readEvents } = await this.#transport.send({
      path: metadata.chatPath,
      body: this.#protocol.formatRequest(request, this.#endpoint, settings),
      headers: { 'X-Ouro-Agent': request.agent },
      signal: controller.signal,
    });
    return readAnswer(response, controller, { ...metadata, readEvents });
  }

  #parse(state: ReplyInProgress, chunk: unknown, whole: boolean): ReplyInProgress {
    if (!whole) return this.#protocol.parseStreamEvent(state, chunk);
    return this.#protocol.parseResponse(recordOf(chunk));
  }
}

/** Asks the server at `baseUrl`. Safe to share: requests do not know of each other. */
export const createModelClient = (
  options: ModelClientOptions,
): ModelClient & { warm(): Promise<void> } => new ServerModelClient(options);
