/** How sessions are named to people and to scripts. */
import { shortId } from '../../messages/ids.js';
import { cutWidth, sanitiseLine } from '../../tui/text/sanitise.js';
import type { StandingSession } from './liveness.js';

/** Enough of a goal to know it again. */
const GOAL_CELLS = 60;

/** `3f0c2a9e  running  a name: the goal`. */
export function sessionLine(session: StandingSession): string {
  const { name, goal } = session;
  const asked = cutWidth(sanitiseLine(goal), GOAL_CELLS);
  const state = session.state === 'held' ? heldState(session) : session.state;
  // Who gave no name gets one from the beginning of the goal.
  const named = name === '' || goal.startsWith(name) ? '' : `${sanitiseLine(name)}: `;
  return `${shortId(session.id)}  ${state}  ${named}${asked}`;
}

const heldState = ({ holds }: StandingSession): string =>
  holds.length === 0 ? 'held' : `held (${holds.join(', ')})`;

/** A session in what `--json` prints. */
export const sessionJson = (session: StandingSession): object => ({
  id: session.id,
  name: session.name,
  goal: session.goal,
  workspace: session.workspace,
  model: session.model,
  state: session.state,
  live: session.live,
  holds: session.holds,
  held_until:
    typeof session.heldUntil === 'number' ? new Date(session.heldUntil).toISOString() : null,
  rounds: session.rounds,
  cost_usd: session.costUsd,
  prompt_tokens: session.promptTokens,
  completion_tokens: session.completionTokens,
  pid: session.pid,
  started_at: new Date(session.startedAt).toISOString(),
  updated_at: new Date(session.updatedAt).toISOString(),
  end_status: session.endStatus,
  exit_code: session.exitCode,
});
