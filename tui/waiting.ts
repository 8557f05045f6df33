/** What a session is waiting for, in words: for a log that must not fall silent, and for people who ask. */
import type { AgentId, Millis } from '../messages/ids.js';
import type { Hold } from '../messages/pause.js';
import { hasEnded } from '../messages/session.js';
import type { AgentView, OpenCall, Snapshot } from '../messages/snapshot.js';
import { oneLine } from './event-line.js';
import { clock, duration } from './text/amounts.js';
import { cutWidth, reveal } from './text/sanitise.js';

/** When each agent was last heard of; a snapshot does not say. */
export type LastHeard = ReadonlyMap<AgentId, Millis>;

/** Enough of a command to know it again. */
const SUMMARY_CELLS = 80;

export function holdText(hold: Hold): string {
  const until = hold.until === null ? '' : ` until ${clock(hold.until)}`;
  return oneLine(`held (${hold.kind})${until}: ${hold.reason}; go on with: ${hold.release}`);
}

function callText(call: OpenCall, now: Millis): string {
  const age = duration(now - call.startedAt);
  return `${call.agent}: running for ${age}: ${cutWidth(reveal(call.summary), SUMMARY_CELLS)}`;
}

/** Null: it is over, or what it waits for is said elsewhere (by its calls, or by the holds). */
function agentText(agent: AgentView, now: Millis, heard: LastHeard): string | null {
  const since = heard.get(agent.id);
  const age = since === undefined ? '' : ` for ${duration(now - since)}`;
  const until = agent.until === null ? '' : ` until ${clock(agent.until)}`;
  const detail = agent.detail === '' ? '' : ` (${oneLine(agent.detail)})`;
  switch (agent.phase) {
    case 'asking':
      return `${agent.id}: round ${agent.round}, waiting for the model${age}${until}${detail}`;
    case 'queued':
      return `${agent.id}: round ${agent.round}, queued${age}${detail}`;
    case 'backing-off':
      return `${agent.id}: round ${agent.round}, backing off${until}${detail}`;
    case 'preparing':
    case 'recording':
      return `${agent.id}: round ${agent.round}, ${agent.phase}${age}${detail}`;
    case 'gated':
    case 'acting':
    case 'done':
    case 'failed':
      return null;
  }
}

/** One sentence for each thing that is waited for; at least one. */
export function waitingFor(snapshot: Snapshot, now: Millis, heard: LastHeard): string[] {
  const waits = [
    ...snapshot.holds.map(holdText),
    ...snapshot.calls.map((call) => callText(call, now)),
    ...snapshot.agents.flatMap((agent) => agentText(agent, now, heard) ?? []),
  ];
  if (waits.length > 0) return waits;
  return [hasEnded(snapshot.state) ? `the session is over: ${snapshot.state}` : snapshot.state];
}
