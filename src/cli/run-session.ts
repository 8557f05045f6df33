/**
 * Runs an opened session in this process: the logger listens, signals end it, the result comes last. Used
 * by headless runs and by the background daemon alike.
 */
import type { Headless } from '../../tui/headless.js';
import type { RunResult } from '../../messages/result.js';
import { SERVED_VERBS } from '../../messages/control.js';
import { EXIT_CODES, type QuitReason } from '../../messages/session.js';
import type { Daemon } from '../daemon.js';
import { VERSION } from '../version.js';

/** From the first signal to the exit, whatever hangs. */
const EXIT_AFTER_SIGNAL_MS = 7_000;
/** A reader that does not take the result cannot keep the session from ending. */
const RESULT_MS = 1_000;

const SIGNALS: readonly (readonly [NodeJS.Signals, QuitReason])[] = [
  ['SIGINT', 'interrupted'],
  ['SIGTERM', 'terminated'],
  ['SIGHUP', 'hangup'],
];

export async function runSession(daemon: Daemon, headless: Headless): Promise<RunResult> {
  const { mesh, spec, goal, sandbox, noSandbox } = daemon;
  const watching = new AbortController();
  const at = Date.now();
  const about = { spec, goal, version: VERSION, capabilities: SERVED_VERBS, sandbox, noSandbox };
  headless.onStart({ ...about, at });
  const stopListening = mesh.facts.on((fact) => headless.onFact(fact));
  const following = followSnapshots(daemon, headless, watching.signal);
  const restore = endOnSignals(daemon);
  try {
    return await daemon.run((result) => atMost(RESULT_MS, headless.onResult(result)));
  } finally {
    restore();
    stopListening();
    watching.abort();
    await following;
    headless.close();
  }
}

async function followSnapshots(
  { mesh }: Daemon,
  headless: Headless,
  until: AbortSignal,
): Promise<void> {
  for await (const snapshot of mesh.snapshots.changes(until)) headless.onSnapshot(snapshot);
}

/** Returns how to stop listening. A second signal does not wait for anything. */
function endOnSignals(daemon: Daemon): () => void {
  let signalled = false;
  const handlers = SIGNALS.map(([signal, reason]) => {
    const handler = (): void => {
      if (signalled) process.exit(EXIT_CODES[reason]);
      signalled = true;
      daemon.quit(reason);
      setTimeout(() => process.exit(EXIT_CODES[reason]), EXIT_AFTER_SIGNAL_MS).unref();
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  const crash = (error: unknown): void => daemon.fail(error);
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return () => {
    for (const off of handlers) off();
    process.off('uncaughtException', crash);
    process.off('unhandledRejection', crash);
  };
}

const atMost = async (ms: number, work: Promise<void>): Promise<void> => {
  await Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, ms).unref())]);
};
