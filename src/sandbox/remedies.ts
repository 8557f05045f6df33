/** Why commands cannot be confined on this machine, in a sentence, and what would change it. */
import { readFileSync } from 'node:fs';

export interface Obstacle {
  readonly works: false;
  readonly reason: string;
  readonly remedy: string;
}

export const NOT_INSTALLED: Obstacle = {
  works: false,
  reason: 'bubblewrap (bwrap) is not installed',
  remedy:
    'install it: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap` or `apk add bubblewrap`',
};

export const NO_SANDBOX_EXEC: Obstacle = {
  works: false,
  reason: '/usr/bin/sandbox-exec, which macOS brings, is not there',
  remedy: 'run ouro on a macOS that has it, or on Linux with bubblewrap',
};

export const otherPlatform = (platform: string): Obstacle => ({
  works: false,
  reason: `there is no sandbox for ${platform}`,
  remedy: 'run ouro on Linux with bubblewrap, or on macOS',
});

export const noTempFolder = (folder: string, cause: unknown): Obstacle => ({
  works: false,
  reason: `the folder ${folder} for the commands' temporary files cannot be made (${cause instanceof Error ? cause.message : String(cause)})`,
  remedy: 'make room there, or set OURO_HOME to a folder you can write to',
});

interface Setting {
  readonly file: string;
  /** The value that forbids. */
  readonly value: string;
  readonly remedy: string;
}

const SETTINGS: readonly Setting[] = [
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    value: '1',
    remedy:
      'allow bwrap to make user namespaces: add an AppArmor profile for it (on Ubuntu: `apt install apparmor-profiles`, then `ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/` and `systemctl reload apparmor`), or `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`',
  },
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone',
    value: '0',
    remedy: 'allow user namespaces: `sysctl -w kernel.unprivileged_userns_clone=1`',
  },
  {
    file: '/proc/sys/user/max_user_namespaces',
    value: '0',
    remedy: 'allow user namespaces: `sysctl -w user.max_user_namespaces=15000`',
  },
];

const IN_CONTAINER =
  'in a container, start it so that it may make namespaces of its own (with Docker: `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`), or rely on the container and start ouro with --sandbox off';

const TOO_OLD = /unknown option/i;

/** `said`: what bubblewrap printed. */
export function bubblewrapRefused(program: string, said: string): Obstacle {
  const reason = `${program} does not work here: ${said}`;
  if (TOO_OLD.test(said)) return { works: false, reason, remedy: 'install a newer bubblewrap' };
  const forbidding = SETTINGS.find(({ file, value }) => contentOf(file) === value);
  return { works: false, reason, remedy: forbidding?.remedy ?? IN_CONTAINER };
}

export const sandboxExecRefused = (program: string, said: string): Obstacle => ({
  works: false,
  reason: `${program} does not work here: ${said}`,
  remedy: 'sandbox-exec cannot be started inside another sandbox: start ouro outside of one',
});

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
