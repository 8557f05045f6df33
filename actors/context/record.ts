/**
 * What must not be forgotten of messages that leave the conversation, taken from them by the program itself
 * and not by a model: files changed and read, commands with their exit codes, errors, a person's answers.
 * Each list keeps its newest entries; what falls out stays in the journal.
 */
import type { Message, ToolCall, ToolMessage } from '../../messages/conversation.js';
import type { CallId } from '../../messages/ids.js';
import type { WorkRecord } from '../../messages/context.js';
import { withoutGuide } from '../../messages/tool-guides.js';
import { clip } from './clip.js';
import { endingOf } from './failures.js';

export const EMPTY_RECORD: WorkRecord = {
  changed: [],
  read: [],
  commands: [],
  errors: [],
  answers: [],
};

/** Enough to find the way back; together a few hundred tokens. */
const MOST: Readonly<Record<keyof WorkRecord, number>> = {
  changed: 60,
  read: 30,
  commands: 20,
  errors: 20,
  // A person's own words are never dropped.
  answers: Infinity,
};
const MAX_LINE_CHARS = 200;

const WRITERS: readonly string[] = ['write_file', 'edit_file'];

/** The record of what came before, with these messages added. */
export function recordOf(messages: readonly Message[], before: WorkRecord): WorkRecord {
  const found: Record<keyof WorkRecord, string[]> = {
    changed: [],
    read: [],
    commands: [],
    errors: [],
    answers: [],
  };
  const calls = new Map<CallId, ToolCall>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.calls) calls.set(call.id, call);
    if (message.role === 'tool') note(found, message, calls.get(message.callId));
  }
  return {
    changed: newest('changed', before, found),
    read: newest('read', before, found),
    commands: newest('commands', before, found),
    errors: newest('errors', before, found),
    answers: newest('answers', before, found),
  };
}

function newest(
  key: keyof WorkRecord,
  before: WorkRecord,
  found: Readonly<Record<keyof WorkRecord, readonly string[]>>,
): readonly string[] {
  const lines = [...before[key], ...found[key]];
  // The last mention counts: what was touched again is new again.
  const distinct = [...new Set(lines.reverse())].reverse();
  return distinct.length > MOST[key] ? distinct.slice(-MOST[key]) : distinct;
}

function note(
  found: Record<keyof WorkRecord, string[]>,
  { name, text, callId }: ToolMessage,
  call: ToolCall | undefined,
): void {
  const { failed, exit, error } = endingOf(text);
  const path = argument(call, 'path');
  if (path !== null && WRITERS.includes(name) && !failed) found.changed.push(path);
  if (path !== null && name === 'read_file' && !failed) found.read.push(path);
  const command = argument(call, 'command');
  if (name === 'shell' && command !== null) {
    found.commands.push(`${clip(command, MAX_LINE_CHARS)} → exit ${exit ?? '?'}`);
  }
  if (error !== null) found.errors.push(`${callId}: ${error}`);
  if (name === 'ask_user')
    found.answers.push(`${argument(call, 'prompt') ?? ''} → ${withoutGuide(text)}`);
}

function argument(call: ToolCall | undefined, key: string): string | null {
  const value: unknown = (call?.args as Readonly<Record<string, unknown>> | null | undefined)?.[
    key
  ];
  return typeof value === 'string' ? value : null;
}
