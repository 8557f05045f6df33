/**
 * The index as a running session writes to it: what the disk does not take is kept and written later, in
 * order, and said once. The index is for finding and listing; a session that runs must not end for it.
 */
import type { Timers } from '../../actors/ports.js';
import type { SessionId } from '../../messages/ids.js';
import { diskReason } from './disk-errors.js';
import type { IndexStore } from './index-store.js';
import type { SessionRecord } from './session-record.js';
import type { ReservationRow, SpendingStore } from './spending-store.js';

/** A session that is held changes next to nothing. What is more is in the journals alone. */
const MOST_LATE = 1_000;

/** For the line that says that the session is held, and for one more. */
const MOST_ROOM = 2;

/** Nobody says when there is room again. */
const CATCH_UP_MS = 5_000;

const NO_LIMITS = { dayUsd: null, monthUsd: null };

/** The process does not stay for it. */
const SYSTEM_TIMERS: Timers = {
  setTimeout: (run, ms) => setTimeout(run, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

interface Late {
  readonly write: () => void;
  /** The session's line, or changes to it: the newest count. */
  readonly line?: Partial<SessionRecord>;
  /** Set aside, and not to be seen by others yet. */
  readonly usd?: number;
}

export interface PatientPorts {
  readonly warn: (text: string) => void;
  /** Makes a little room, for what others look at: that the session is held. False: there is none. */
  readonly makeRoom: () => boolean;
  /** Left out: the system's own. */
  readonly timers?: Timers;
}

export function patientIndex(index: IndexStore, ports: PatientPorts): IndexStore {
  const patient = new LateWrites(ports);
  const { spending, findings } = index;
  return {
    ...index,
    put: (record) => patient.write({ write: () => index.put(record), line: record }),
    patch: (id, changes) => patient.patch(index, id, changes),
    spending: {
      ...spending,
      settle: (...args) => patient.write({ write: () => spending.settle(...args) }),
      reserve: (session, reservation, limits) =>
        patient.reserve(spending, session, reservation, limits),
    },
    findings: {
      ...findings,
      put: (...args) => patient.write({ write: () => findings.put(...args) }),
    },
    close: () => {
      patient.close();
      index.close();
    },
  };
}

class LateWrites {
  readonly #ports: PatientPorts;
  #late: Late[] = [];
  #hasWarned = false;
  /** Used up since all was last written. */
  #room = 0;
  readonly #timers: Timers;
  #timer: unknown = null;

  constructor(ports: PatientPorts) {
    this.#ports = ports;
    this.#timers = ports.timers ?? SYSTEM_TIMERS;
  }

  write(late: Late): void {
    if (this.#catchUp() && this.#isTaken(late.write)) return;
    if (late.line !== undefined && this.#isTakenWithRoom(late.write)) return;
    if (this.#late.length < MOST_LATE) this.#late.push(late);
    this.#timer ??= this.#timers.setTimeout(() => this.#again(), CATCH_UP_MS);
  }

  /** True is what it would be: the session has a line, or gets one. */
  patch(index: IndexStore, id: SessionId, changes: Partial<SessionRecord>): boolean {
    let isThere = true;
    const line = this.#takeLine(changes);
    const write = (): void => {
      if (isWhole(line)) index.put(line);
      else isThere = index.patch(id, line);
    };
    this.write({ write, line });
    return isThere;
  }

  /** By what can be read, and what of this session's own is not there yet, where it cannot be written. */
  reserve(
    spending: SpendingStore,
    session: SessionId,
    reservation: ReservationRow,
    limits: { readonly dayUsd: number | null; readonly monthUsd: number | null },
  ): boolean {
    let isGranted = true;
    const isOnRecord =
      this.#catchUp() &&
      this.#isTaken(() => (isGranted = spending.reserve(session, reservation, limits)));
    if (isOnRecord) return isGranted;
    const usd = reservation.usd ?? 0;
    const own = this.#late.reduce((sum, late) => sum + (late.usd ?? 0), usd);
    const { day, month } = spending.sums(reservation.day);
    if (limits.dayUsd !== null && day.spent + day.reserved + own > limits.dayUsd) return false;
    if (limits.monthUsd !== null && month.spent + month.reserved + own > limits.monthUsd) {
      return false;
    }
    this.write({ write: () => void spending.reserve(session, reservation, NO_LIMITS), usd });
    return true;
  }

  close(): void {
    if (this.#timer !== null) this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
    this.#catchUp();
  }

  #takeLine(changes: Partial<SessionRecord>): Partial<SessionRecord> {
    const earlier = this.#late.flatMap(({ line }) => line ?? []);
    this.#late = this.#late.filter(({ line }) => line === undefined);
    return Object.assign({}, ...earlier, changes) as Partial<SessionRecord>;
  }

  #again(): void {
    this.#timer = null;
    if (this.#catchUp()) return;
    this.#timer = this.#timers.setTimeout(() => this.#again(), CATCH_UP_MS);
  }

  #isTakenWithRoom(write: () => void): boolean {
    if (this.#room >= MOST_ROOM || !this.#ports.makeRoom()) return false;
    this.#room += 1;
    return this.#isTaken(write);
  }

  /** False: the disk still does not take it. */
  #catchUp(): boolean {
    for (let next = this.#late[0]; next !== undefined; next = this.#late[0]) {
      if (!this.#isTaken(next.write)) return false;
      this.#late.shift();
    }
    this.#room = 0;
    return true;
  }

  #isTaken(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      if (diskReason(error) === null) throw error;
      this.#say(error);
      return false;
    }
  }

  #say(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const why = error instanceof Error ? error.message : String(error);
    this.#ports.warn(
      `the list of sessions cannot be written (${why}); it is brought up to date when there is room`,
    );
  }
}

const isWhole = (line: Partial<SessionRecord>): line is SessionRecord => line.id !== undefined;
