/** Lengths of time and times of day as people write them. Imports nothing. */

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Longer than a session can sensibly be asked to wait or run; catches a slip of the keyboard. */
const MAX_DURATION_MS = 366 * 86_400_000;

/** For messages about what was expected. */
export const DURATION_FORM = 'a duration such as "45s", "90m" or "1h30m", or a number of seconds';

/** `45s`, `90m`, `1h30m`, `2d`, or bare seconds. Null: not a duration, zero, or more than a year. */
export function parseDuration(text: string): number | null {
  const compact = text.trim().toLowerCase();
  if (compact.length > 40) return null;
  if (/^\d+(\.\d+)?$/.test(compact)) return inRange(Number(compact) * 1000);
  if (!/^(\d+(\.\d+)?(ms|[smhd])\s*)+$/.test(compact)) return null;
  let total = 0;
  for (const [, amount, unit] of compact.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    total += Number(amount) * (UNITS[unit ?? ''] ?? NaN);
  }
  return inRange(total);
}

export const WAIT_FORM = `${DURATION_FORM}; 0 for no wait`;

/** Like a duration, and 0 for not to wait at all. Null: neither. */
export const parseWait = (value: string | number): number | null =>
  String(value).trim() === '0' ? 0 : parseDuration(String(value));

function inRange(ms: number): number | null {
  const whole = Math.round(ms);
  return whole > 0 && whole <= MAX_DURATION_MS ? whole : null;
}

const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * When that will be, in milliseconds since the epoch: the next `HH:MM` by the local clock, or an ISO date or
 * time (local unless it names an offset). Null: not a time, or one that is not to come any more.
 */
export function parseClock(text: string, now: number): number | null {
  const trimmed = text.trim();
  const at = nextClock(trimmed, now) ?? isoTime(trimmed);
  return at !== null && at > now ? at : null;
}

function nextClock(text: string, now: number): number | null {
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [hour, minute, second] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0));
  if (hour === undefined || minute === undefined || second === undefined) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const at = new Date(now);
  at.setHours(hour, minute, second, 0);
  // By calendar days, not by 24 hours: the clock may change tonight.
  if (at.getTime() <= now) {
    at.setDate(at.getDate() + 1);
    at.setHours(hour, minute, second, 0);
  }
  return at.getTime();
}

function isoTime(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, time = '00:00', zone = ''] = match;
  // The engine turns 30 February into 2 March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return null;
  const offset = zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const at = Date.parse(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${time}${offset}`);
  return Number.isNaN(at) ? null : at;
}
