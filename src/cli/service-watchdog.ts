/**
 * Tells systemd that the service still works. Called behind each piece of work and by no timer of its own, so
 * that a service which hangs is one that says nothing, and is started again.
 */
import { execFile } from 'node:child_process';

/** The program that speaks to the manager: Node has no datagram sockets of this kind. */
export const NOTIFIER = 'systemd-notify';

/** A notifier that hangs is given up. */
const NOTIFY_MS = 10_000;

/** Does nothing where no manager listens. */
export function feedWatchdog(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  if (env['NOTIFY_SOCKET'] === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    // Whether it was heard, the manager decides.
    execFile(NOTIFIER, ['WATCHDOG=1'], { env, timeout: NOTIFY_MS }, () => resolve());
  });
}
