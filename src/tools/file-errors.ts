/** What the operating system's refusals are called in messages. */

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist.',
  EACCES: 'cannot be used: permission denied.',
  EPERM: 'cannot be used: operation not permitted.',
  EROFS: 'cannot be written: the file system is read-only.',
  EISDIR: 'is a directory.',
  ENOTDIR: 'leads through a file as if it were a directory.',
  ENAMETOOLONG: 'has a name that is too long.',
  ELOOP: 'is a symbolic link that leads nowhere or in a circle.',
  ENOSPC: 'cannot be written: no space left on the disk.',
  EDQUOT: 'cannot be written: the disk quota is used up.',
  ENXIO: 'is a socket or device, not a regular file.',
  EMFILE: 'cannot be opened: too many files are open. Try again.',
  EEXIST: 'exists already.',
};

/** Undefined: it did not come from the operating system. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** How the sentence about the path goes on. */
export function fileProblem(error: unknown): string {
  const code = codeOf(error);
  return (code && PROBLEMS[code]) ?? `cannot be used (${code ?? String(error)}).`;
}

/** An error that a person or program outside of ours has caused, as opposed to a bug. */
export const isFileError = (error: unknown): boolean => {
  const code = codeOf(error);
  return code !== undefined && code in PROBLEMS;
};
