/** The disk does not take what is to be kept. Unlike a limit of the operator's, it can pass. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

const CODES = /^(ENOSPC|EDQUOT|EROFS)$/;

/** Does what writes, and says of an error whether it means that there is no room. */
export function needingRoom<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (!CODES.test(code)) throw cause;
    throw new NoRoom(cause instanceof Error ? cause.message : code, { cause });
  }
}
