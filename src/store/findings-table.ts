/**
 * The findings of all sessions by workspace, in the shared index, so that a new session can start with them
 * without opening a journal. What a session found is in its journal; from there it comes when the index is lost.
 */
import type { Millis, SessionId } from '../../messages/ids.js';
import type { Discovery } from '../../messages/journal.js';
import type { Database } from './database.js';

export interface FindingsTable {
  /** `n`: counted from 1 in its session; one that is there already keeps its time. */
  put(workspace: string, session: SessionId, n: number, finding: Discovery, at: Millis): void;
  /** Newest first, at most `most`; without those of `except`. */
  newest(workspace: string, except: SessionId, most: number): readonly Discovery[];
}

export const FINDINGS_TABLE = `CREATE TABLE findings (
    workspace TEXT NOT NULL,
    session TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (session, n)
  ) STRICT;
  CREATE INDEX findings_by_workspace ON findings (workspace, at)`;

const PUT = `INSERT INTO findings (workspace, session, n, at, title, description)
  VALUES (@workspace, @session, @n, @at, @title, @description)
  ON CONFLICT (session, n) DO UPDATE SET title = @title, description = @description`;

const NEWEST = `SELECT title, description FROM findings
  WHERE workspace = @workspace AND session <> @except ORDER BY at DESC, session, n DESC LIMIT @most`;

export const findingsTable = (db: Database): FindingsTable => ({
  put(workspace, session, n, { title, description }, at) {
    db.prepare(PUT).run({ workspace, session, n, at, title, description });
  },
  newest: (workspace, except, most) =>
    db.prepare<[object], Discovery>(NEWEST).all({ workspace, except, most }),
});
