/**
 * The state of a fold as plain JSON, in named parts and in lists that only grow. A live message is named by
 * the row it stands in; what agents said that have ended is left out, since nothing goes on from it. Pure.
 */
import type { Origin } from '../../messages/checkpoint.js';
import type { AgentId, CallId, Seq } from '../../messages/ids.js';
import type { Conversation } from '../conversation.js';
import type { RecoveredAgent } from '../recovered-sub-agents.js';
import type { Recovered } from '../recovery.js';
import type { TallyState } from '../tally.js';

/**
 * Must be raised whenever a part gets another meaning, is added or left out, or the fold makes something else
 * of a row: a checkpoint of another form is not used, and the rows themselves are read.
 */
export const FORM = 1;

export interface WrittenState {
  readonly parts: ReadonlyMap<string, unknown>;
  readonly lists: ReadonlyMap<string, readonly unknown[]>;
}

/** A row alone, where nothing else is to be said about it. */
export type WrittenOrigin = Seq | Origin;

export interface WrittenConversation {
  readonly messages: readonly WrittenOrigin[];
  readonly revision: number;
  /** Rows, as all that follows. */
  readonly record: Seq | null;
  readonly batch: Seq | null;
  readonly results: readonly (readonly [CallId, Seq])[];
  readonly said: readonly Seq[];
  readonly tally: Pick<TallyState, 'unresolved' | 'submission'>;
}

/** `conversation` null: it has ended. */
export interface WrittenAgent extends Omit<RecoveredAgent, 'conversation'> {
  readonly conversation: WrittenConversation | null;
}

const AGENT = 'agents.';
export const agentPart = (id: AgentId): string => `${AGENT}${id}`;
export const isAgentPart = (name: string): boolean => name.startsWith(AGENT);
export const tallyList = (id: AgentId, list: 'written' | 'denials'): string =>
  `${AGENT}${id}.conversation.tally.${list}`;

export function writtenState(recovered: Recovered): WrittenState {
  const { agents, discoveries, closed, ...values } = recovered.parts;
  const parts = new Map<string, unknown>(Object.entries(values));
  const lists = new Map<string, readonly unknown[]>([
    ['discoveries', discoveries],
    ['closed', closed],
  ]);
  for (const agent of agents) {
    parts.set(agentPart(agent.id), writtenAgent(agent));
    if (agent.end !== null) continue;
    const { written, denials } = agent.conversation.tally;
    if (written.length > 0) lists.set(tallyList(agent.id, 'written'), written);
    if (denials.length > 0) lists.set(tallyList(agent.id, 'denials'), denials);
  }
  return { parts, lists };
}

const writtenAgent = ({ conversation, ...agent }: RecoveredAgent): WrittenAgent => ({
  ...agent,
  conversation: agent.end === null ? writtenConversation(conversation) : null,
});

function writtenConversation({ parts, tally }: Conversation): WrittenConversation {
  const { origins, revision, record, batch, results, said } = parts;
  const { unresolved, submission } = tally;
  return {
    messages: origins.map(writtenOrigin),
    revision,
    record: record.row,
    batch: batch.row,
    results: results.map(([callId, { row }]) => [callId, known(row)]),
    said: said.map(({ source }) => source),
    tally: { unresolved, submission },
  };
}

function writtenOrigin(origin: Origin | null): WrittenOrigin {
  const { row, at, mask } = known(origin);
  return at === undefined && mask === undefined ? row : known(origin);
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error('a living conversation does not know its rows');
  return value;
}
