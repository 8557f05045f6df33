/**
 * Reads a profile from JSON that a person may have edited. A field that is missing has its first value, what
 * a newer program added stays; anything that cannot be meant makes the whole unreadable.
 */
import { NO_PROFILE, type ModelProfile, type Profile, type ToolProfile } from './profile-record.js';

type Fields = Readonly<Record<string, unknown>>;

/** Null: it is no profile. */
export function profileFrom(json: string): Profile | null {
  const fields = parsed(json);
  if (fields === null) return null;
  const models = entries(fields['models'], modelFrom);
  const tools = entries(fields['tools'], toolFrom);
  const numbers = ['runs', 'finished', 'cost_usd', 'last_run_at'].filter(
    (name) => fields[name] !== undefined && fields[name] !== null,
  );
  const text = fields['user_instructions'] ?? '';
  const isSound = numbers.every((name) => isAmount(fields[name])) && typeof text === 'string';
  if (models === null || tools === null || !isSound) return null;
  return { ...NO_PROFILE, ...fields, user_instructions: text, models, tools };
}

function parsed(json: string): Fields | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Null: one of them is none. */
function entries<T>(value: unknown, read: (fields: Fields) => T | null): Record<string, T> | null {
  if (value === undefined) return {};
  if (!isObject(value)) return null;
  const found: [string, T][] = [];
  for (const [name, fields] of Object.entries(value)) {
    const entry = isObject(fields) ? read(fields) : null;
    if (entry === null) return null;
    found.push([name, entry]);
  }
  return Object.fromEntries(found);
}

function modelFrom(fields: Fields): ModelProfile | null {
  const counts = amounts(fields, ['runs', 'finished', 'cost_usd', 'unpriced_runs']);
  const { tokens_per_round: tokens = null, weights } = fields;
  if (counts === null || !(tokens === null || isAmount(tokens))) return null;
  if (weights === undefined) return { ...fields, ...counts, tokens_per_round: tokens };
  if (!isObject(weights) || !Object.values(weights).every(isAmount)) return null;
  const numbers = weights as Readonly<Record<string, number>>;
  return { ...fields, ...counts, tokens_per_round: tokens, weights: numbers };
}

function toolFrom(fields: Fields): ToolProfile | null {
  const counts = amounts(fields, ['calls', 'errors', 'mean_result_bytes', 'total_ms']);
  return counts === null ? null : { ...fields, ...counts };
}

function amounts<K extends string>(fields: Fields, names: readonly K[]): Record<K, number> | null {
  const found = names.map((name) => [name, fields[name] ?? 0] as const);
  return found.every(([, value]) => isAmount(value))
    ? (Object.fromEntries(found) as Record<K, number>)
    : null;
}
