/** The ways a journal can fail. Each message says what is wrong, where, what is safe, and what to do. */
import { shortId } from '../../messages/ids.js';
import type { Seq, SessionId } from '../../messages/ids.js';
import { diskReason, type DiskReason } from './disk-errors.js';

export type Damage =
  /** Rows are missing. */
  | 'gap'
  /** The row is not the one that was written. */
  | 'altered'
  /** The bytes make no sense to SQLite. */
  | 'unreadable';

const DAMAGE_IN_WORDS: Readonly<Record<Damage, string>> = {
  gap: 'is missing',
  altered: 'is not what was written',
  unreadable: 'cannot be read',
};

interface DamageFound {
  readonly session: SessionId;
  readonly file: string;
  readonly seq: Seq;
  readonly what: Damage;
  readonly lastGood: Seq;
  /** What SQLite or the file system said. */
  readonly cause?: unknown;
}

/** The journal is not what was written. Nothing was changed. */
export class JournalDamage extends Error {
  override readonly name = 'JournalDamage';
  readonly session: SessionId;
  readonly file: string;
  /** The first row that is not good. */
  readonly seq: Seq;
  readonly what: Damage;
  /** Every row up to this one is as it was written; 0: none. */
  readonly lastGood: Seq;

  constructor(found: DamageFound) {
    const { session, file, seq, what, lastGood, cause } = found;
    const reason = cause === undefined ? '' : ` (${messageOf(cause)})`;
    const intact = lastGood === 0 ? 'No row is intact.' : `Rows 1 to ${lastGood} are intact.`;
    super(
      `The journal ${file} is damaged: row ${seq} ${DAMAGE_IN_WORDS[what]}${reason}. ${intact} ` +
        `Nothing was changed. To keep the damaged file aside and go on from the last good row: ` +
        `ouro resume ${shortId(session)} --salvage`,
      { cause },
    );
    this.session = session;
    this.file = file;
    this.seq = seq;
    this.what = what;
    this.lastGood = lastGood;
  }
}

/** There is no journal in the folder. */
export class JournalMissing extends Error {
  override readonly name = 'JournalMissing';
  readonly file: string;

  constructor(file: string) {
    super(`There is no journal at ${file}. List the sessions there are: ouro ls --all`);
    this.file = file;
  }
}

/** A commit failed. What was acknowledged before is safe; nothing is written any more by this store. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable';
  readonly file: string;
  readonly reason: DiskReason;

  constructor(file: string, cause: unknown) {
    const reason = diskReason(cause) ?? 'failed';
    super(`The journal ${file} cannot be written: ${messageOf(cause)}. ${ADVICE[reason]}`, {
      cause,
    });
    this.file = file;
    this.reason = reason;
  }
}

const ADVICE: Readonly<Record<DiskReason, string>> = {
  'disk-full':
    'Everything up to the last commit is safe. Free some space, then resume the session.',
  'read-only':
    'Everything up to the last commit is safe. Make the file and its folder writable, then resume.',
  failed: 'Everything up to the last commit is safe. Check the disk, then resume the session.',
};

const messageOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
