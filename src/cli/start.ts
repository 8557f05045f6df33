/**
 * Starts a session in a process of its own, which outlives this one, with a guardian that starts it again
 * when it crashes. Resolves once the daemon has checked everything that can be checked without spending
 * anything, or has said why it cannot run.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Millis, SessionId } from '../../messages/ids.js';
import { EXIT_CODES, type EndStatus } from '../../messages/session.js';
import type { DaemonRequest } from '../daemon.js';
import type { Ending } from '../session/ending.js';
import { endGuardian, writeGuardian } from '../store/guardian-record.js';
import { daemonLog, ensureHome, sessionDir } from '../store/layout.js';
import { identityOf } from '../store/process-identity.js';
import { guardedDaemon } from './guardian.js';
import { isLive } from './liveness.js';

/** The daemon answers within ten seconds; what takes longer is stuck. */
const READY_MS = 10_000;

/** What the daemon is told over its channel, with the variables that came from files. */
export type DaemonBoot = DaemonRequest;

/** The one thing it answers before the channel is closed. */
export type BootAnswer =
  | { readonly ok: true; readonly pid: number; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly ending: Ending };

/** `restarts`: those after crashes that count for the next one. */
export async function startDaemon(
  boot: DaemonBoot,
  restarts: readonly Millis[] = [],
): Promise<BootAnswer> {
  try {
    return await startInItsFolder(boot, restarts);
  } catch (error) {
    const { home, work } = boot;
    const { diskEnding } = await import('../disk-ending.js');
    const ending = diskEnding(error, home);
    if (ending === null) throw error;
    if (work.kind === 'new')
      rmSync(sessionDir(home, work.spec.id), { recursive: true, force: true });
    return { ok: false, ending };
  }
}

async function startInItsFolder(
  boot: DaemonBoot,
  restarts: readonly Millis[],
): Promise<BootAnswer> {
  const { home, work } = boot;
  const id: SessionId = work.kind === 'new' ? work.spec.id : work.id;
  const dir = sessionDir(home, id);
  ensureHome(home);
  if (work.kind === 'new') mkdirSync(dir, { mode: 0o700 });
  // One that waits for its time to start the session would find it running.
  if (!isLive(home, id)) endGuardian(home, id);
  const log = openSync(daemonLog(home, id), 'a', 0o600);
  try {
    const child = spawnGuarded(home, id, log);
    const booted = await bootChild(boot, child);
    const answer = booted.ok
      ? guarded(booted, home, id, child, restarts)
      : withLastWords(booted, daemonLog(home, id));
    // A session that never began leaves nothing behind.
    if (!answer.ok && work.kind === 'new') rmSync(dir, { recursive: true, force: true });
    return answer;
  } finally {
    closeSync(log);
  }
}

/** It runs: that it cannot be put down who starts it again is no reason to say that it does not. */
function guarded(
  booted: Extract<BootAnswer, { ok: true }>,
  home: string,
  id: SessionId,
  { pid = NaN }: ChildProcess,
  restarts: readonly Millis[],
): BootAnswer {
  const guardian = identityOf(pid);
  if (guardian === null) return booted;
  try {
    writeGuardian(home, id, { ...guardian, restarts });
    return booted;
  } catch (error) {
    const warning = `nobody starts it again if it crashes, since that cannot be put down: ${String(error)}`;
    return { ...booted, warnings: [...booted.warnings, warning] };
  }
}

/** A session makes short-lived copies of its history; a small nursery keeps 25 MB of them from staying. */
const NODE_FLAGS = ['--max-semi-space-size=2'];

function spawnGuarded(home: string, id: SessionId, log: number): ChildProcess {
  const { file, args } = guardedDaemon(home, id, NODE_FLAGS);
  return spawn(file, args, { detached: true, cwd: '/', stdio: ['ignore', log, log, 'ipc'] });
}

async function bootChild(boot: DaemonBoot, child: ChildProcess): Promise<BootAnswer> {
  const answered = new Promise<BootAnswer>((resolve) => {
    child.once('message', (answer) => resolve(answer as BootAnswer));
    child.once('error', (error) => resolve(failed('internal_error', error.message)));
    child.once('exit', (code, signal) => {
      const how = signal ?? `exit code ${code ?? 'unknown'}`;
      resolve(failed('internal_error', `the daemon ended before it was ready (${how})`));
    });
  });
  child.send(boot);
  const deadline = new AbortController();
  const late = sleep(READY_MS, null, { signal: deadline.signal }).catch(() => null);
  const answer = await Promise.race([answered, late]);
  deadline.abort();
  // The daemon with its guardian.
  if (answer === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  if (child.connected) child.disconnect();
  child.unref();
  return answer ?? failed('internal_error', `the daemon was not ready after ${READY_MS / 1000} s`);
}

/** Enough for a message and where it came from. */
const LAST_WORDS = 2_000;

/** A daemon that died before it could say why has often left it in its log. */
function withLastWords(answer: BootAnswer, logFile: string): BootAnswer {
  if (answer.ok || answer.ending.status !== 'internal_error') return answer;
  // A session that did not begin may have taken its folder with it.
  const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
  const words = log.trim().slice(-LAST_WORDS);
  if (words === '') return answer;
  return { ok: false, ending: { ...answer.ending, reason: `${answer.ending.reason}\n${words}` } };
}

const failed = (status: EndStatus, reason: string): BootAnswer => ({
  ok: false,
  ending: { status, reason, text: '' },
});

export const exitCodeOf = ({ status }: Ending): number => EXIT_CODES[status];
