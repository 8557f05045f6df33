/** Times, durations, counts and money as people read them. */
import type { Millis } from '../../messages/ids.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Up to here hours say more than days. */
const HOURS_UNTIL = 2 * DAY;

const two = (n: number): string => String(n).padStart(2, '0');

/** `120ms`, `4.2s`, `37s`, `3m04s`, `2h05m`, `3d`. */
export function duration(ms: number): string {
  const left = Math.max(0, ms);
  if (left < SECOND) return `${Math.floor(left)}ms`;
  if (left < 10 * SECOND) return `${(Math.floor(left / 100) / 10).toFixed(1)}s`;
  if (left < MINUTE) return `${Math.floor(left / SECOND)}s`;
  if (left < HOUR) return `${Math.floor(left / MINUTE)}m${two(Math.floor(left / SECOND) % 60)}s`;
  if (left < HOURS_UNTIL) {
    return `${Math.floor(left / HOUR)}h${two(Math.floor(left / MINUTE) % 60)}m`;
  }
  return `${Math.floor(left / DAY)}d`;
}

/** Local time of day: `07:05:09`. */
export function clock(at: Millis): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

/** Local date and time: `2026-03-01 07:05:09`. */
export function stamp(at: Millis): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock(at)}`;
}

/** `12,345`; grouped by hand, because `toLocaleString` loads locale data. */
export const count = (n: number): string =>
  String(Math.round(n)).replace(/\B(?=(?:\d{3})+$)/g, ',');

export const plural = (n: number, one: string): string =>
  `${count(n)} ${n === 1 ? one : `${one}s`}`;

/** Null is an unknown price and is called so: a price of 0 means that nothing was paid. */
export function dollars(cost: number | null): string {
  if (cost === null) return 'unknown';
  return cost > 0 && cost < 0.01 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`;
}
