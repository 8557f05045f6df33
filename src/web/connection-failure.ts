/** Says in words why no answer came from a host. The host is named, the URL is not: it may hold a key. */

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'the name is not known; check its spelling',
  EAI_AGAIN: 'the name could not be resolved; the network may be down',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ECONNRESET: 'the connection was closed before the answer was complete',
  EPIPE: 'the connection was closed before the answer was complete',
  EPROTO: 'it does not speak TLS there; try http://',
  HPE_HEADER_OVERFLOW: 'its headers are too large',
};

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_TLS/, 'its certificate is not trusted'],
  [/^ERR_SSL/, 'it does not speak TLS there; try http://'],
  [/^HPE_/, 'what answers there is not an HTTP server'],
  [/^Z_|^ERR_BROTLI|^ERR__ERROR_/, 'its compressed answer is damaged'],
];

export function connectionFailure(host: string, thrown: unknown): string {
  const code = codeOf(thrown);
  const known = CODES[code] ?? FAMILIES.find(([family]) => family.test(code))?.[1];
  const unknown = code === '' ? 'the connection failed' : `the connection failed (${code})`;
  return `${host}: ${known ?? unknown}.`;
}

function codeOf(thrown: unknown): string {
  // Where a name has several addresses, every one of them failed: the first speaks for all.
  const error: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
