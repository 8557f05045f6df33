/**
 * Tells from a failed command's output whether the sandbox may be why, and what is possible instead. A
 * command that ended with 0 did what it was for, whatever it printed, and gets no note. A failed one may
 * have printed such words for another reason, so the notes say what the sandbox does and do not promise that
 * it was the cause.
 */

export interface Limits {
  readonly network: boolean;
  /** Folders that can be written, the workspace first. */
  readonly roots: readonly string[];
  /** Where commands find their temporary folder. */
  readonly temp: string;
}

/** bubblewrap's own words, at the start of a line, when it could not start the command. */
const NOT_STARTED = /^bwrap: (.{1,300})/m;

const NO_NETWORK = wordsOf(
  'Network is unreachable',
  'ENETUNREACH',
  'Temporary failure in name resolution',
  'Temporary failure resolving',
  'Could not resolve',
  "couldn't resolve host",
  'Name or service not known',
  'nodename nor servname provided',
  'No address associated with hostname',
  'unable to resolve host address',
  'getaddrinfo',
  'EAI_AGAIN',
  'ENOTFOUND',
  'dial tcp: lookup',
  'dns error',
  'failed to lookup address',
);

/** Something that listens on the machine cannot be seen from inside. */
const NO_LOCAL_SERVER = wordsOf('Connection refused', 'ECONNREFUSED');

const READ_ONLY = wordsOf('Read-only file system', 'EROFS', 'os error 30', 'Errno 30');

/** What cannot be renamed or removed, because it is kept in its place. */
const KEPT_IN_PLACE =
  /(?:\.git|\.ouro)\b.{0,200}(?:Device or resource busy|EBUSY)|(?:Device or resource busy|EBUSY).{0,200}(?:\.git|\.ouro)\b/i;

const NO_PRIVILEGE = wordsOf('Operation not permitted', 'EPERM', 'os error 1)', 'Errno 1]');

/** Null: nothing in the output looks like it. */
export function explainRefusal(limits: Limits, output: string, exitCode: number): string | null {
  if (exitCode === 0) return null;
  const { network, roots, temp } = limits;
  const notStarted = NOT_STARTED.exec(output)?.[1];
  if (notStarted !== undefined) {
    return `The sandbox could not start the command (${notStarted}): it can start in the folders ${roots.join(', ')}, and a program must lie in a place that is visible inside.`;
  }
  if (!network && NO_NETWORK.test(output)) {
    return 'The sandbox has no network, which may be why this failed: work with what is installed, or say in the result that this step needs a session started with --network.';
  }
  if (READ_ONLY.test(output) || KEPT_IN_PLACE.test(output)) {
    return `The sandbox lets commands write only in ${[...roots, temp].join(', ')}, and there not to .git/hooks, .git/config and .ouro, which may be why this failed: write there, point caches and temporary files to ${temp}, or say in the result which folder the work would need.`;
  }
  if (!network && NO_LOCAL_SERVER.test(output)) {
    return 'The sandbox has a network of its own, without the servers that run on this machine or outside, which may be why this failed: start the server in the same command, or say in the result that this step needs a session started with --network.';
  }
  if (NO_PRIVILEGE.test(output)) {
    return 'The sandbox runs commands without privileges (no mounts, no changes of owner, no devices, no other processes), which may be why this failed: find a way that needs none.';
  }
  return null;
}

/** One pass over the output, whatever its size. */
function wordsOf(...words: readonly string[]): RegExp {
  return new RegExp(words.map((word) => word.replace(/[()[\]]/g, '\\$&')).join('|'), 'i');
}
