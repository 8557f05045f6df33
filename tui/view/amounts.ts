/** Numbers as people read them on the dashboard: tokens, money, times. */
import type { Millis } from '../../messages/ids.js';

const THOUSAND = 1_000;
const MILLION = 1_000_000;

export function tokens(count: number): string {
  if (count < THOUSAND) return String(count);
  if (count < MILLION) return `${(count / THOUSAND).toFixed(1)}k`;
  return `${(count / MILLION).toFixed(1)}M`;
}

/** An unknown price is shown as unknown, never as 0. */
export const cost = (dollars: number | null): string =>
  dollars === null ? 'unknown' : `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;

const two = (value: number): string => String(value).padStart(2, '0');

/** `8s`, `1m 05s`, `2h 03m`, `3d 04h`; nothing is shorter than 0. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds}s`;
  if (hours === 0) return `${minutes}m ${two(seconds % 60)}s`;
  if (hours < 24) return `${hours}h ${two(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

/** Time left, rounded up: it is over when it says 0. */
export const countdown = (until: Millis, now: Millis): string =>
  duration(Math.ceil((until - now) / 1000) * 1000);

/** Local time of day. */
export function clockTime(at: Millis): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}
