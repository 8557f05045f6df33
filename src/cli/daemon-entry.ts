/**
 * The daemon's own process: gets what to do over its channel, answers once that it is ready or why not, and
 * then runs the session with nobody attached. Its diagnostics go to the log file that is its stderr.
 */
import { Writable } from 'node:stream';
import { EXIT_CODES } from '../../messages/session.js';
import { createHeadless } from '../../tui/headless.js';
import { openDaemon } from '../daemon.js';
import { daemonLog } from '../store/layout.js';
import { daemonLogWriter } from './daemon-log-writer.js';
import { LEVELS } from './log-level.js';
import { runSession } from './run-session.js';
import type { BootAnswer, DaemonBoot } from './start.js';

const STDERR = 2;

export async function daemonEntry(): Promise<number> {
  // A stream that has failed once, on a full disk, ends the process if nobody listens to it.
  process.stderr.on('error', () => undefined);
  const boot = await new Promise<DaemonBoot>((resolve) => {
    process.once('message', (message) => resolve(message as DaemonBoot));
  });
  const opened = await openDaemon(boot);
  if (!opened.ok) {
    await answer({ ok: false, ending: opened.ending });
    return EXIT_CODES[opened.ending.status];
  }
  const { daemon } = opened;
  await answer({ ok: true, pid: process.pid, warnings: daemon.warnings });
  const headless = await createHeadless({
    session: daemon.spec.id,
    out: new Writable({ write: (_chunk, _encoding, done) => done() }),
    err: daemonLogWriter({ file: daemonLog(boot.home, daemon.spec.id), fd: STDERR }),
    outputFormat: 'text',
    logFormat: 'json',
    level: LEVELS[boot.config.log.level],
    colour: false,
    now: () => Date.now(),
  });
  const result = await runSession(daemon, headless);
  return result.exit_code;
}

/** The channel is closed behind the answer: the daemon depends on nobody from here on. */
function answer(message: BootAnswer): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => {
      if (process.connected) process.disconnect();
      resolve();
    });
  });
}
