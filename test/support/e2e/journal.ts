/** Looks into what a session has written, without the program's help and without changing anything. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../../messages/ids.js';
import type { JournalRow } from '../../../messages/journal.js';
import { openJournalReader } from '../../../src/store/journal-store.js';
import type { Place } from './place.js';

export const sessionFolder = ({ home }: Place, id: string): string => join(home, 'sessions', id);

/** The whole ids of the sessions that have a folder. */
export const sessionIds = ({ home }: Place): readonly string[] =>
  readdirSync(join(home, 'sessions'));

/** The only session there is. */
export function onlySession(place: Place): string {
  const [id, ...others] = sessionIds(place);
  if (id === undefined || others.length > 0) {
    throw new Error(`expected one session, found ${others.length + (id === undefined ? 0 : 1)}`);
  }
  return id;
}

/** Throws where a row is missing or is not what was written. */
export function journalRows(place: Place, id: string): readonly JournalRow[] {
  const view = openJournalReader({ dir: sessionFolder(place, id), session: id as SessionId });
  try {
    return [...view.rows()];
  } finally {
    view.close();
  }
}

type RowOf<K extends JournalRow['kind']> = Extract<JournalRow, { kind: K }>;

export const rowsOf = <K extends JournalRow['kind']>(
  rows: readonly JournalRow[],
  kind: K,
): readonly RowOf<K>[] => rows.filter((row): row is RowOf<K> => row.kind === kind);

/** Every byte that is kept of a session, as text. */
export const keptBytes = (place: Place, id: string): string =>
  readdirSync(sessionFolder(place, id), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
