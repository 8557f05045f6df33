/** One round of a session with the request as it was sent, rebuilt as a resumed session would be. */
import { Recovered } from '../actors/recovery.js';
import { repairHistory } from '../actors/repair-history.js';
import { NO_TOTALS, withRound } from '../actors/totals.js';
import type { Message } from '../messages/conversation.js';
import type { AgentId, CallId } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import type { SessionSpec } from '../messages/session.js';
import { RoundFold, type RoundRecord } from './replay/round-record.js';
import { openJournalReader } from './store/journal-store.js';
import type { JournalPlace } from './store/journal-file.js';

export interface FoundRound {
  readonly record: RoundRecord;
  /** Dollars; null: not known, or there was no answer. */
  readonly costUsd: number | null;
  readonly request: {
    readonly messages: readonly Message[];
    /** As many as the journal says were sent. */
    readonly isWhole: boolean;
  };
}

export interface RoundWish {
  readonly agent: AgentId;
  /** Null: the newest. */
  readonly round: number | null;
}

export interface RoundSearch {
  /** Null: there is no such round. */
  readonly found: FoundRound | null;
  /** The newest round of each agent. */
  readonly newest: ReadonlyMap<AgentId, number>;
  readonly spec: SessionSpec | null;
}

/** Throws what reading a journal throws. */
export function findRound(place: JournalPlace, wish: RoundWish): RoundSearch {
  return withRows(place, (rows) => {
    const recovered = new Recovered();
    const fold = new RoundFold(wish.agent, wish.round);
    let messages: readonly Message[] = [];
    for (const row of rows) {
      if (fold.begins(row) && row.kind === 'model.intent')
        messages = sentMessages(recovered, row.agent, row.body.messages);
      fold.apply(row);
      recovered.apply(row);
    }
    const newest = new Map([...recovered.agents.values()].map(({ id, round }) => [id, round]));
    const record = fold.record();
    const found = record === null ? null : foundRound(record, messages, recovered.spec);
    return { found, newest, spec: recovered.spec };
  });
}

/** The round in which a call was asked for; null: there is no such call. */
export function roundOfCall(place: JournalPlace, callId: CallId): RoundWish | null {
  return withRows(place, (rows) => {
    for (const { kind, agent, round, body } of rows) {
      if (kind !== 'message.added' || body.message.role !== 'assistant') continue;
      if (body.message.calls.some(({ id }) => id === callId)) return { agent, round };
    }
    return null;
  });
}

function withRows<T>(place: JournalPlace, use: (rows: Iterable<JournalRow>) => T): T {
  const view = openJournalReader(place);
  try {
    return use(view.rows());
  } finally {
    view.close();
  }
}

/** A history that a server had refused was sent in a repaired form, which has another length as a rule. */
function sentMessages(recovered: Recovered, agent: AgentId, count: number): readonly Message[] {
  const messages = [...(recovered.agents.get(agent)?.conversation.messages ?? [])];
  if (messages.length === count) return messages;
  const repaired = repairHistory(messages);
  return repaired.length === count ? repaired : messages;
}

function foundRound(
  record: RoundRecord,
  messages: readonly Message[],
  spec: SessionSpec | null,
): FoundRound {
  const usage = record.answer?.usage ?? null;
  const costUsd = record.answer === null ? null : withRound(NO_TOTALS, usage, spec).costUsd;
  const isWhole = record.attempts.at(-1)?.messages === messages.length;
  return { record, costUsd, request: { messages, isWhole } };
}
