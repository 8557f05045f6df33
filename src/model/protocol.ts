/**
 * What differs between the protocols that model servers speak: four things, each pure. Everything else,
 * such as limits on silence, bounds, retried errors and broken arguments, is the same for all.
 */
import type { ModelRequest } from '../../messages/model.js';
import type { ReplyInProgress } from './assemble.js';
import type { Endpoint } from './endpoint.js';
import type { JsonRecord } from './json-shape.js';
import type { EndpointSettings, ProtocolName } from './settings.js';

export interface ProtocolMetadata {
  readonly name: ProtocolName;
  /** `sdk`: asked through OpenAI's library; `fetch`: asked by ourselves. */
  readonly travel: 'sdk' | 'fetch';
  /** How a stream is divided: server-sent events, or one JSON object a line. */
  readonly framing: 'events' | 'lines';
  /**
   * Behind the base URL: where questions go, and where the list of models is. With `fetch`, behind the
   * server's root, which people give with and without the version that belongs to these paths.
   */
  readonly chatPath: string;
  readonly listPath: string;
  /** A field that only a whole answer, one that was not streamed, has. */
  readonly wholeField: string;
  /** Completes "Check that --base-url is …". */
  readonly addressForm: string;
}

/** The address of one of the protocol's paths. */
export function addressOf(
  { travel }: Pick<ProtocolMetadata, 'travel'>,
  baseUrl: string,
  path: string,
): string {
  return (travel === 'sdk' ? baseUrl : baseUrl.replace(/\/(v1|api)$/, '')) + path;
}

/** What one request may say besides the conversation. */
export interface RequestLimits {
  readonly temperature?: number;
  readonly maxTokens?: number;
}

export interface Protocol {
  readonly metadata: ProtocolMetadata;
  /** Headers that name us and hold the key. */
  readonly headers: (endpoint: Endpoint) => Readonly<Record<string, string>>;
  /** The body. The same conversation always gives the same bytes. */
  readonly formatRequest: (
    request: ModelRequest,
    endpoint: Endpoint,
    settings: EndpointSettings & RequestLimits,
  ) => JsonRecord;
  /** A whole answer of a server that did not stream. */
  readonly parseResponse: (answer: JsonRecord) => ReplyInProgress;
  /** The state after one event; the same object when it added nothing, as keep-alives do. */
  readonly parseStreamEvent: (state: ReplyInProgress, event: unknown) => ReplyInProgress;
}
