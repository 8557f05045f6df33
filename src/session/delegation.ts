/**
 * Hands tasks to sub-agents through the mesh, on behalf of calls that wait, and says how they stand. A call
 * that is made again after a crash gets the sub-agent that it had, never a second one.
 */
import type { CallContext } from '../../actors/ports.js';
import { started } from '../../actors/coordinator-step.js';
import { endWord, handedBack, textOf } from '../../actors/sub-agent-reports.js';
import { OVERLOADED } from '../../actors/tool-executor.js';
import type { CoordinatorMessage } from '../../messages/coordinator.js';
import { MAIN_AGENT, type AgentId } from '../../messages/ids.js';
import type { AgentView } from '../../messages/snapshot.js';
import type { SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import type { WaitingCalls } from './mesh.js';
import type { KnownSubAgent, SubAgentDesk } from './sub-agent-desk.js';

export interface DelegationPorts {
  readonly desk: SubAgentDesk;
  readonly waiting: WaitingCalls;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
  readonly viewOf: (agent: AgentId) => AgentView | null;
}

export interface Delegation {
  /** Waits for the sub-agent's end; for one in the background only until it has begun. Must not reject. */
  readonly delegate: (task: SubAgentTask, context: CallContext) => Promise<ToolOutcome>;
  /** Null: all that work for the one who asks. `block`: once they have ended. Must not reject. */
  readonly check: (
    agent: AgentId | null,
    block: boolean,
    context: CallContext,
  ) => Promise<ToolOutcome>;
}

export const delegation = (ports: DelegationPorts): Delegation => ({
  delegate: (task, context) => delegate(ports, task, context),
  check: (agent, block, context) => check(ports, agent, block, context),
});

async function delegate(
  { desk, waiting, tell }: DelegationPorts,
  task: SubAgentTask,
  { agent: parent, callId, signal }: CallContext,
): Promise<ToolOutcome> {
  const known = desk.ofCall(callId);
  if (known !== null && task.background === true) return started(known.agent);
  if (known?.end) return handedBack(known.end);
  const answer = waiting.ask(callId);
  const spawned =
    known === null ? tell({ type: 'subagent.spawn', parent, callId, task }) : Promise.resolve(true);
  const closed = (heard: boolean): void => {
    if (!heard) waiting.settle(callId, OVERLOADED);
  };
  // Its end, which answers the call, comes soon after that.
  const cancel = (): void => {
    const reason = 'its call was cancelled';
    void spawned.then(() => tell({ type: 'subagent.cancel', callId, reason })).then(closed);
  };
  signal.addEventListener('abort', cancel, { once: true });
  closed(await spawned);
  try {
    return await answer;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function check(
  { desk, viewOf }: DelegationPorts,
  agent: AgentId | null,
  block: boolean,
  { agent: asker, signal }: CallContext,
): Promise<ToolOutcome> {
  const asked = (): readonly KnownSubAgent[] =>
    desk.under(asker).filter((known) => agent === null || known.agent === agent);
  if (agent !== null && asked().length === 0) return notFound(agent, desk.under(asker), asker);
  while (block && !signal.aborted && asked().some(({ end }) => end === null)) {
    await desk.changed(signal);
  }
  const text =
    agent === null
      ? listText(asked(), viewOf)
      : asked()
          .map((known) => statusText(known, viewOf(known.agent)))
          .join('\n');
  for (const { agent: read, end } of asked()) if (end && agent !== null) desk.markTold(read);
  return { status: 'ok', text, truncated: false };
}

function notFound(agent: AgentId, others: readonly KnownSubAgent[], asker: AgentId): ToolOutcome {
  const whose = asker === MAIN_AGENT ? '' : ' of yours';
  const names = others.map((known) => known.agent).join(', ');
  const there = names === '' ? 'There are none.' : `There are: ${names}.`;
  const text = `Error: there is no sub-agent '${agent}'${whose}. ${there}`;
  return { status: 'failed', reason: 'failed', text };
}

/** Of a task, where several stand below each other. */
const TASK_CHARS = 100;

function listText(known: readonly KnownSubAgent[], viewOf: DelegationPorts['viewOf']): string {
  if (known.length === 0) return 'There are no sub-agents.';
  return known
    .map(({ agent, task, end }) => {
      const what = task.task.replace(/\s+/g, ' ').slice(0, TASK_CHARS);
      return `${agent} (${task.kind}): ${statusOf(end, viewOf(agent))}: ${what}`;
    })
    .join('\n');
}

const statusOf = (end: KnownSubAgent['end'], view: AgentView | null): string =>
  end === null ? `running, round ${view?.round ?? 0}` : endWord(end.end.status);

function statusText({ end }: KnownSubAgent, view: AgentView | null): string {
  if (end === null) return `Status: running\nRound ${view?.round ?? 0}, ${view?.phase ?? 'gated'}`;
  const { status } = end.end;
  const note = status === 'round-limit' ? ' (it reached its round limit)' : '';
  return `Status: ${endWord(status)}${note}\nResult: ${textOf(end.end)}`;
}
