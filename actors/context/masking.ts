/**
 * Which results of tools may leave the request, and the line that stands in for one. The line says that the
 * call completed, what it was, and how to read the result again: wording that sounds like a lost result
 * makes models run the call once more.
 */
import type { Message, ToolCall, ToolMessage } from '../../messages/conversation.js';
import type { MaskedResult } from '../../messages/context.js';
import type { CallId } from '../../messages/ids.js';
import { withoutGuide } from '../../messages/tool-guides.js';
import { clip } from './clip.js';
import { CLEARED, endingOf } from './failures.js';

/** A result that may be masked, with its replacement. */
export interface Candidate extends MaskedResult {
  readonly index: number;
  /** The message that takes its place. */
  readonly standIn: ToolMessage;
}

export interface Eligibility {
  /** The round about to begin. */
  readonly round: number;
  /** Messages before this index only. */
  readonly before: number;
  /** Results younger than this many rounds stay. */
  readonly minAge: number;
  /** The newest results stay, this many. */
  readonly keepResults: number;
}

/** Results stay in the request for so many rounds at least, and so many of the newest always. */
export const MIN_AGE_ROUNDS = 3;
export const KEEP_RESULTS = 10;

/** Their results are a person's words, or the agent's own plan. */
const PROTECTED: readonly string[] = ['ask_user', 'submit_plan', 'todo', 'submit'];

/** Below this much saved, a placeholder costs more than it frees. */
const MIN_SAVED_CHARS = 200;

/** Shape of the arguments in a placeholder. */
const MAX_ARGUMENTS = 3;
const MAX_VALUE_CHARS = 37;
const MAX_ARGUMENTS_CHARS = 80;
const MAX_HINT_CHARS = 40;

export const isMasked = ({ text }: ToolMessage): boolean => text.startsWith(CLEARED);

/** Candidates, oldest first. */
export function candidates(messages: readonly Message[], rule: Eligibility): Candidate[] {
  const results = messages.flatMap((message, index) =>
    message.role === 'tool' ? [{ message, index }] : [],
  );
  const calls = callsById(messages);
  const open = unsolvedErrors(results.map(({ message }) => message));
  return results
    .slice(0, Math.max(0, results.length - rule.keepResults))
    .filter(({ message, index }) => {
      const age = rule.round - (roundOf(message.callId) ?? 0);
      return (
        index < rule.before &&
        age >= rule.minAge &&
        !isMasked(message) &&
        !PROTECTED.includes(message.name) &&
        !open.has(message.callId)
      );
    })
    .map(({ message, index }) => {
      const standIn = standInOf(message, calls.get(message.callId));
      return { index, callId: message.callId, text: standIn.text, standIn };
    })
    .filter(({ text, index }) => {
      const whole = messages[index]?.text ?? '';
      return whole.length - text.length >= MIN_SAVED_CHARS;
    });
}

/** Messages never change, and all that may be masked is looked at before each request: each line is made once. */
const standIns = new WeakMap<ToolMessage, ToolMessage>();

function standInOf(message: ToolMessage, call?: ToolCall): ToolMessage {
  const known = standIns.get(message);
  if (known !== undefined) return known;
  const fresh = { ...message, text: placeholder(message, call) };
  standIns.set(message, fresh);
  return fresh;
}

export function placeholder({ callId, name, text }: ToolMessage, call?: ToolCall): string {
  const lines = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
  const about = `${name}(${call === undefined ? '' : argumentsOf(call)})`;
  const round = roundOf(callId) ?? '?';
  return (
    `${CLEARED}${about} — ${text.length} chars, round ${round}] ` +
    `[completed; output masked -- ${lines} lines, ${hintOf(text)}; read_output id=${callId}]`
  );
}

function callsById(messages: readonly Message[]): Map<CallId, ToolCall> {
  const calls = new Map<CallId, ToolCall>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.calls) calls.set(call.id, call);
  }
  return calls;
}

function argumentsOf({ args }: ToolCall): string {
  const entries = Object.entries((args ?? {}) as Readonly<Record<string, unknown>>);
  const shown = entries.slice(0, MAX_ARGUMENTS).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key}=${clip(text, MAX_VALUE_CHARS)}`;
  });
  return clip(shown.join(', '), MAX_ARGUMENTS_CHARS);
}

/** Of a command its exit code, of what failed the line that says why, of anything else how it begins. */
function hintOf(text: string): string {
  const { exit, failed, error } = endingOf(text);
  if (failed)
    return `${exit === null ? 'failed' : `exit ${exit}`}${error === null ? '' : `: ${error}`}`;
  if (exit !== null) return `exit ${exit}`;
  const first = withoutGuide(text).split('\n', 1)[0] ?? '';
  return first.trim() === '' ? 'blank' : `begins: ${clip(first.trim(), MAX_HINT_CHARS)}`;
}

/** Errors that no later call of the same tool has made good: the agent may still be working on them. */
function unsolvedErrors(results: readonly ToolMessage[]): Set<CallId> {
  const open = new Map<string, CallId[]>();
  for (const result of results) {
    const { name, callId } = result;
    if (!hasFailed(result)) open.delete(name);
    else open.set(name, [...(open.get(name) ?? []), callId]);
  }
  return new Set([...open.values()].flat());
}

const failures = new WeakMap<ToolMessage, boolean>();

function hasFailed(result: ToolMessage): boolean {
  const known = failures.get(result);
  if (known !== undefined) return known;
  const { failed } = endingOf(result.text);
  failures.set(result, failed);
  return failed;
}

/** The round that a call was made in, from its id; null: made by somebody else. */
export function roundOf(callId: CallId): number | null {
  const round = /_(\d+)_\d+$/.exec(callId)?.[1];
  return round === undefined ? null : Number(round);
}
