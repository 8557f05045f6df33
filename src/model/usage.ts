/** Reads what a server says a request cost, and believes only numbers that can be true. */
import type { Usage } from '../../messages/model.js';
import { isRecord, recordOf } from './json-shape.js';

/** Null: absent, negative, not finite, or too large to count with. */
function count(value: unknown): number | null {
  if (typeof value !== 'number' || value < 0 || value > Number.MAX_SAFE_INTEGER) return null;
  return Number.isNaN(value) ? null : Math.floor(value);
}

const isCost = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Null: nothing in it is of use. A part that cannot be true counts as left out. */
export function readUsage(value: unknown): Usage | null {
  if (!isRecord(value)) return null;
  const prompt = count(value['prompt_tokens']);
  const completion = count(value['completion_tokens']);
  if (prompt === null && completion === null) return null;
  const details = recordOf(value['prompt_tokens_details']);
  const cached = Math.min(count(details['cached_tokens']) ?? 0, prompt ?? 0);
  const written = Math.min(count(details['cache_write_tokens']) ?? 0, (prompt ?? 0) - cached);
  const cost = value['cost'];
  return {
    promptTokens: prompt ?? 0,
    completionTokens: completion ?? 0,
    cachedTokens: cached,
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    ...(isCost(cost) ? { costUsd: cost } : {}),
  };
}
