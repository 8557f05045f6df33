/**
 * What a person has accepted of a workspace's own files: for the workspace, or for one session alone. Kept in
 * the index; when it is lost nothing is trusted, and the person is asked to look again.
 */
import type { Time } from '../../actors/ports.js';
import type { SessionId } from '../../messages/ids.js';
import type { Database } from './database.js';

interface AcceptedFiles {
  readonly hash: string;
  /** A digest of each file, by its name in the workspace. */
  readonly digests: Readonly<Record<string, string>>;
}

export interface TrustTable {
  /** `workspace`: a real path. Without `session`: what was accepted for the workspace. */
  get(workspace: string, session?: SessionId): AcceptedFiles | null;
  set(workspace: string, accepted: AcceptedFiles, session?: SessionId): void;
  /** For the workspace and for every session in it. False: there was nothing. */
  revoke(workspace: string): boolean;
}

/** `session` is empty for the workspace itself. */
export const TRUST_TABLE = `CREATE TABLE trust (
    workspace TEXT NOT NULL,
    session TEXT NOT NULL,
    hash TEXT NOT NULL,
    digests TEXT NOT NULL,
    acceptedAt INTEGER NOT NULL,
    PRIMARY KEY (workspace, session)
  ) STRICT`;

interface StoredTrust {
  readonly hash: string;
  readonly digests: string;
}

export function trustTable(db: Database, time: Time): TrustTable {
  return {
    get(workspace, session) {
      const sql = 'SELECT hash, digests FROM trust WHERE workspace = ? AND session = ?';
      const row = db.prepare<[string, string], StoredTrust>(sql).get(workspace, session ?? '');
      if (row === undefined) return null;
      return { hash: row.hash, digests: JSON.parse(row.digests) as Record<string, string> };
    },
    set(workspace, { hash, digests }, session) {
      const sql =
        'INSERT OR REPLACE INTO trust (workspace, session, hash, digests, acceptedAt) VALUES (?, ?, ?, ?, ?)';
      db.prepare(sql).run(workspace, session ?? '', hash, JSON.stringify(digests), time.now());
    },
    revoke: (workspace) =>
      db.prepare('DELETE FROM trust WHERE workspace = ?').run(workspace).changes > 0,
  };
}
