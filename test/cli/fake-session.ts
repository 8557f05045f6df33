/**
 * Sessions without an agent: a real lock, journal, index and control socket in a folder of their own, and
 * in place of the mesh an answer for each action. For driving the verbs as a person would.
 */
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { ActionRequest, ActionResult } from '../../messages/actions.js';
import type { AgentDelta } from '../../messages/agents.js';
import { Broadcast } from '../../messages/channels/broadcast.js';
import { Watch } from '../../messages/channels/watch.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import { shortId } from '../../messages/ids.js';
import type { SessionId } from '../../messages/ids.js';
import { sessionFact } from '../../messages/journal.js';
import type { Hold } from '../../messages/pause.js';
import type { RunResult } from '../../messages/result.js';
import { stateAfter } from '../../messages/session.js';
import type { SessionSpec } from '../../messages/session.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { startControlServer } from '../../src/control/server.js';
import { openIndex } from '../../src/store/index-store.js';
import { openJournal } from '../../src/store/journal-store.js';
import type { JournalStore } from '../../src/store/journal-store.js';
import { ensureHome, sessionDir, sessionLock } from '../../src/store/layout.js';
import { acquireLock } from '../../src/store/lock.js';
import type { SessionRecord } from '../../src/store/session-record.js';
import { newSocketPath, tokenPath } from '../../src/store/socket-path.js';
import type { VerbContext } from '../../src/cli/verb-context.js';
import { RESULT, snapshotOf } from '../control/control-fixture.js';
import { recordOf } from '../store/session-samples.js';

/** 2026-03-01 12:00 UTC. */
export const NOW = Date.UTC(2026, 2, 1, 12);

export class Text extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** A place to type commands in, with what they print. */
export interface Desk extends VerbContext {
  readonly out: Text;
  readonly err: Text;
  readonly signals: EventEmitter;
}

export function newDesk(changes: Partial<VerbContext> = {}): Desk {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const cwd = join(folder, 'workspace');
  mkdirSync(cwd);
  return {
    home: join(folder, 'home'),
    env: {},
    cwd,
    isTerminal: false,
    now: () => NOW,
    ...changes,
    out: new Text(),
    err: new Text(),
    signals: new EventEmitter(),
  };
}

/** The same place with nothing printed yet. */
export const cleared = (desk: Desk, changes: Partial<VerbContext> = {}): Desk => ({
  ...desk,
  ...changes,
  out: new Text(),
  err: new Text(),
  signals: new EventEmitter(),
});

/** A line in the index, without a process. */
export function addRecord(desk: Desk, id: string, changes: Partial<SessionRecord> = {}): SessionId {
  ensureHome(desk.home);
  const index = openIndex({ home: desk.home, time: desk });
  index.put(
    recordOf(id, { workspace: desk.cwd, startedAt: NOW - 60_000, updatedAt: NOW, ...changes }),
  );
  index.close();
  return id as SessionId;
}

export function patchRecord(desk: Desk, id: SessionId, changes: Partial<SessionRecord>): void {
  const index = openIndex({ home: desk.home, time: desk });
  index.patch(id, changes);
  index.close();
}

export function readRecord(desk: Desk, id: SessionId): SessionRecord | null {
  const index = openIndex({ home: desk.home, time: desk });
  try {
    return index.get(id);
  } finally {
    index.close();
  }
}

export const resultOf = (id: SessionId, changes: Partial<RunResult> = {}): RunResult => ({
  ...RESULT,
  session_id: id,
  ...changes,
});

export const specOf = (id: SessionId, workspace: string): SessionSpec => ({
  id,
  name: 'a session',
  workspace,
  model: 'some-model',
  baseUrl: 'http://127.0.0.1:1',
  rehearsal: null,
  local: false,
  onQuestion: 'deny',
  sharesWorkspace: false,
  permissions: { mode: 'default', allow: [] },
  limits: { maxRounds: null, maxTimeMs: null },
  startedAt: NOW,
});

export interface FakeSession {
  readonly id: SessionId;
  readonly short: string;
  readonly journal: JournalStore;
  readonly snapshots: Watch<Snapshot>;
  readonly asked: ActionRequest[];
  /** Shows a change of the snapshot. */
  show(changes: Partial<Snapshot>): void;
  /** Ends as a daemon does: last row, result, index, goodbye, lock. */
  end(changes?: Partial<RunResult>): Promise<void>;
  /** Ends as a killed process does: the kernel closes everything, nobody writes a word. */
  die(): Promise<void>;
}

export interface FakeOptions extends Partial<SessionRecord> {
  /** In place of what the mesh would do; by default an action is done, and `stop` ends the session. */
  readonly act?: (action: ActionRequest, session: FakeSession) => Promise<ActionResult>;
}

export const userHold = (id: SessionId): Hold => ({
  kind: 'user',
  scope: 'session',
  since: NOW,
  until: null,
  reason: 'paused by a person',
  release: `ouro resume ${shortId(id)}`,
});

export async function startSession(
  desk: Desk,
  name: string,
  { act, ...record }: FakeOptions = {},
): Promise<FakeSession> {
  const socket = (ensureHome(desk.home), newSocketPath(desk.home, {}));
  const id = addRecord(desk, name, { socket, pid: process.pid, ...record });
  const dir = sessionDir(desk.home, id);
  const lock = acquireLock(sessionLock(desk.home, id), { what: 'a session', session: id });
  if (lock === null) throw new Error('the lock is taken');
  const journal = openJournal({ dir, session: id, mode: 'create', time: desk });
  const spec = specOf(id, desk.cwd);
  await journal.append([
    sessionFact('session.started', { spec, version: '0.1.0', pid: process.pid }),
  ]);
  const snapshots = new Watch(snapshotOf(1, { session: id, workspace: desk.cwd, startedAt: NOW }));
  const asked: ActionRequest[] = [];
  const server = await startControlServer({
    socketPath: socket,
    tokenPath: tokenPath(socket),
    session: id,
    version: '0.1.0',
    pid: process.pid,
    snapshots,
    deltas: new Broadcast<AgentDelta>(),
    facts: new Broadcast<ObservedFact>(),
    pulse: () => Promise.resolve({ ok: true, seq: journal.lastSeq }),
    act: (action) => {
      asked.push(action);
      return act === undefined ? actPlainly(action, session) : act(action, session);
    },
  });
  const session: FakeSession = {
    id,
    short: shortId(id),
    journal,
    snapshots,
    asked,
    show: (changes) => {
      const { current } = snapshots;
      snapshots.publish({ ...current, version: current.version + 1, ...changes });
    },
    async end(changes = {}) {
      const result = resultOf(id, changes);
      const { status, text, reason } = result;
      await journal.append([sessionFact('session.ended', { status, text, reason })]);
      await journal.close();
      writeFileSync(join(dir, 'result.json'), JSON.stringify(result));
      const state = stateAfter(status);
      patchRecord(desk, id, { state, endStatus: status, exitCode: result.exit_code, socket: null });
      await server.bye(result);
      lock.release();
    },
    async die() {
      await journal.close();
      await server.close();
      lock.release();
    },
  };
  onTestFinished(async () => {
    await session.die();
  });
  return session;
}

function actPlainly(action: ActionRequest, session: FakeSession): Promise<ActionResult> {
  if (action.do === 'stop') {
    // After the answer, as a daemon does.
    setTimeout(() => void session.end({ status: 'stopped', exit_code: 58 }), 10);
  }
  return Promise.resolve({ ok: true, changed: true, message: `${action.do} done` });
}

/** What `--json` printed. */
export const jsonOf = (desk: Desk): Record<string, unknown> =>
  JSON.parse(desk.out.text) as Record<string, unknown>;
