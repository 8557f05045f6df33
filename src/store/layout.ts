/**
 * Where things are under `$OURO_HOME`, and the promise that nobody else can get at them: folders are 0700,
 * files 0600, and a home that others could write to is refused.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../messages/ids.js';
import { PlaceUnusable } from './place-unusable.js';

/** Write permission for the group or for everybody. */
const OTHERS_MAY_WRITE = 0o022;

/** Characters of the hash that stands for a workspace: 64 bits, far more than one machine has folders. */
const WORKSPACE_HASH_LENGTH = 16;

export const indexFile = (home: string): string => join(home, 'ouro.db');
export const sessionsDir = (home: string): string => join(home, 'sessions');
export const sessionDir = (home: string, id: SessionId): string => join(sessionsDir(home), id);
export const sessionLock = (home: string, id: SessionId): string =>
  join(sessionDir(home, id), 'lock');
/** What `ouro wait` reads when a session has ended: the newest run's result. */
export const resultFile = (home: string, id: SessionId): string =>
  join(sessionDir(home, id), 'result.json');
/** The background process's own diagnostics. */
export const daemonLog = (home: string, id: SessionId): string =>
  join(sessionDir(home, id), 'daemon.log');
const locksDir = (home: string): string => join(home, 'locks');
export const runDir = (home: string): string => join(home, 'run');

/** What sessions have learned of models and tools. */
export const profileFile = (home: string): string => join(home, 'profile.json');
export const profileLock = (home: string): string => join(locksDir(home), 'profile.lock');

/** `realPath` with all links resolved: one folder must not have two names. */
const workspaceHash = (realPath: string): string =>
  createHash('sha256').update(realPath).digest('hex').slice(0, WORKSPACE_HASH_LENGTH);

export const workspaceLock = (home: string, realPath: string): string =>
  join(locksDir(home), `${workspaceHash(realPath)}.lock`);

/** The person's own notes on a workspace. */
export const memoryFile = (home: string, realPath: string): string =>
  join(home, 'workspaces', workspaceHash(realPath), 'MEMORY.md');

/** The places of requests in flight at a model server: one server, however it is addressed, has one set. */
export function endpointSlots(home: string, baseUrl: string, count: number): readonly string[] {
  const server = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
  const hash = createHash('sha256').update(server).digest('hex').slice(0, WORKSPACE_HASH_LENGTH);
  return Array.from({ length: count }, (_, n) => join(locksDir(home), `model-${hash}-${n}.lock`));
}

/** Creates what is missing. Throws, with what to do, when it would not be safe to keep sessions there. */
export function ensureHome(home: string): void {
  for (const folder of [home, sessionsDir(home), locksDir(home), runDir(home)]) {
    createFolder(folder);
    refuseForeign(folder);
  }
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlaceUnusable(
      `The folder ${folder}, where ouro keeps its sessions, cannot be created: ${reason}. ` +
        `Set OURO_HOME to a folder you can write to.`,
      { cause },
    );
  }
}

function refuseForeign(folder: string): void {
  const { uid, mode } = statSync(folder);
  const me = process.getuid?.() ?? uid;
  if (uid !== me) {
    throw new PlaceUnusable(
      `${folder} belongs to another user (uid ${uid}, you are ${me}), who could read and change your ` +
        `sessions. Set OURO_HOME to a folder of your own.`,
    );
  }
  if ((mode & OTHERS_MAY_WRITE) !== 0) {
    throw new PlaceUnusable(
      `Other users can write to ${folder} (mode ${(mode & 0o777).toString(8)}), so they could change your ` +
        `sessions. Run: chmod 700 '${folder}'`,
    );
  }
}
