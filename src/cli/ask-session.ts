/** One request to a session over its control socket, and what became of it, for people and for scripts. */
import type { ControlArgs } from '../../messages/control.js';
import { shortId } from '../../messages/ids.js';
import { connect } from '../control/client.js';
import type { ControlClient } from '../control/client.js';
import { tokenPath } from '../store/socket-path.js';
import type { StandingSession } from './liveness.js';
import { resumeCommand } from './select-session.js';
import { EXIT_DONE } from './verb-output.js';
import type { FailureCode, VerbFailure, VerbOutput } from './verb-output.js';

export type Reached =
  | { readonly ok: true; readonly client: ControlClient }
  | { readonly ok: false; readonly failure: VerbFailure };

/** `timeoutMs`: how long the session may take to greet. */
export async function reach(session: StandingSession, timeoutMs?: number): Promise<Reached> {
  if (!session.live) return { ok: false, failure: notRunning(session) };
  if (session.socket === null) return { ok: false, failure: passing(session) };
  const connected = await connect({
    socketPath: session.socket,
    tokenPath: tokenPath(session.socket),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  if (connected.ok) return connected;
  const { reason, message } = connected;
  // Its process lives: there is no socket yet, or not any more.
  if (reason === 'absent' || reason === 'refused') return { ok: false, failure: passing(session) };
  return { ok: false, failure: { code: 'no_answer', message } };
}

const notRunning = (session: StandingSession): VerbFailure => ({
  code: 'not_running',
  message: `it is not running (${session.state}); start it again with: ${resumeCommand(session)}`,
});

const passing = ({ id }: StandingSession): VerbFailure => ({
  code: 'no_answer',
  message: `it takes no requests: it is just starting or ending. Try again; if that lasts: ouro kill ${shortId(id)}`,
});

/** What became of a request, or of whatever else a verb did to one session. */
export type Outcome = { readonly session: StandingSession } & (
  | {
      readonly ok: true;
      readonly changed: boolean;
      readonly message: string;
      /** Stands beside the rest in JSON. */
      readonly details?: object;
    }
  | { readonly ok: false; readonly code: FailureCode; readonly message: string }
);

export async function ask(session: StandingSession, args: ControlArgs): Promise<Outcome> {
  const reached = await reach(session);
  if (!reached.ok) return { session, ok: false, ...reached.failure };
  const { client } = reached;
  try {
    const reply = await client.request(args);
    if (!reply.ok) {
      const { code, message } = reply.error;
      const unheard = code === 'lost' || code === 'timeout';
      return { session, ok: false, code: unheard ? 'no_answer' : 'not_possible', message };
    }
    const { data } = reply;
    return data !== null && 'ok' in data
      ? { session, ok: true, changed: data.ok && data.changed, message: data.message }
      : { session, ok: true, changed: true, message: 'done' };
  } finally {
    client.close();
  }
}

/** One line a session: what was done on stdout, what was not on stderr. Returns the exit code. */
export function report(output: VerbOutput, outcomes: readonly Outcome[]): number {
  for (const { session, ok, message } of outcomes) {
    const line = `${shortId(session.id)}: ${message}`;
    if (ok) output.line(line);
    else output.note(line);
  }
  const failed = outcomes.find((outcome) => !outcome.ok);
  const { code, message } = failed ?? {};
  output.data({
    ok: failed === undefined,
    ...(failed === undefined ? {} : { error: { code, message } }),
    sessions: outcomes.map(jsonOf),
  });
  return failed === undefined ? EXIT_DONE : 1;
}

const jsonOf = (outcome: Outcome): object =>
  outcome.ok
    ? {
        session: outcome.session.id,
        ok: true,
        changed: outcome.changed,
        message: outcome.message,
        ...outcome.details,
      }
    : {
        session: outcome.session.id,
        ok: false,
        error: { code: outcome.code, message: outcome.message },
      };
