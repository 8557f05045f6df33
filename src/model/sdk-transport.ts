/** Requests that travel through OpenAI's library, which is loaded when it is first needed. */
import type OpenAI from 'openai';
import type { EventReader } from './answer.js';
import type { Endpoint } from './endpoint.js';
import type { Transport, Wire } from './transport.js';
import { createFetch } from './transport.js';

/** The SDK's own limit is out of the way: a watchdog keeps ours. The longest that a timer can be set to. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

interface Sdk {
  readonly client: OpenAI;
  readonly readEvents: EventReader;
}

async function loadSdk(endpoint: Endpoint, headers: Wire['headers']): Promise<Sdk> {
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
      ...headers,
      ...(endpoint.apiKey === null ? { Authorization: null } : {}),
    },
  });
  return {
    client,
    // With the client, which is silent: without one the SDK would log to the terminal.
    readEvents: (response, controller) => Stream.fromSSEResponse(response, controller, client),
  };
}

/** `headers` go with every request, in place of the library's own. */
export function sdkTransport(endpoint: Endpoint, headers: Wire['headers']): Transport {
  let loading: Promise<Sdk> | null = null;
  const loaded = (): Promise<Sdk> => (loading ??= loadSdk(endpoint, headers));
  return {
    async warm() {
      await loaded();
    },
    async send({ path, body, headers: more, signal }) {
      const { client, readEvents } = await loaded();
      const asked = client.post(path, { body, signal, headers: more, stream: true });
      return { response: await asked.asResponse(), readEvents };
    },
  };
}
