/**
 * Tries a model out with three tiny requests: does it call a tool, do answers arrive in pieces, and is an
 * answer JSON that has to be. They cost what such requests cost.
 */
import { MAIN_AGENT } from '../../messages/ids.js';
import type { EndpointTrial } from '../../messages/endpoint-facts.js';
import type { Message } from '../../messages/conversation.js';
import type { ModelError, ModelOutcome, ModelRequest } from '../../messages/model.js';
import { readStart } from './body-text.js';
import { createModelClient, type ModelClientOptions } from './client.js';
import { readEndpoint } from './endpoint.js';
import { isRecord, parseJson, recordOf, type JsonRecord } from './json-shape.js';
import { addressOf } from './protocol.js';
import { protocolFor } from './protocols.js';
import { findTextCalls } from './text-calls.js';

export interface TrialQuestion extends Omit<
  ModelClientOptions,
  'firstTokenTimeoutMs' | 'silenceTimeoutMs' | 'promptTokensPerSecond'
> {
  readonly model: string;
  /** For each of the requests: a local model may have to be loaded first. */
  readonly timeoutMs: number;
}

export interface Tried {
  readonly found: Omit<EndpointTrial, 'at'>;
  /** Why the first request failed; null: it did not. */
  readonly error: ModelError | null;
}

/** Room for a model that reasons before it says a word. */
const MAX_TOKENS = 512;
const MAX_ANSWER_BYTES = 1024 * 1024;

const TOOL = {
  name: 'report_colour',
  description: 'Reports a colour.',
  parameters: {
    type: 'object',
    properties: { colour: { type: 'string' } },
    required: ['colour'],
  },
} as const;

const said = (text: string): readonly Message[] => [{ role: 'user', text, origin: 'harness' }];

/** Must not throw. */
export async function tryModel(question: TrialQuestion): Promise<Tried> {
  const { model, timeoutMs } = question;
  const client = createModelClient({
    ...question,
    // What is written as text is to be seen as such.
    settings: { ...question.settings, textCalls: false },
    maxTokens: MAX_TOKENS,
    firstTokenTimeoutMs: timeoutMs,
    silenceTimeoutMs: timeoutMs,
    // The prompts are tiny: no time is added for reading them.
    promptTokensPerSecond: 1_000,
  });
  const base = { agent: MAIN_AGENT, model, maxTokens: MAX_TOKENS } as const;
  const calling: ModelRequest = {
    ...base,
    messages: said('Call the tool report_colour with the colour "blue". Say nothing else.'),
    tools: [TOOL],
  };
  const first = await client.ask(calling, () => undefined, AbortSignal.timeout(timeoutMs));
  const calls = callsIn(first);
  if (first.status === 'failed' && first.error.kind !== 'bad-request') {
    return { found: { calls, streams: null, json: null }, error: first.error };
  }
  const error = first.status === 'failed' ? first.error : null;
  const counting: ModelRequest = {
    ...base,
    messages: said('Count from one to twenty in words.'),
    tools: [],
  };
  const streams = await arrivesInPieces(client, counting, timeoutMs);
  return { found: { calls, streams, json: await writesJson(question, base) }, error };
}

function callsIn(outcome: ModelOutcome): EndpointTrial['calls'] {
  if (outcome.status === 'cancelled') return null;
  // A server that cannot pass tools on to the model refuses the request.
  if (outcome.status === 'failed') return outcome.error.kind === 'bad-request' ? 'none' : null;
  const { reply } = outcome;
  if (reply.notices !== undefined && findTextCalls(reply.text, [TOOL]) !== null) return 'text';
  return reply.calls.some(({ name }) => name === TOOL.name) ? 'calls' : 'none';
}

async function arrivesInPieces(
  client: ReturnType<typeof createModelClient>,
  request: ModelRequest,
  timeoutMs: number,
): Promise<boolean | null> {
  let pieces = 0;
  const outcome = await client.ask(request, () => (pieces += 1), AbortSignal.timeout(timeoutMs));
  return outcome.status === 'ok' ? pieces > 1 : null;
}

/** Asked outside the client, which sends this only where it is known to do no harm beside tools. */
async function writesJson(
  question: TrialQuestion,
  base: Pick<ModelRequest, 'agent' | 'model' | 'maxTokens'>,
): Promise<boolean | null> {
  const endpoint = readEndpoint(question);
  const protocol = protocolFor(endpoint.baseUrl, question.settings?.protocol);
  const { metadata } = protocol;
  if (metadata.name === 'anthropic') return null;
  const messages = said('Answer with a JSON object whose only field "colour" is "blue".');
  const settings = { ...question.settings, maxTokens: MAX_TOKENS };
  const format =
    metadata.name === 'ollama'
      ? { format: 'json' }
      : { response_format: { type: 'json_object' }, stream_options: undefined };
  const request = protocol.formatRequest({ ...base, messages, tools: [] }, endpoint, settings);
  const answer = await post(
    addressOf(metadata, endpoint.baseUrl, metadata.chatPath),
    { ...protocol.headers(endpoint), ...question.settings?.headers },
    { ...request, stream: false, ...format },
    question.timeoutMs,
  );
  if (answer === 'refused') return false;
  const text = answer === null ? '' : protocol.parseResponse(answer).text.trim();
  return text === '' ? null : isRecord(parseJson(text));
}

/** Null: nothing that can be read came back. */
async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: JsonRecord,
  timeoutMs: number,
): Promise<JsonRecord | 'refused' | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    if (response.status === 400 || response.status === 422) return 'refused';
    const text = response.body === null ? '' : await readStart(response.body, MAX_ANSWER_BYTES);
    return response.ok ? recordOf(parseJson(text)) : null;
  } catch {
    return null;
  }
}
