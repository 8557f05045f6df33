/** What the disk says when it does not take what is written, and which of it can be waited for. */
import { sqliteCode } from './database.js';
import { PlaceUnusable } from './place-unusable.js';

export type DiskReason = 'disk-full' | 'read-only' | 'failed';

const FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT)$/;
const READ_ONLY = /^(SQLITE_READONLY|SQLITE_PERM|SQLITE_CANTOPEN|EROFS|EACCES|EPERM)/;
/** EFBIG: the process may not write larger files, which is what a small disk looks like from inside. */
const FAILING = /^(SQLITE_IOERR|EIO$|EFBIG$)/;
/** The file is another one by now: nothing that comes back can be this one again. */
const GONE = /^SQLITE_READONLY_DBMOVED$/;

/** What a file other than the journal met. The message says which, and what the disk said. */
export class DiskRefuses extends Error {
  override readonly name = 'DiskRefuses';

  constructor(file: string, cause: unknown) {
    const said = cause instanceof Error ? cause.message : String(cause);
    super(
      `${file} cannot be opened or written: ${said}. Free some space there, or make it writable.`,
      {
        cause,
      },
    );
  }
}

/** Null: it is not the disk's doing, or nothing that anybody could put right while the program waits. */
export function diskReason(error: unknown): DiskReason | null {
  if (error instanceof DiskRefuses) return diskReason(error.cause);
  // Its own words are the better ones but for this.
  if (error instanceof PlaceUnusable)
    return diskReason(error.cause) === 'disk-full' ? 'disk-full' : null;
  const code = sqliteCode(error) ?? systemCode(error);
  if (GONE.test(code)) return null;
  if (FULL.test(code)) return 'disk-full';
  if (READ_ONLY.test(code)) return 'read-only';
  return FAILING.test(code) ? 'failed' : null;
}

const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
