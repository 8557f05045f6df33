/**
 * A fold begun again from its written state and the rows that it names. Pure but for what it is given. Where
 * a row is not there, or is not what the state takes it for, nothing comes back.
 */
import type { Origin } from '../../messages/checkpoint.js';
import type { Message } from '../../messages/conversation.js';
import type { CallId, Seq } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { Conversation, type ConversationParts, type Result, type Said } from '../conversation.js';
import { EMPTY_RECORD } from '../context/record.js';
import type { JournalLookup } from '../ports.js';
import type { RecoveredParts } from '../recovered-parts.js';
import type { RecoveredAgent } from '../recovered-sub-agents.js';
import { Recovered } from '../recovery.js';
import type { TallyState } from '../tally.js';
import {
  isAgentPart,
  tallyList,
  type WrittenAgent,
  type WrittenConversation,
  type WrittenOrigin,
  type WrittenState,
} from './written-state.js';

type RowAt = JournalLookup['at'];

export function rebuilt({ parts, lists }: WrittenState, at: RowAt): Recovered | null {
  const rowAt = remembering(at);
  const written = [...parts].flatMap(([name, part]) => (isAgentPart(name) ? [part] : []));
  const agents = all(written, (part) => agentOf(part as WrittenAgent, lists, rowAt));
  if (agents === null) return null;
  const values = Object.fromEntries([...parts].filter(([name]) => !isAgentPart(name)));
  // Its row is proven to be the one that this program wrote, in this form.
  const plain = values as unknown as Omit<RecoveredParts, 'agents' | 'discoveries' | 'closed'>;
  const discoveries = (lists.get('discoveries') ?? []) as RecoveredParts['discoveries'];
  const closed = (lists.get('closed') ?? []) as RecoveredParts['closed'];
  return new Recovered({ ...plain, discoveries, closed, agents });
}

/** A compaction is asked for once for each of its messages. */
function remembering(at: RowAt): RowAt {
  const seen = new Map<Seq, JournalRow | null>();
  return (seq) => {
    const known = seen.get(seq);
    if (known !== undefined) return known;
    const row = at(seq);
    seen.set(seq, row);
    return row;
  };
}

function agentOf(
  { conversation: written, ...agent }: WrittenAgent,
  lists: WrittenState['lists'],
  at: RowAt,
): RecoveredAgent | null {
  if (written === null) return { ...agent, conversation: new Conversation() };
  const listOf = (list: 'written' | 'denials') => lists.get(tallyList(agent.id, list)) ?? [];
  const parts = conversationOf(written, at, {
    ...written.tally,
    written: listOf('written') as TallyState['written'],
    denials: listOf('denials') as TallyState['denials'],
  });
  return parts === null ? null : { ...agent, conversation: new Conversation(parts) };
}

function conversationOf(
  written: WrittenConversation,
  at: RowAt,
  tally: TallyState,
): ConversationParts | null {
  const origins = written.messages.map(originOf);
  const messages = all(origins, (origin) => messageAt(origin, at));
  const record = recordAt(written.record, at);
  const batch = batchAt(written.batch, at);
  const results = all(written.results, (result) => resultAt(result, at));
  const said = all(written.said, (source) => saidAt(source, at));
  if (messages === null || record === null || batch === null) return null;
  if (results === null || said === null) return null;
  const { revision } = written;
  return { messages, origins, revision, record, batch, results, said, tally };
}

/** Null: it cannot be said of one of them. */
function all<T, U>(items: readonly T[], one: (item: T) => U | null): U[] | null {
  const found: U[] = [];
  for (const item of items) {
    const made = one(item);
    if (made === null) return null;
    found.push(made);
  }
  return found;
}

const originOf = (written: WrittenOrigin): Origin =>
  typeof written === 'number' ? { row: written } : written;

function messageAt(origin: Origin, at: RowAt): Message | null {
  const message = wholeMessage(at(origin.row), origin.at);
  if (message === null || origin.mask === undefined) return message;
  const mask = at(origin.mask);
  if (mask?.kind !== 'context.masked' || message.role !== 'tool') return null;
  const masked = mask.body.masks.findLast(({ callId }) => callId === message.callId);
  return masked === undefined ? null : { ...message, text: masked.text };
}

function wholeMessage(row: JournalRow | null, position: number | undefined): Message | null {
  switch (row?.kind) {
    case 'message.added':
      return row.body.message;
    case 'tool.outcome': {
      const { callId, name, outcome } = row.body;
      return { role: 'tool', callId, name, text: outcome.text };
    }
    case 'context.summarised':
    case 'context.restarted':
    case 'context.undone':
      return position === undefined ? null : (row.body.messages[position] ?? null);
    default:
      return null;
  }
}

function recordAt(seq: Seq | null, at: RowAt): ConversationParts['record'] | null {
  if (seq === null) return { is: EMPTY_RECORD, row: null };
  const row = at(seq);
  switch (row?.kind) {
    case 'context.summarised':
    case 'context.restarted':
    case 'context.undone':
      return { is: row.body.record, row: seq };
    default:
      return null;
  }
}

function batchAt(seq: Seq | null, at: RowAt): ConversationParts['batch'] | null {
  if (seq === null) return { calls: [], row: null };
  const message = wholeMessage(at(seq), undefined);
  return message?.role === 'assistant' ? { calls: message.calls, row: seq } : null;
}

function resultAt(
  [callId, seq]: readonly [CallId, Seq],
  at: RowAt,
): readonly [CallId, Result] | null {
  const row = at(seq);
  return row?.kind === 'tool.outcome' ? [callId, { outcome: row.body.outcome, row: seq }] : null;
}

function saidAt(source: Seq, at: RowAt): Said | null {
  const row = at(source);
  if (row?.kind !== 'user.action' || row.body.action.do !== 'send') return null;
  const { text, mode } = row.body.action;
  return { text, mode, source };
}
