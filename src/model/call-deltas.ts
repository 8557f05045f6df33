/**
 * Puts the pieces of streamed tool calls together. Servers disagree on what says that a piece belongs to
 * a call: an id only at first, an index only, neither, an id that changes, one index for all. The rules
 * that survive all of them: a known id wins; a new id on a used index with a name is a new call; a piece
 * with neither continues the current call.
 */
import type { RawToolCall } from '../../messages/model.js';
import { isRecord, parseJson, recordOf, textOf } from './json-shape.js';

/** A call while it is being received. */
export interface OpenToolCall extends RawToolCall {
  /** Null: the server does not number its calls. */
  readonly index: number | null;
}

export interface CallsInProgress {
  readonly calls: readonly OpenToolCall[];
  /** Position of the call that the newest piece belonged to; -1: there is none yet. */
  readonly current: number;
}

export const NO_CALLS: CallsInProgress = { calls: [], current: -1 };

/** A model that asks for more at once is repeating itself; what is over is not kept. */
export const MAX_CALLS = 128;

interface Piece {
  readonly id: string;
  readonly index: number | null;
  readonly name: string;
  readonly argumentsText: string;
}

/** Ollama's own protocol, and servers built on it, send arguments as an object. */
function argumentsOf(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : textOf(value);
}

function readPiece(delta: Readonly<Record<string, unknown>>): Piece {
  const target = recordOf(delta['function']);
  return {
    id: textOf(delta['id']),
    index: typeof delta['index'] === 'number' ? delta['index'] : null,
    name: textOf(target['name']),
    argumentsText: argumentsOf(target['arguments']),
  };
}

/** Cheap for the many pieces that cannot be the end: most do not close a brace. */
const isWhole = (argumentsText: string): boolean =>
  argumentsText.trimEnd().endsWith('}') && isRecord(parseJson(argumentsText));

/** Without ids only the name can say that a new call begins, and some servers repeat it in every piece. */
function startsAnother(call: OpenToolCall, piece: Piece): boolean {
  if (call.name === '') return false;
  if (call.name !== piece.name) return true;
  return piece.argumentsText.trimStart().startsWith('{') && isWhole(call.argumentsText);
}

/** Position of the call the piece continues; -1: it begins a new one. */
function targetWithId({ calls, current }: CallsInProgress, piece: Piece): number {
  const named = piece.name !== '';
  const known = calls.findLastIndex((call) => call.id === piece.id);
  if (known >= 0) {
    const index = calls[known]?.index ?? null;
    const elsewhere = piece.index !== null && index !== null && piece.index !== index;
    // One id for two calls: only the number and the name tell them apart.
    return named && elsewhere ? -1 : known;
  }
  const slot =
    piece.index === null ? current : calls.findLastIndex((call) => call.index === piece.index);
  const call = calls[slot];
  if (call === undefined) return -1;
  if (!named) return slot;
  const idCameLate = call.id === '' && !startsAnother(call, piece);
  return idCameLate ? slot : -1;
}

function targetWithoutId({ calls, current }: CallsInProgress, piece: Piece): number {
  const named = piece.name !== '';
  const numbered =
    piece.index === null ? -1 : calls.findLastIndex((call) => call.index === piece.index);
  const begins = named && piece.index !== null && numbered < 0;
  if (begins) return -1;
  const slot = numbered >= 0 ? numbered : current;
  const call = calls[slot];
  if (call === undefined) return -1;
  return named && startsAnother(call, piece) ? -1 : slot;
}

/** Longer than any call that makes sense. What is over is not kept, so that the arguments stay open and count as cut off. */
export const MAX_ARGUMENTS = 4_000_000;

const joined = (text: string, more: string): string =>
  text.length + more.length <= MAX_ARGUMENTS ? text + more : (text + more).slice(0, MAX_ARGUMENTS);

function extended(call: OpenToolCall, piece: Piece): OpenToolCall {
  return {
    id: call.id === '' ? piece.id : call.id,
    index: call.index ?? piece.index,
    name: call.name === '' ? piece.name : call.name,
    argumentsText: joined(call.argumentsText, piece.argumentsText),
  };
}

/** The calls with one more piece; the same object when it is not a piece of a call. */
export function addPiece(state: CallsInProgress, delta: unknown): CallsInProgress {
  if (!isRecord(delta)) return state;
  const piece = readPiece(delta);
  const slot = piece.id === '' ? targetWithoutId(state, piece) : targetWithId(state, piece);
  const call = state.calls[slot];
  if (call !== undefined)
    return { calls: state.calls.with(slot, extended(call, piece)), current: slot };
  return begun(state, piece);
}

function begun(state: CallsInProgress, piece: OpenToolCall): CallsInProgress {
  if (state.calls.length >= MAX_CALLS) return state;
  const call = { ...piece, argumentsText: joined('', piece.argumentsText) };
  return { calls: [...state.calls, call], current: state.calls.length };
}

/** The calls with one that came whole, whatever it has in common with others. */
export const addWhole = (
  state: CallsInProgress,
  call: Pick<OpenToolCall, 'id' | 'name'> & { readonly arguments: unknown },
): CallsInProgress =>
  begun(state, {
    id: call.id,
    index: null,
    name: call.name,
    argumentsText: argumentsOf(call.arguments),
  });
