/** When a server wants to be asked again. */

/** Nobody limits for longer than a day; a date far off is a mistake. */
const MAX_RETRY_AFTER_MS = 86_400_000;

interface HeaderReader {
  get(name: string): string | null;
}

/** Undefined: not a number of that unit. An empty header would otherwise read as 0. */
function numberIn(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const value = Number(header);
  return value >= 0 ? value : undefined;
}

/** A number that has no unit a server would use, such as a negative one, is not a date either. */
function dateIn(header: string | null, now: number): number | undefined {
  if (header === null || !/[a-z]/i.test(header)) return undefined;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Undefined: the server did not say, or what it said makes no sense. */
export function retryAfterMs(headers: HeaderReader, now: number): number | undefined {
  const milliseconds = numberIn(headers.get('retry-after-ms'));
  const header = headers.get('retry-after');
  const seconds = numberIn(header);
  const wait = milliseconds ?? (seconds === undefined ? dateIn(header, now) : seconds * 1000);
  return wait === undefined ? undefined : Math.min(wait, MAX_RETRY_AFTER_MS);
}
