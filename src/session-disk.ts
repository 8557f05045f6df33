/** What a session does while its disk takes no more: it is held, and what waits is tried until it is taken. */
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { shortId } from '../messages/ids.js';
import { OUTAGE_HOLDS } from '../messages/pause.js';
import { freeIn } from './disk-ending.js';
import type { SessionModel } from './session-model.js';
import type { Parts } from './session-parts.js';
import { DiskWatch, type Refusal } from './session/disk-watch.js';
import type { LifeParts, SessionLife } from './session/life.js';
import type { Mesh } from './session/mesh.js';
import { systemClock } from './session/system-clock.js';
import type { DiskReason } from './store/disk-errors.js';
import type { JournalUnwritable } from './store/journal-errors.js';
import type { KeeperParts } from './undo/keeper.js';

/** Made later than this, and there before anything can go wrong. */
interface Later {
  readonly mesh: Mesh;
  readonly life: SessionLife;
}

export interface SessionDisk {
  readonly waitForRoom: NonNullable<KeeperParts['waitForRoom']>;
  /** Hears of the session from here on, and of a journal that could not be written from the start. */
  follow(): void;
  /** What the life of the session needs of it; `server` is asked where that is away too. */
  life(server: Pick<SessionModel, 'probe'>): Pick<LifeParts, 'probe' | 'unblock'>;
}

export function sessionDisk(
  { ground, request, time }: Pick<Parts, 'ground' | 'request' | 'time'>,
  later: Later,
): SessionDisk {
  const { journal, spec, dir, recovered } = ground;
  // What is told before the session is put together is told again when it is.
  let isFollowing = false;
  const watch = new DiskWatch({
    time,
    clock: systemClock,
    maxWaitMs: request.maxWaitMs ?? null,
    release: `ouro resume ${shortId(spec.id)}`,
    isHeld: recovered?.holds.some(({ kind }) => kind === 'disk') === true,
    tell: (message) => (isFollowing ? later.mesh.tell(message) : undefined),
    giveUp: (reason) => later.life.quit('internal_error', reason),
  });
  const tryJournal = (): void => {
    if (journal.trouble === null) return;
    void watch.keepTrying(journalRefusal(journal.trouble), () => journal.tryAgain());
  };
  return {
    async waitForRoom(reason, attempt, signal) {
      const waiting = watch.keepTrying(undoRefusal(dir, reason), attempt, signal);
      journal.giveRoom();
      await waiting;
    },
    follow() {
      isFollowing = true;
      tryJournal();
      journal.onTrouble(tryJournal);
      watch.follow(later.mesh.snapshots.current.holds);
      later.mesh.facts.on((fact) => watch.onFact(fact));
    },
    life(server) {
      void journal.failed.then((error) => later.life.fail(error));
      return {
        probe: (action) => void tryFor(action, watch, later.mesh, server),
        unblock: async () => {
          // First everybody has heard that the session ends: what is written now must not set off anything.
          await nextTurn();
          watch.close();
          journal.waitNoLonger();
        },
      };
    },
  };
}

/** A person wants to know; the server is asked only where the disk is no reason any more. */
async function tryFor(
  action: string,
  watch: DiskWatch,
  mesh: Mesh,
  server: Pick<SessionModel, 'probe'>,
): Promise<void> {
  const ok = await watch.tryNow();
  const { holds } = mesh.snapshots.current;
  if (ok && holds.some(({ kind }) => OUTAGE_HOLDS.includes(kind))) server.probe(action);
  else void mesh.tell({ type: 'disk.probed', ok, action });
}

const journalRefusal = ({ file, reason, cause }: JournalUnwritable): Refusal => ({
  what:
    `${WHAT_IS_WRONG[reason]}: the journal ${file} cannot be written (${messageOf(cause)}; ` +
    `${freeIn(dirname(file))})`,
  advice: WHAT_TO_DO[reason],
});

const undoRefusal = (dir: string, reason: string): Refusal => ({
  what:
    `${WHAT_IS_WRONG['disk-full']}: what a call changes cannot be kept for ouro undo in ${dir} ` +
    `(${reason}; ${freeIn(dir)})`,
  advice: WHAT_TO_DO['disk-full'],
});

const WHAT_IS_WRONG: Readonly<Record<DiskReason, string>> = {
  'disk-full': 'the disk is full',
  'read-only': 'the disk cannot be written to',
  failed: 'the disk does not take what is written',
};

const WHAT_TO_DO: Readonly<Record<DiskReason, string>> = {
  'disk-full': 'Free some space',
  'read-only': 'Make the file and its folder writable',
  failed: 'Check the disk and its quota',
};

const messageOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
