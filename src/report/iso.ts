import type { Millis } from '../../messages/ids.js';

/** ISO 8601 in UTC. */
export const iso = (at: Millis): string => new Date(at).toISOString();
