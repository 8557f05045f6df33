/**
 * A session as one file for each round that called tools, in the form of cinch: all that had been said until
 * then, and what it had cost. Each file repeats the ones before it, so their size grows with the square of
 * the session. A manifest says how the session stands.
 */
import type { Message } from '../../messages/conversation.js';
import { MAIN_AGENT, type Millis } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { stateAfter, type SessionSpec } from '../../messages/session.js';
import { ConversationFold, type Said } from './conversation-fold.js';
import type { Json } from './refused.js';

/** Of the goal, in the manifest. */
const PREVIEW_CHARS = 200;

export interface NamedFile {
  readonly name: string;
  readonly json: Json;
}

interface Sums {
  prompt_tokens: number;
  completion_tokens: number;
  /** Null: a server did not say what it costs. */
  estimated_cost_usd: number | null;
}

export function* roundFiles(rows: Iterable<JournalRow>): Generator<NamedFile> {
  const fold = new ConversationFold();
  const sums: Sums = { prompt_tokens: 0, completion_tokens: 0, estimated_cost_usd: 0 };
  const standing = { goal: '', status: 'running', createdAt: 0, updatedAt: 0, round: 0 };
  let spec: SessionSpec | null = null;
  for (const row of rows) {
    standing.updatedAt = row.ts;
    if (row.kind === 'session.started' || row.kind === 'session.resumed') {
      spec = row.body.spec;
      standing.createdAt ||= row.ts;
      standing.status = 'running';
    } else if (row.kind === 'goal.set') standing.goal ||= row.body.goal;
    else if (row.kind === 'session.ended') standing.status = statusOf(stateAfter(row.body.status));
    addCosts(sums, row, spec);
    const told = fold.take(row);
    if (spec === null || row.agent !== MAIN_AGENT) continue;
    standing.round = Math.max(standing.round, row.round);
    const isWhole = row.kind === 'tool.outcome' && told.length > 0;
    if (isWhole) yield roundFile(spec.id, row.round, fold.main, sums);
  }
  if (spec !== null) yield { name: 'manifest.json', json: manifestOf(spec, standing, sums) };
}

function addCosts(sums: Sums, row: JournalRow, spec: SessionSpec | null): void {
  if (row.kind !== 'model.outcome' || row.body.status !== 'ok') return;
  const { usage } = row.body;
  sums.prompt_tokens += usage?.promptTokens ?? 0;
  sums.completion_tokens += usage?.completionTokens ?? 0;
  const isFree = spec !== null && (spec.local || spec.rehearsal !== null);
  const cost = usage?.costUsd ?? (isFree ? 0 : null);
  sums.estimated_cost_usd =
    cost === null || sums.estimated_cost_usd === null ? null : sums.estimated_cost_usd + cost;
}

function roundFile(trace: string, round: number, said: readonly Said[], sums: Sums): NamedFile {
  const answer = said.findLast(({ message }) => message.role === 'assistant');
  return {
    name: `${trace}_round_${round}.json`,
    json: {
      trace_id: trace,
      messages: said.map(({ message }) => chatMessage(message)),
      text_output: answer?.message.text ?? '',
      round,
      ...sums,
    },
  };
}

/** As the chat protocol has it. */
function chatMessage(message: Message): Json {
  const { role, text } = message;
  if (role === 'tool')
    return { role, tool_call_id: message.callId, name: message.name, content: text };
  if (role !== 'assistant' || message.calls.length === 0) return { role, content: text };
  const calls = message.calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role, content: text, tool_calls: calls };
}

const statusOf = (state: string): string => (state === 'done' ? 'completed' : 'interrupted');

interface Standing {
  readonly goal: string;
  readonly status: string;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  readonly round: number;
}

const manifestOf = (spec: SessionSpec, standing: Standing, sums: Sums): Json => ({
  trace_id: spec.id,
  title: spec.name,
  model: spec.model,
  status: standing.status,
  created_at: new Date(standing.createdAt).toISOString(),
  updated_at: new Date(standing.updatedAt).toISOString(),
  last_round: standing.round,
  ...sums,
  message_preview: standing.goal.slice(0, PREVIEW_CHARS),
});
