/** Looks at an agent's context in a session's journal, and takes a compaction back in one that is not running. */
import type { Time } from '../actors/ports.js';
import { pictureOf, type ContextPicture } from '../actors/context/picture.js';
import { Estimator } from '../actors/context/estimator.js';
import { undoOf, type Compaction } from '../actors/context/undo.js';
import { MAIN_AGENT, shortId, type AgentId, type Seq, type SessionId } from '../messages/ids.js';
import { weightsIn } from './session-profile.js';
import { openJournal, openJournalReader } from './store/journal-store.js';
import { sessionDir, sessionLock } from './store/layout.js';
import { acquireLock } from './store/lock.js';
import { readProfile } from './store/profile-file.js';

export type { ContextPicture };

/** Null: there is no such agent. Throws where the journal cannot be read. */
export function contextOf(home: string, id: SessionId, agent: AgentId): ContextPicture | null {
  const view = openJournalReader({ dir: sessionDir(home, id), session: id });
  try {
    const { profile } = readProfile(home);
    return pictureOf([...view.rows()], agent, (model) => weightsIn(profile, model));
  } finally {
    view.close();
  }
}

export type Undone =
  | {
      readonly ok: true;
      readonly row: Seq;
      readonly compactions: readonly Compaction[];
      readonly messages: number;
      readonly tokens: number;
    }
  | { readonly ok: false; readonly reason: string };

export interface UndoRequest {
  readonly home: string;
  readonly id: SessionId;
  /** Of the compaction; null: the newest. */
  readonly row: Seq | null;
  readonly time: Time;
}

/** Of the main agent. On disk when it resolves. */
export async function undoCompaction({ home, id, row, time }: UndoRequest): Promise<Undone> {
  const lock = acquireLock(sessionLock(home, id), { what: 'undoing a compaction', session: id });
  if (lock === null) return { ok: false, reason: running(id) };
  try {
    const dir = sessionDir(home, id);
    const journal = openJournal({ dir, session: id, mode: 'append', time });
    try {
      const undo = undoOf([...journal.rows()], MAIN_AGENT, row);
      if (!undo.ok) return { ok: false, reason: refusal(undo.reason, id, row) };
      await journal.append([undo.fact]);
      const { messages, of } = undo.fact.body;
      return {
        ok: true,
        row: of,
        compactions: undo.compactions,
        messages: messages.length,
        tokens: new Estimator().of(messages),
      };
    } finally {
      await journal.close();
    }
  } finally {
    lock.release();
  }
}

const running = (id: SessionId): string =>
  'it is running, and what it is about to send cannot be changed under it; ' +
  `stop it first: ouro stop ${shortId(id)}`;

function refusal(
  reason: 'none' | 'no-compaction' | 'undone-before',
  id: SessionId,
  row: Seq | null,
): string {
  const list = `list them: ouro context show ${shortId(id)}`;
  switch (reason) {
    case 'none':
      return 'there is no compaction to take back';
    case 'no-compaction':
      return `row ${row ?? ''} is no compaction of the main agent; ${list}`;
    case 'undone-before':
      return `the compaction of row ${row ?? ''} was taken back already; ${list}`;
  }
}
