/**
 * The index that all ouro processes of a user share: what sessions there are, how they stand, where they
 * listen. It is for finding and listing; the truth about a session is in its journal. Any number of
 * processes may read and write at once. Its schema only grows, and a newer one is refused without writing.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Time } from '../../actors/ports.js';
import { MIN_ID_PREFIX } from '../../messages/ids.js';
import type { SessionId } from '../../messages/ids.js';
import { hasEnded } from '../../messages/session.js';
import {
  SchemaTooNew,
  isBusy,
  isDamage,
  openCopy,
  openDatabase,
  schemaVersion,
  useWriteAheadLog,
} from './database.js';
import type { Database } from './database.js';
import { DiskRefuses, diskReason } from './disk-errors.js';
import { endpointTable, type EndpointTable } from './endpoint-table.js';
import { sessionsOnDisk } from './index-rebuild.js';
import { indexFile } from './layout.js';
import {
  MIGRATIONS,
  PUT_SESSION,
  SELECT_SESSIONS,
  fromStored,
  toStored,
  updateSession,
} from './session-record.js';
import type { SessionRecord, StoredRecord } from './session-record.js';
import { findingsTable, type FindingsTable } from './findings-table.js';
import { trustTable, type TrustTable } from './trust-table.js';
import { spendingOn, type SpendingStore } from './spending-store.js';

export interface IndexStore {
  /** What the sessions cost, those included that are not there any more. */
  readonly spending: SpendingStore;
  /** Adds the session, or replaces what was known of it. */
  put(record: SessionRecord): void;
  /** Changes some fields; `updatedAt` follows by itself. False: there is no such session. */
  patch(id: SessionId, changes: Partial<Omit<SessionRecord, 'id'>>): boolean;
  get(id: SessionId): SessionRecord | null;
  /** Forgets the session, and what it was trusted with. */
  remove(id: SessionId): void;
  /** Newest first. Without `all` only those that have not ended. */
  list(filter: { readonly workspace?: string; readonly all?: boolean }): SessionRecord[];
  /** Newest first; none when the prefix is too short to name one. */
  findByPrefix(prefix: string): SessionRecord[];
  readonly trust: TrustTable;
  readonly findings: FindingsTable;
  readonly endpoints: EndpointTable;
  /** A second call does nothing. */
  close(): void;
}

/** Every process writes one row at a time; a wait this long means that something is wrong. */
const BUSY_MS = 5_000;

/** Between attempts to set up a file that another process is setting up. */
const SETUP_PAUSE_MS = 10;

export interface OpenIndex {
  readonly home: string;
  readonly time: Time;
  /**
   * Where the disk is so full that the file cannot be opened, what it holds can be read all the same; writing
   * then throws what the disk would say. Left out: it throws `DiskRefuses`.
   */
  readonly orReadOnly?: boolean;
}

/**
 * Creates the index if need be, with the sessions that are on disk. The home must exist. Throws `SchemaTooNew`,
 * `IndexDamage` and `DiskRefuses`.
 */
export function openIndex({ home, time, orReadOnly = false }: OpenIndex): IndexStore {
  const file = indexFile(home);
  try {
    createOnce(file);
    refuseNewer(file);
    const index = storeOn(
      patiently(() => openMigrated(file)),
      time,
    );
    if (index.list({ all: true }).length === 0) addFromDisk(index, home);
    return index;
  } catch (error) {
    if (isDamage(error)) throw new IndexDamage(file, error);
    if (diskReason(error) === null) throw error;
    // Nobody has it open, or it could be opened: then all of it is in the file itself.
    if (orReadOnly && existsSync(file)) return storeOn(openCopy(file), time);
    throw new DiskRefuses(file, error);
  }
}

/** What another process has added meanwhile is newer. */
function addFromDisk(index: IndexStore, home: string): void {
  for (const { record, spending, findings } of sessionsOnDisk(home)) {
    if (index.get(record.id) !== null) continue;
    index.put(record);
    for (const { day, ...request } of spending) {
      index.spending.settle(record.id, null, day, request);
    }
    for (const [i, { at, ...finding }] of findings.entries()) {
      index.findings.put(record.workspace, record.id, i + 1, finding, at);
    }
  }
}

/** Only the index is damaged: the sessions are in folders of their own. */
export class IndexDamage extends Error {
  override readonly name = 'IndexDamage';
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(
      `The list of sessions ${file} is damaged (${cause instanceof Error ? cause.message : String(cause)}). ` +
        `The sessions themselves are not touched by this. Move the file away and try again: ` +
        `mv '${file}' '${file}.damaged'`,
      { cause },
    );
    this.file = file;
  }
}

function storeOn(db: Database, time: Time): IndexStore {
  const select = (where: string, values: Readonly<Record<string, string>>): SessionRecord[] => {
    const sql = `${SELECT_SESSIONS} WHERE ${where} ORDER BY startedAt DESC, id`;
    return db.prepare<[typeof values], StoredRecord>(sql).all(values).map(fromStored);
  };
  return {
    spending: spendingOn(db),
    put: (record) => void db.prepare(PUT_SESSION).run(toStored({ heldUntil: null, ...record })),
    patch(id, changes) {
      const fields = { updatedAt: time.now(), ...changes };
      return db.prepare(updateSession(fields)).run({ ...toStored(fields), id }).changes > 0;
    },
    remove(id) {
      db.prepare('DELETE FROM sessions WHERE id = ?').run(id);
      db.prepare('DELETE FROM trust WHERE session = ?').run(id);
    },
    get: (id) => select('id = @id', { id })[0] ?? null,
    list({ workspace, all = false }) {
      const found =
        workspace === undefined
          ? select('true', {})
          : select('workspace = @workspace', { workspace });
      return all ? found : found.filter(({ state }) => !hasEnded(state));
    },
    findByPrefix(prefix) {
      if (prefix.length < MIN_ID_PREFIX) return [];
      return select('substr(id, 1, length(@prefix)) = @prefix', { prefix: prefix.toLowerCase() });
    },
    trust: trustTable(db, time),
    findings: findingsTable(db),
    endpoints: endpointTable(db),
    close: () => void db.close(),
  };
}

function createOnce(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Through a handle that cannot write: closing any other would fold a log into the file. */
function refuseNewer(file: string): void {
  const db = openDatabase({ file, access: 'read', busyMs: BUSY_MS });
  try {
    const found = patiently(() => schemaVersion(db));
    if (found > MIGRATIONS.length) throw new SchemaTooNew(file, found, MIGRATIONS.length);
  } finally {
    db.close();
  }
}

function openMigrated(file: string): Database {
  const db = openDatabase({ file, access: 'write', busyMs: BUSY_MS });
  try {
    useWriteAheadLog(db, 'NORMAL');
    if (schemaVersion(db) < MIGRATIONS.length) migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Under the write lock, so that of many processes one migrates and the others find it done. */
function migrate(db: Database): void {
  db.transaction(() => {
    const found = schemaVersion(db);
    if (found >= MIGRATIONS.length) return;
    for (const step of MIGRATIONS.slice(found)) db.exec(step);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}

/** Changing the mode of a file does not wait for others as statements do; it fails, and is tried again. */
function patiently<T>(attempt: () => T): T {
  const giveUpAt = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETUP_PAUSE_MS);
  }
}
