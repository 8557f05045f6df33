/** Requests that travel without a library, for protocols that none of ours speaks. */
import type { Endpoint } from './endpoint.js';
import { addressOf } from './protocol.js';
import { createFetch } from './transport.js';
import type { Transport, Wire } from './transport.js';
import { jsonEvents } from './event-stream.js';
import { parseJson, recordOf } from './json-shape.js';

/** An answer that is no success, with the fields by which errors of the SDK are known too. */
class Refused extends Error {
  readonly status: number;
  readonly error: unknown;
  readonly headers: Headers;

  constructor(response: Response, error: unknown) {
    super(`refused with status ${response.status}`);
    this.status = response.status;
    this.error = error;
    this.headers = response.headers;
  }
}

/** `headers` go with every request. */
export function fetchTransport({ baseUrl }: Endpoint, headers: Wire['headers']): Transport {
  let asking: typeof fetch | null = null;
  const opened = (): typeof fetch => (asking ??= createFetch());
  return {
    warm: () => Promise.resolve(void opened()),
    async send({ path, body, headers: more, signal }) {
      const response = await opened()(addressOf({ travel: 'fetch' }, baseUrl, path), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers, ...more },
        body: JSON.stringify(body),
        signal,
        // Another address would be handed the key.
        redirect: 'error',
      });
      if (response.ok) return { response, readEvents: jsonEvents };
      throw new Refused(response, recordOf(parseJson(await response.text()))['error']);
    },
  };
}
