/**
 * A command line of macOS's `sandbox-exec` for a command. Pure. The profile follows what Apple's own
 * profiles and other users of `sandbox-exec` rely on; it was written without a machine to try it on, which
 * is why a session only relies on it after `sandbox-exec` has accepted it once.
 *
 * It forbids, but cannot put something else in a place: the temporary folder keeps its own name, and a
 * hidden place says that it may not be read. There is no process namespace, so other processes can be seen,
 * and what leaves the group of its command is not ended with it.
 */
import type { Launch } from '../../actors/ports.js';
import type { Place } from './places.js';

/** Never looked for in PATH. */
export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'];

/** `places` are those of `layered`, with the temporary folder under its own name. */
export function inSandboxExec(
  network: boolean,
  temp: string,
  places: readonly Place[],
  launch: Launch,
): Launch {
  const args = ['-p', profileOf(network, places), launch.file, ...launch.args];
  return { file: SANDBOX_EXEC, args, cwd: launch.cwd, env: { ...launch.env, TMPDIR: temp } };
}

/** The last rule that fits counts, and inner places come after outer ones. */
export function profileOf(network: boolean, places: readonly Place[]): string {
  return [
    '(version 1)',
    '(allow default)',
    ...(network ? [] : ['(deny network*)']),
    '(deny file-write*)',
    `(allow file-write* ${DEVICES.map(itself).join(' ')} ${below('/dev/fd')})`,
    ...places.flatMap(rules),
  ].join('\n');
}

function rules({ path, treatment }: Place): string[] {
  switch (treatment) {
    case 'writable':
    case 'temp':
      // What is in it may be renamed, the folder itself may not: see `layered`.
      return [
        `(allow file-read* file-write* ${below(path)})`,
        `(deny file-write-unlink ${itself(path)})`,
      ];
    case 'shown':
      return [`(allow file-read* ${below(path)})`];
    case 'protected':
      return [`(deny file-write* ${below(path)})`];
    case 'hidden':
      // That it is there may be seen: programs look at the parents of what they open.
      return [`(deny file-read-data file-read-xattr file-write* ${below(path)})`];
  }
}

const below = (path: string): string => `(subpath ${quoted(path)})`;
const itself = (path: string): string => `(literal ${quoted(path)})`;

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`;
