/**
 * The ground a session stands on: its locks, its journal and its line in the index, taken in this order and
 * given back in reverse. Whatever prevents it comes back as a value, with nothing held and nothing written.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { cannotRaise, raised } from '../actors/raised-limits.js';
import { recoverFrom } from '../actors/checkpoint/recover.js';
import type { Recovered } from '../actors/recovery.js';
import type { Time } from '../actors/ports.js';
import { NO_BUDGET, type Raise, type SessionBudget } from '../messages/budget.js';
import { shortId, type SessionId } from '../messages/ids.js';
import type { SessionSpec } from '../messages/session.js';
import type { Ending } from './session/ending.js';
import { openJournal, type JournalStore } from './store/journal-store.js';
import { diskReason } from './store/disk-errors.js';
import { patientIndex } from './store/patient-index.js';
import { onReserve, reserveIn } from './store/reserve.js';
import { openIndex, type IndexStore } from './store/index-store.js';
import { acquireLock, readOwner, type Lock } from './store/lock.js';
import { ensureHome, sessionDir, sessionLock, workspaceLock } from './store/layout.js';
import { giveName, givenName } from './store/session-labels.js';
import { diskEnding } from './disk-ending.js';
import { isExpected } from './expected-error.js';

export interface Restart {
  /** The pause was set for the restart alone. */
  readonly liftPause: boolean;
}

/** What a session is asked to do when it opens. */
export type Work =
  | { readonly kind: 'new'; readonly spec: SessionSpec; readonly goal: string }
  | {
      readonly kind: 'resume';
      readonly id: SessionId;
      /** A further goal; null: the old one goes on. */
      readonly goal: string | null;
      /** What the agent must know before it goes on; null: nothing. */
      readonly notice: string | null;
      /** What the command line changes; the rest stays as it was. */
      readonly changes: Partial<
        Pick<
          SessionSpec,
          | 'name'
          | 'named'
          | 'model'
          | 'fallback'
          | 'baseUrl'
          | 'local'
          | 'permissions'
          | 'limits'
          | 'onQuestion'
          | 'sandbox'
          | 'addDirs'
          | 'readDirs'
          | 'sharesWorkspace'
          | 'outputSchema'
        >
      > & { readonly budget?: Partial<SessionBudget> };
      /** Added to the limits. */
      readonly add?: Raise;
      /** A person asked for it: their own holds are lifted. */
      readonly byPerson: boolean;
      /** A person lifts what holds it for being stuck, or for how it ended. */
      readonly force?: boolean;
      /** A person has it go on in another process; nothing else is to change for it. */
      readonly restart?: Restart;
    };

export interface Ground {
  readonly dir: string;
  readonly journal: JournalStore;
  readonly index: IndexStore;
  readonly spec: SessionSpec;
  /** What the journal holds; null for a new session. */
  readonly recovered: Recovered | null;
  /** Frees the locks. A second call does nothing. */
  release(): void;
}

export type OpenedGround =
  { readonly ok: true; readonly ground: Ground } | { readonly ok: false; readonly ending: Ending };

export interface GroundRequest {
  readonly home: string;
  readonly work: Work;
  /** Another session may write in the same workspace. */
  readonly shareWorkspace: boolean;
  readonly time: Time;
}

const idOf = (work: Work): SessionId => (work.kind === 'new' ? work.spec.id : work.id);

/** A session that goes on where the disk is full begins on what it has in reserve for that. */
export function openGround(request: GroundRequest): OpenedGround {
  const { home, work } = request;
  const dir = sessionDir(home, idOf(work));
  try {
    return onReserve(reserveIn(dir), () => tryToOpen(request));
  } catch (error) {
    const ending = diskEnding(error, home);
    if (ending === null) throw error;
    if (work.kind === 'new') rmSync(dir, { recursive: true, force: true });
    return { ok: false, ending };
  }
}

function tryToOpen(request: GroundRequest): OpenedGround {
  const held: (() => void)[] = [];
  const release = (): void => {
    for (const free of held.splice(0).reverse()) free();
  };
  try {
    const ground = takeGround(request, held);
    if ('status' in ground) {
      release();
      return { ok: false, ending: ground };
    }
    return { ok: true, ground: { ...ground, release } };
  } catch (error) {
    release();
    if (!isExpected(error) || diskReason(error) !== null) throw error;
    return { ok: false, ending: { status: 'bad_input', reason: error.message, text: '' } };
  }
}

function takeGround(
  { home, work, shareWorkspace, time }: GroundRequest,
  held: (() => void)[],
): Omit<Ground, 'release'> | Ending {
  const id = idOf(work);
  ensureHome(home);
  const dir = sessionDir(home, id);
  if (work.kind === 'new') mkdirSync(dir, { recursive: true, mode: 0o700 });
  const own = take(sessionLock(home, id), 'running the session', id, held);
  if (own === null) return sessionBusy(home, id);
  const reserve = reserveIn(dir);
  const makeRoom = (): boolean => isHeldForDisk() && reserve.give();
  const index = patientIndex(openIndex({ home, time }), { warn, makeRoom });
  held.push(() => index.close());
  const mode = work.kind === 'new' ? 'create' : 'append';
  const journal = openJournal({ dir, session: id, mode, time, reserve });
  const isHeldForDisk = (): boolean => journal.trouble !== null;
  held.push(() => void journal.close());
  const recovered = work.kind === 'new' ? null : recoverFrom(journal);
  const changes =
    work.kind === 'new' ? {} : { ...renamed(home, id, work.changes), ...work.changes };
  const before = work.kind === 'new' ? work.spec : specOf(recovered, changes);
  const add = work.kind === 'new' ? undefined : work.add;
  const refusal = before === null || add === undefined ? null : cannotRaise(before, add);
  if (refusal !== null) return { status: 'usage', reason: refusal, text: '' };
  const spec = before === null || add === undefined ? before : raised(before, add);
  if (spec === null) {
    const reason = `The journal in ${dir} does not say what the session is. It cannot be resumed.`;
    return { status: 'bad_input', reason, text: '' };
  }
  if (!shareWorkspace && !spec.sharesWorkspace) {
    const file = workspaceLock(home, spec.workspace);
    if (take(file, spec.workspace, id, held) === null) return workspaceBusy(file, spec.workspace);
  }
  return { dir, journal, index, spec, recovered };
}

const warn = (text: string): void => void process.stderr.write(`ouro: ${text}\n`);

const specOf = (
  recovered: Recovered | null,
  { budget, ...changes }: Extract<Work, { kind: 'resume' }>['changes'],
): SessionSpec | null => {
  if (recovered === null || recovered.spec === null) return null;
  const spec = { ...recovered.spec, ...changes };
  return budget === undefined
    ? spec
    : { ...spec, budget: { ...NO_BUDGET, ...spec.budget, ...budget } };
};

/** A session goes on under the name that it was given meanwhile, unless it gets another one now. */
function renamed(
  home: string,
  id: SessionId,
  { name: next }: { readonly name?: string },
): { readonly name?: string; readonly named?: boolean } {
  const name = givenName(home, id);
  if (name !== null && next !== undefined) giveName(home, id, next);
  return name === null ? {} : { name, named: true };
}

function take(file: string, what: string, session: SessionId, held: (() => void)[]): Lock | null {
  const lock = acquireLock(file, { what, session });
  if (lock !== null) held.push(() => lock.release());
  return lock;
}

function sessionBusy(home: string, id: SessionId): Ending {
  const owner = readOwner(sessionLock(home, id));
  const by = owner === null ? 'another process' : `process ${owner.pid}`;
  const reason = `Session ${shortId(id)} is running already, in ${by}. Watch it with: ouro attach ${shortId(id)}`;
  return { status: 'workspace_busy', reason, text: '' };
}

function workspaceBusy(file: string, workspace: string): Ending {
  const session = readOwner(file)?.session;
  const other = session === undefined ? 'Another session' : `Session ${session.slice(0, 8)}`;
  const stop = session === undefined ? 'ouro ls' : `ouro stop ${session.slice(0, 8)}`;
  const reason =
    `${other} is at work in ${workspace}. Stop it first (${stop}), or let both write ` +
    `there with --share-workspace, or work beside it in a git worktree with --worktree.`;
  return { status: 'workspace_busy', reason, text: '' };
}
