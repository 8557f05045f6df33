/**
 * A command line of bubblewrap for a command. Pure, and content with options that its oldest versions in
 * use know. Inside, the machine is read-only and the places given are as they say; the command sees no
 * other process and no terminal, has no privileges even as root, and ends with the process that started it.
 */
import type { Launch } from '../../actors/ports.js';
import type { Place } from './places.js';

export interface Bubblewrap {
  /** Absolute, so that nothing in the workspace can take its name. */
  readonly program: string;
  readonly network: boolean;
  /** Ask for a user namespace of its own: without one, root needs privileges that containers withhold. */
  readonly userNamespace: boolean;
}

/**
 * `--new-session` has the command's processes in a group of their own. Whoever ends the group of the one
 * that is started ends that one, and with it, by KILL, everything inside.
 */
const APART = [
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
];

/** The command's own temporary folder, under the name that programs expect. */
export const TEMP_INSIDE = '/tmp';

const TEMP_VARIABLES = ['TMPDIR', 'TMP', 'TEMP', 'TEMPDIR'];

/** They name sockets that are not there inside. */
const MEANINGLESS_INSIDE = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK'];

/** `places` are those of `layered`. */
export function inBubblewrap(
  { program, network, userNamespace }: Bubblewrap,
  places: readonly Place[],
  launch: Launch,
): Launch {
  const [first, ...others] = places;
  const wholeIsWritable = first?.path === '/' && first.treatment === 'writable';
  const changed = wholeIsWritable ? others : places;
  const args = [
    ...[wholeIsWritable ? '--bind' : '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...changed.flatMap(mount),
    ...changed.filter(isEmptyFolder).flatMap(({ path }) => ['--remount-ro', path]),
    ...APART,
    ...(network ? [] : ['--unshare-net']),
    ...(userNamespace ? ['--unshare-user'] : []),
    ...['--chdir', launch.cwd, '--', launch.file, ...launch.args],
  ];
  // The folder that counts is the one inside; this one only has to exist.
  return { file: program, args, cwd: '/', env: environment(launch.env) };
}

function mount(place: Place): string[] {
  const { path, source, treatment } = place;
  switch (treatment) {
    case 'writable':
    case 'temp':
      return ['--bind', source, path];
    case 'shown':
    case 'protected':
      return ['--ro-bind', source, path];
    case 'hidden':
      return isEmptyFolder(place) ? ['--tmpfs', path] : ['--ro-bind', source, path];
  }
}

/** Made read-only only when what is shown in it has its place. */
const isEmptyFolder = ({ treatment, folder }: Place): boolean => treatment === 'hidden' && folder;

/** Everything else stays, and can be read in bubblewrap's own process by whoever looks for survivors. */
function environment(outside: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(outside).filter(
    ([name]) => !MEANINGLESS_INSIDE.includes(name) && !TEMP_VARIABLES.includes(name),
  );
  const moved = TEMP_VARIABLES.filter((name) => name === 'TMPDIR' || outside[name] !== undefined);
  return Object.fromEntries([...kept, ...moved.map((name) => [name, TEMP_INSIDE] as const)]);
}
