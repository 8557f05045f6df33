/** What the index knows of a session, and how that lies in a table. */
import type { Millis, SessionId } from '../../messages/ids.js';
import type { HoldKind } from '../../messages/pause.js';
import { ENDPOINT_TABLE } from './endpoint-table.js';
import { SPENDING_TABLES } from './spending-store.js';
import type { EndStatus, SessionState } from '../../messages/session.js';
import { FINDINGS_TABLE } from './findings-table.js';
import { TRUST_TABLE } from './trust-table.js';

export interface SessionRecord {
  readonly id: SessionId;
  readonly name: string;
  /** Real path of the folder it works in. */
  readonly workspace: string;
  readonly goal: string;
  readonly model: string;
  readonly state: SessionState;
  /** Of the newest process; whether that still lives is the lock's to say. Null: there was none yet. */
  readonly pid: number | null;
  readonly startedAt: Millis;
  readonly updatedAt: Millis;
  readonly rounds: number;
  /** Null: no price is known for a model that was used. */
  readonly costUsd: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly holds: readonly HoldKind[];
  /** When all of them are over by themselves; null or left out: they wait for somebody, or there are none. */
  readonly heldUntil?: Millis | null;
  /** Path of the control socket; null: nobody listens. */
  readonly socket: string | null;
  readonly endStatus: EndStatus | null;
  readonly exitCode: number | null;
}

/** A record with its holds as JSON: everything else is stored as it is. */
export type StoredRecord = Omit<SessionRecord, 'holds'> & { readonly holds: string };

/** One entry a schema version, each only adding to those before. Never edited once released. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    workspace TEXT NOT NULL,
    goal TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL,
    pid INTEGER,
    startedAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    costUsd REAL,
    promptTokens INTEGER NOT NULL,
    completionTokens INTEGER NOT NULL,
    holds TEXT NOT NULL,
    socket TEXT,
    endStatus TEXT,
    exitCode INTEGER
  ) STRICT;
  CREATE INDEX sessions_by_start ON sessions (startedAt)`,
  TRUST_TABLE,
  SPENDING_TABLES,
  FINDINGS_TABLE,
  ENDPOINT_TABLE,
  'ALTER TABLE sessions ADD COLUMN heldUntil INTEGER',
];

const FIELDS: Readonly<Record<keyof SessionRecord, true>> = {
  id: true,
  name: true,
  workspace: true,
  goal: true,
  model: true,
  state: true,
  pid: true,
  startedAt: true,
  updatedAt: true,
  rounds: true,
  costUsd: true,
  promptTokens: true,
  completionTokens: true,
  holds: true,
  heldUntil: true,
  socket: true,
  endStatus: true,
  exitCode: true,
};

const names = Object.keys(FIELDS);
const assignments = (of: readonly string[]): string =>
  of.map((name) => `${name} = @${name}`).join(', ');

/** Replaces only the columns named here, so that those of a later schema keep their values. */
export const PUT_SESSION =
  `INSERT INTO sessions (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')}) ` +
  `ON CONFLICT (id) DO UPDATE SET ${assignments(names)}`;

/** Assigns the fields that `changes` has; the id names the row and is not changed. */
export function updateSession(changes: object): string {
  const named = names.filter((name) => name !== 'id' && name in changes);
  return `UPDATE sessions SET ${assignments(named)} WHERE id = @id`;
}

export const SELECT_SESSIONS = `SELECT ${names.join(', ')} FROM sessions`;

export const fromStored = ({ heldUntil = null, ...stored }: StoredRecord): SessionRecord => ({
  ...stored,
  ...(heldUntil === null ? {} : { heldUntil }),
  holds: JSON.parse(stored.holds) as HoldKind[],
});

/** The fields of a record, or some of them, as they are bound to a statement. */
export const toStored = (fields: Partial<SessionRecord>): Partial<StoredRecord> => {
  const { holds, ...rest } = fields;
  return holds === undefined ? rest : { ...rest, holds: JSON.stringify(holds) };
};
