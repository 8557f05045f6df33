/**
 * A session as one compressed checkpoint: what was said, how far it has come, in the form that trustee reads.
 * Read again, its conversation is the same. Messages may hold plain text or blocks; calls may be written
 * `{id, name, input}` or as the chat protocol has them.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Message } from '../../messages/conversation.js';
import type { Millis } from '../../messages/ids.js';
import type { SessionSpec } from '../../messages/session.js';
import { blocksOf, callOf, type ForeignCall } from './content-blocks.js';
import { isJson, TransferRefused, type Json } from './refused.js';
import type { Piece } from './turns.js';

/** What a checkpoint may have when it is unpacked. */
export const MAX_CHECKPOINT_BYTES = 200 * 1024 * 1024;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

export const isGzip = (bytes: Buffer): boolean => bytes.subarray(0, 2).equals(GZIP_MAGIC);

export interface CheckpointParts {
  readonly spec: SessionSpec;
  readonly goal: string;
  readonly rounds: number;
  readonly messages: readonly Message[];
  readonly at: Millis;
  readonly version: string;
}

export const checkpointBytes = (parts: CheckpointParts): Buffer =>
  gzipSync(JSON.stringify(checkpointOf(parts)));

function checkpointOf({ spec, goal, rounds, messages, at, version }: CheckpointParts): Json {
  return {
    session_id: spec.id,
    timestamp: new Date(at).toISOString(),
    iteration: rounds,
    conversation: messages.map(entryOf),
    state: {
      task_description: goal,
      current_mode: spec.permissions.mode,
      current_step: 'PlanningLoop',
      tool_state: { open_file: null, window_start: 0 },
      api_call_count: rounds,
    },
    metadata: { agent_version: `ouro ${version}`, abk_version: 'none' },
  };
}

function entryOf(message: Message): Json {
  const { role, text } = message;
  if (role === 'tool') {
    return { role, content: text, tool_call_id: message.callId, name: message.name };
  }
  if (role !== 'assistant' || message.calls.length === 0) return { role, content: text };
  const calls = message.calls.map(({ id, name, args }) => ({ id, name, input: args }));
  return { role, content: text, tool_calls: calls };
}

export interface Checkpoint {
  readonly session: string | null;
  readonly pieces: readonly Piece[];
  readonly notices: readonly string[];
}

/** The JSON of a checkpoint; throws `TransferRefused` when it is none. */
export function unpackCheckpoint(bytes: Buffer, from: string): Json {
  let text: string;
  try {
    const plain = isGzip(bytes)
      ? gunzipSync(bytes, { maxOutputLength: MAX_CHECKPOINT_BYTES })
      : bytes;
    text = plain.toString('utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const limit = `it may have ${MAX_CHECKPOINT_BYTES} bytes when unpacked`;
    throw new TransferRefused(`${from} cannot be unpacked: ${why} (${limit}).`, { cause });
  }
  const value = parse(text);
  if (isJson(value) && Array.isArray(value['conversation'])) return value;
  throw new TransferRefused(
    `${from} is no checkpoint: it is not a JSON object with a list "conversation". For a transcript say --format claude.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function readCheckpoint(json: Json): Checkpoint {
  const entries = Array.isArray(json['conversation']) ? (json['conversation'] as unknown[]) : [];
  const pieces = entries.map(pieceOf);
  const unread = pieces.filter((piece) => piece === null).length;
  const id = json['session_id'];
  return {
    session: typeof id === 'string' && id !== '' ? id : null,
    pieces: pieces.filter((piece) => piece !== null),
    notices:
      unread === 0
        ? []
        : [`${unread} entries of the conversation were not understood and are left out`],
  };
}

function pieceOf(entry: unknown): Piece | null {
  if (!isJson(entry)) return null;
  const { role, content } = entry;
  const blocks = blocksOf(content);
  switch (role) {
    case 'system':
      return { kind: 'system', text: blocks.text };
    case 'user':
      return { kind: 'user', text: blocks.text, isOwn: true, results: blocks.results, agent: null };
    case 'assistant': {
      const calls = [...blocks.calls, ...listOf(entry['tool_calls']).map(chatCall)];
      return { kind: 'assistant', answer: null, blocks: { ...blocks, calls } };
    }
    case 'tool': {
      const id = entry['tool_call_id'] ?? entry['tool_use_id'];
      const own =
        typeof id === 'string'
          ? [{ id, text: blocks.text, isError: entry['is_error'] === true }]
          : [];
      return {
        kind: 'user',
        text: '',
        isOwn: false,
        results: [...blocks.results, ...own],
        agent: null,
      };
    }
    default:
      return null;
  }
}

const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isJson) : [];

function chatCall(call: Json): ForeignCall {
  const made = call['function'];
  if (!isJson(made)) return callOf(call);
  const args = made['arguments'];
  const input = typeof args === 'string' ? (parse(args) ?? args) : args;
  return callOf({ id: call['id'], name: made['name'], input: input === '' ? {} : input });
}
