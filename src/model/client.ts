/**
 * The model client for every server that speaks OpenAI's chat completions. Owns the SDK, which is loaded
 * when it is first needed, and the limits on silence. Asks once: whether to try again is for the agent.
 */
import type OpenAI from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ModelClient } from '../../actors/ports.js';
import type { ModelDelta, ModelOutcome, ModelRequest } from '../../messages/model.js';
import { readAnswer } from './answer.js';
import type { EventReader } from './answer.js';
import { EMPTY_REPLY, step } from './assemble.js';
import type { ReplyInProgress } from './assemble.js';
import { conclude } from './conclusion.js';
import type { Ending } from './conclusion.js';
import { encodeMessages, encodeTools } from './encode.js';
import { maxTokensField, readEndpoint, refererHeaders } from './endpoint.js';
import type { Endpoint, EndpointOptions } from './endpoint.js';
import { createFetch } from './transport.js';
import { Watchdog } from './watchdog.js';
import type { SilenceLimits } from './watchdog.js';

export interface ModelClientOptions extends EndpointOptions, SilenceLimits {
  /** Left to the server unless set. */
  readonly temperature?: number;
  /** Tokens in one reply; left to the server unless set. */
  readonly maxTokens?: number;
  /** Our own, for the user agent. */
  readonly version: string;
}

/** The SDK's own limit is out of the way: a watchdog keeps ours. The longest that a timer can be set to. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

interface Sdk {
  readonly client: OpenAI;
  readonly readEvents: EventReader;
}

async function loadSdk(endpoint: Endpoint, version: string): Promise<Sdk> {
  const [{ default: OpenAI }, { Stream }] = await Promise.all([
    import('openai'),
    import('openai/streaming'),
  ]);
  const client = new OpenAI({
    baseURL: endpoint.baseUrl,
    // The SDK insists on a key; the header is taken out again where there is none.
    apiKey: endpoint.apiKey ?? 'none',
    // Null, or the SDK would send what it finds in the environment to whatever server this is.
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    // It would write to the terminal; all it has to say comes back as an error too.
    logLevel: 'off',
    fetch: createFetch(),
    defaultHeaders: {
      'User-Agent': `ouro/${version}`,
      ...refererHeaders(endpoint),
      ...(endpoint.apiKey === null ? { Authorization: null } : {}),
    },
  });
  return {
    client,
    // With the client, which is silent: without one the SDK would log to the terminal.
    readEvents: (response, controller) => Stream.fromSSEResponse(response, controller, client),
  };
}

function requestBody(
  request: ModelRequest,
  endpoint: Endpoint,
  { temperature, maxTokens = Infinity }: ModelClientOptions,
): ChatCompletionCreateParamsStreaming {
  const limit = Math.min(maxTokens, request.maxTokens ?? Infinity);
  return {
    model: request.model,
    messages: encodeMessages(request.messages),
    // Some servers refuse an empty list.
    ...(request.tools.length === 0 ? {} : { tools: encodeTools(request.tools) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(limit === Infinity ? {} : { [maxTokensField(endpoint)]: limit }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function report({ added }: ReplyInProgress, onDelta: (delta: ModelDelta) => void): void {
  if (added.reasoning !== '') onDelta({ kind: 'reasoning', text: added.reasoning });
  if (added.text !== '') onDelta({ kind: 'text', text: added.text });
}

type Question = readonly [
  request: ModelRequest,
  onDelta: (delta: ModelDelta) => void,
  signal: AbortSignal,
];

class OpenAiModelClient implements ModelClient {
  readonly #options: ModelClientOptions;
  readonly #endpoint: Endpoint;
  #sdk: Promise<Sdk> | null = null;

  constructor(options: ModelClientOptions) {
    this.#options = options;
    this.#endpoint = readEndpoint(options);
  }

  /** Loads what the first request would have to load. */
  async warm(): Promise<void> {
    await this.#loaded();
  }

  async ask(...question: Question): Promise<ModelOutcome> {
    const [request, , signal] = question;
    if (signal.aborted) return { status: 'cancelled' };
    const asked = { endpoint: this.#endpoint, model: request.model };
    const { problem } = this.#endpoint;
    if (problem !== null) return { status: 'failed', error: problem };
    return conclude(await this.#converse(...question), asked, this.#options);
  }

  /** One request, to whatever end it comes. */
  async #converse(...[request, onDelta, signal]: Question): Promise<Ending> {
    const controller = new AbortController();
    const watchdog = new Watchdog(this.#options, signal, controller);
    let state = EMPTY_REPLY;
    let complete = false;
    let thrown: Ending['thrown'] = null;
    try {
      const sdk = await this.#loaded();
      const response = await sdk.client.chat.completions
        .create(requestBody(request, this.#endpoint, this.#options), {
          signal: controller.signal,
          headers: { 'X-Ouro-Agent': request.agent },
        })
        .asResponse();
      const answer = readAnswer(response, controller, sdk.readEvents);
      for await (const chunk of answer.chunks) {
        const next = step(state, chunk);
        if (next === state) continue;
        watchdog.progress();
        state = next;
        report(state, onDelta);
      }
      complete = answer.isComplete();
    } catch (reason) {
      thrown = { reason };
    }
    watchdog.release();
    if (!complete) controller.abort();
    return { state, complete, endedBy: watchdog.endedBy, thrown };
  }

  #loaded(): Promise<Sdk> {
    this.#sdk ??= loadSdk(this.#endpoint, this.#options.version);
    return this.#sdk;
  }
}

/** Asks the server at `baseUrl`. Safe to share: requests do not know of each other. */
export const createModelClient = (
  options: ModelClientOptions,
): ModelClient & { warm(): Promise<void> } => new OpenAiModelClient(options);
