/** Finds out why no connection came about, below the layers of errors that wrap the reason. */

interface NetworkCause {
  /** Such as `ECONNREFUSED`; empty when there is none. */
  readonly code: string;
  /** What happened, as the end of a sentence that begins with the address. */
  readonly happened: string;
  readonly advice: string;
}

/** Errors are wrapped two or three deep; a longer chain is a circle. */
const MAX_DEPTH = 8;

const inner = (error: Error): unknown =>
  // Where a name has several addresses, every one of them failed: the first speaks for all.
  error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause;

function chainOf(thrown: unknown): readonly Error[] {
  const chain: Error[] = [];
  let next = thrown;
  while (next instanceof Error && chain.length < MAX_DEPTH) {
    chain.push(next);
    next = inner(next);
  }
  return chain;
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

const CHECK_URL = 'Is the server running? Check --base-url.';

function explain(code: string, message: string): Omit<NetworkCause, 'code'> {
  switch (code) {
    case 'ECONNREFUSED':
      return { happened: 'nothing is listening there', advice: CHECK_URL };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        happened: 'the name of the host is not known',
        advice: 'Check --base-url and the network connection.',
      };
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return {
        happened: 'the host does not answer',
        advice: 'Check --base-url, the network connection and firewalls.',
      };
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return {
        happened: 'the connection was closed before the answer',
        advice: 'The server may have crashed: look at its log.',
      };
    case 'EPROTO':
      return {
        happened: 'the server does not speak TLS there',
        advice: 'If it has no TLS, write http:// in --base-url.',
      };
    default:
      return explainByFamily(code, message);
  }
}

function explainByFamily(code: string, message: string): Omit<NetworkCause, 'code'> {
  if (/CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_TLS/.test(code)) {
    return {
      happened: 'its certificate is not trusted',
      advice: 'For a private certificate authority, set NODE_EXTRA_CA_CERTS to its file.',
    };
  }
  if (code.startsWith('ERR_SSL')) return explain('EPROTO', message);
  if (code.startsWith('HPE_')) {
    return { happened: 'what answers there is not an HTTP server', advice: 'Check --base-url.' };
  }
  // The SDK keeps no code of a connection that took too long, only these words.
  if (/timed? ?out/i.test(message)) return explain('ETIMEDOUT', message);
  return { happened: message, advice: CHECK_URL };
}

export function networkCause(thrown: unknown): NetworkCause {
  const chain = chainOf(thrown);
  const code = chain.map(codeOf).findLast((found) => found !== '') ?? '';
  const message = chain.at(-1)?.message ?? String(thrown);
  return { code, ...explain(code, message === '' ? 'the connection failed' : message) };
}
