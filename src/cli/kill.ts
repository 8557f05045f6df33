/**
 * `ouro kill`: `stop` without grace. A session that does not end in 2 s is killed, with everything it
 * started; its journal is safe, and it can be resumed. Never kills a process that is not proven to be it.
 */
import { rmSync } from 'node:fs';
import { endGuardian } from '../store/guardian-record.js';
import { tokenPath } from '../store/socket-path.js';
import { reach, report } from './ask-session.js';
import type { Outcome } from './ask-session.js';
import { isLive } from './liveness.js';
import type { StandingSession } from './liveness.js';
import { withIndex } from './open-home.js';
import { resumeCommand, selectSession } from './select-session.js';
import { killProcessesOf } from './session-processes.js';
import { nowOver, wasOver } from './stop.js';
import { killSession } from './verified-kill.js';
import { runVerb } from './verb-output.js';
import type { VerbContext } from './verb-context.js';
import { becomesTrue } from './waiting-time.js';

export interface KillOptions {
  readonly id?: string | undefined;
  readonly json?: boolean | undefined;
}

/** For ending by itself, from the first try to reach it. */
const ANSWER_MS = 2_000;
const LOOK_MS = 20;

export const kill = (options: KillOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const wanted = { id: options.id, fitting: 'live', neverGuess: true } as const;
    const selected = selectSession(wanted, context);
    if (!selected.ok) return output.fail(selected.failure);
    return report(output, [await killOne(selected.session, context)]);
  });

async function killOne(session: StandingSession, context: VerbContext): Promise<Outcome> {
  // First of all: it would start the session again.
  endGuardian(context.home, session.id);
  if (!session.live) return settled(session, context, wasOver(session, context));
  const over = (): boolean => !isLive(context.home, session.id);
  const giveUpAt = performance.now() + ANSWER_MS;
  const asked = askToStop(session, ANSWER_MS);
  const limitMs = giveUpAt - performance.now();
  const ended = await becomesTrue(over, { limitMs, everyMs: LOOK_MS });
  await asked;
  if (ended) return settled(session, context, nowOver(session, context));
  return killProcess(session, context);
}

/** Whether it hears, and what it says, changes nothing: its end is what is looked for. */
async function askToStop(session: StandingSession, limitMs: number): Promise<void> {
  const reached = await reach(session, limitMs);
  if (!reached.ok) return;
  await reached.client.request({ do: 'stop' }, limitMs);
  reached.client.close();
}

async function killProcess(session: StandingSession, context: VerbContext): Promise<Outcome> {
  const killed = await killSession(context.home, session.id);
  if (!killed.ok) return { session, ok: false, code: 'not_possible', message: killed.reason };
  const { pid, children } = killed;
  const started = children === 0 ? '' : ` with ${children} it had started`;
  const message = `killed process ${pid}${started}; its work is kept: ${resumeCommand(session)}`;
  return settled(session, context, { session, ok: true, changed: true, message });
}

/** What a process that could not tidy up leaves behind: its line in the index, its socket, its children. */
function settled(session: StandingSession, context: VerbContext, outcome: Outcome): Outcome {
  // It was started again in the meantime, and all of this is in use.
  if (isLive(context.home, session.id)) return outcome;
  killProcessesOf(session.id);
  if (session.socket !== null) {
    rmSync(session.socket, { force: true });
    rmSync(tokenPath(session.socket), { force: true });
  }
  withIndex(context, undefined, (index) => {
    const known = index.get(session.id);
    if (known === null || known.endStatus !== null) return;
    const changes = {
      state: 'interrupted',
      socket: null,
      pid: null,
      holds: [],
      heldUntil: null,
    } as const;
    index.patch(session.id, changes);
  });
  return outcome;
}
