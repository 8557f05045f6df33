/**
 * The fields of a transcript's line, as Claude Code spells them (parentUuid) and as others do (parent_uuid).
 * A field of a wrong type counts as missing: what cannot be understood is kept and not told to a model.
 */
import type { Usage } from '../../messages/model.js';
import { isJson, type Json } from './refused.js';

/** Undefined: nothing is said of one, so the line follows the one before it. Null: a history begins here. */
export type Parent = string | null | undefined;

export interface Entry {
  readonly type: string;
  readonly uuid: string | null;
  readonly parent: Parent;
  readonly sidechain: boolean;
  readonly agent: string | null;
  readonly session: string | null;
  readonly cwd: string | null;
  /** Milliseconds; NaN where none can be read. */
  readonly at: number;
  /** Lines of one answer share it. */
  readonly answer: string | null;
  readonly message: Json | null;
  readonly isMeta: boolean;
  /** Written by the program in place of an answer that never came. */
  readonly isError: boolean;
  /** The uuid that a tombstone takes back. */
  readonly deleted: string | null;
  /** The sub-agent whose result the line holds. */
  readonly resultOf: string | null;
}

const text = (json: Json, ...names: readonly string[]): string | null => {
  for (const name of names) {
    const value = json[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
};

const truth = (json: Json, ...names: readonly string[]): boolean =>
  names.some((name) => json[name] === true);

export function entryOf(json: Json): Entry {
  const message = isJson(json['message']) ? json['message'] : null;
  const type = text(json, 'type') ?? '';
  const result = json['toolUseResult'];
  return {
    type,
    uuid: text(json, 'uuid'),
    parent: parentOf(json),
    sidechain: truth(json, 'isSidechain', 'is_sidechain'),
    agent: text(json, 'agentId', 'agent_id'),
    session: text(json, 'sessionId', 'session_id'),
    cwd: text(json, 'cwd'),
    at: Date.parse(text(json, 'timestamp') ?? ''),
    answer: type === 'assistant' ? answerOf(json, message) : null,
    message,
    isMeta: truth(json, 'isMeta', 'isCompactSummary', 'is_compact_summary'),
    isError: truth(json, 'isApiErrorMessage'),
    deleted: type === 'tombstone' ? text(json, 'deletedUuid', 'deleted_uuid') : null,
    resultOf: isJson(result) ? text(result, 'agentId') : null,
  };
}

/** In the other spelling a line without a parent only fails to name it: no history is ever cut there. */
function parentOf(json: Json): Parent {
  if (json['parentUuid'] === null) return null;
  return text(json, 'parentUuid', 'parent_uuid') ?? undefined;
}

/** The same message may be asked for twice; the request tells them apart. */
function answerOf(json: Json, message: Json | null): string | null {
  const id = message === null ? null : text(message, 'id');
  return id === null ? null : `${id} ${text(json, 'requestId', 'request_id') ?? ''}`;
}

const count = (json: Json, name: string): number => {
  const value = json[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
};

/** Null: the answer does not say. What was read from a cache is part of the prompt with us. */
export function usageOf(message: Json): Usage | null {
  const usage = message['usage'];
  if (!isJson(usage)) return null;
  const cached = count(usage, 'cache_read_input_tokens');
  const written = count(usage, 'cache_creation_input_tokens');
  return {
    promptTokens: count(usage, 'input_tokens') + cached + written,
    completionTokens: count(usage, 'output_tokens'),
    cachedTokens: cached,
    cacheWriteTokens: written,
  };
}

export const addUsage = (a: Usage | null, b: Usage | null): Usage | null =>
  a === null || b === null
    ? (a ?? b)
    : {
        promptTokens: a.promptTokens + b.promptTokens,
        completionTokens: a.completionTokens + b.completionTokens,
        cachedTokens: a.cachedTokens + b.cachedTokens,
        cacheWriteTokens: (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0),
      };
