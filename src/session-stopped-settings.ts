/** Changes settings of a session that is not running: on record, so that it goes on with them. */
import { existsSync } from 'node:fs';
import type { Time } from '../actors/ports.js';
import { changedSpec } from '../actors/changed-settings.js';
import { fold } from '../actors/recovery.js';
import type { Config } from '../config/settings.js';
import { shortId, type SessionId } from '../messages/ids.js';
import { sessionFact } from '../messages/journal.js';
import type { SessionSpec } from '../messages/session.js';
import { settingWords, type SettingsChange } from '../messages/settings-change.js';
import { unpricedLimit } from './session-budget.js';
import { openIndex } from './store/index-store.js';
import { openJournal, type JournalStore } from './store/journal-store.js';
import { sessionDir, sessionLock } from './store/layout.js';
import { acquireLock } from './store/lock.js';
import { giveName, givenName } from './store/session-labels.js';

export interface StoppedChange {
  readonly home: string;
  readonly id: SessionId;
  readonly change: SettingsChange;
  readonly time: Time;
  /** Asked where a price matters. */
  readonly readConfig: () => Promise<Config>;
}

export type ChangedStopped =
  | { readonly ok: true; readonly changed: boolean; readonly message: string }
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): ChangedStopped => ({ ok: false, reason });

/** On disk when it resolves. */
export async function changeStopped(request: StoppedChange): Promise<ChangedStopped> {
  const { home, id, time } = request;
  const dir = sessionDir(home, id);
  if (!existsSync(dir)) return refused(`its folder is gone; take it off the list: ${removal(id)}`);
  const lock = acquireLock(sessionLock(home, id), { what: 'changing settings', session: id });
  if (lock === null) return refused('it is just starting or ending; try again');
  try {
    const journal = openJournal({ dir, session: id, mode: 'append', time });
    try {
      return await changeIn(journal, request);
    } finally {
      await journal.close();
    }
  } finally {
    lock.release();
  }
}

const removal = (id: SessionId): string => `ouro sessions rm ${shortId(id)}`;

async function changeIn(journal: JournalStore, request: StoppedChange): Promise<ChangedStopped> {
  const { home, id, change } = request;
  const { spec } = fold(journal.rows());
  if (spec === null) return refused('its journal does not say what it is');
  // A name may have been given without a row.
  const before = { ...spec, name: givenName(home, id) ?? spec.name };
  const after = changedSpec(before, change);
  const words = settingWords(change);
  if (after === before) return { ok: true, changed: false, message: `it is so already: ${words}` };
  const refusal = await unpriced(after, request);
  if (refusal !== null) return refused(refusal);
  await journal.append([sessionFact('user.action', { action: { do: 'set', change } })]);
  keepInList(before, after, request);
  return { ok: true, changed: true, message: `when it goes on: ${words}` };
}

/** Only these two can make a limit of cost one that cannot be kept. */
async function unpriced(
  spec: SessionSpec,
  { change, readConfig }: StoppedChange,
): Promise<string | null> {
  if (change.model === undefined && change.maxCost === undefined) return null;
  return unpricedLimit(spec, await readConfig())?.reason ?? null;
}

function keepInList(
  before: SessionSpec,
  { name, model }: SessionSpec,
  { home, id, time }: StoppedChange,
): void {
  if (name !== before.name) giveName(home, id, name);
  const index = openIndex({ home, time });
  try {
    index.patch(id, { name, model });
  } finally {
    index.close();
  }
}
