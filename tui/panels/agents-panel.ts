/** The tree of agents: what each is doing, for how long, on which model, and what it used. */
import type { AgentPhase } from '../../messages/agents.js';
import type { AgentId } from '../../messages/ids.js';
import type { AgentView, OpenCall } from '../../messages/snapshot.js';
import { countdown, duration, tokens } from '../view/amounts.js';
import { GREY, line, span, type Line, type Size, type Style } from '../picture.js';
import { cutWidth, sanitiseLine } from '../text/sanitise.js';
import type { ViewState } from '../view/view-model.js';

const PHASES: Readonly<Record<AgentPhase, { word: string; style: Style }>> = {
  gated: { word: 'held', style: { fg: 'yellow' } },
  preparing: { word: 'preparing', style: {} },
  asking: { word: 'asking', style: { fg: 'blue' } },
  queued: { word: 'queued', style: { fg: 'yellow' } },
  'backing-off': { word: 'backing off', style: { fg: 'yellow' } },
  acting: { word: 'acting', style: { fg: 'cyan' } },
  recording: { word: 'recording', style: {} },
  done: { word: 'done', style: { fg: 'green' } },
  failed: { word: 'failed', style: { fg: 'red' } },
};

interface Node {
  readonly agent: AgentView;
  readonly depth: number;
}

/** Children below their parent, in the order they came. An agent whose parent is unknown stands at the top. */
function treeOf(agents: readonly AgentView[]): Node[] {
  const known = new Set<AgentId>(agents.map(({ id }) => id));
  const below = (parent: AgentId | null, depth: number): Node[] =>
    agents
      .filter(
        (agent) =>
          (agent.parent !== null && known.has(agent.parent) ? agent.parent : null) === parent,
      )
      .flatMap((agent) => [{ agent, depth }, ...below(agent.id, depth + 1)]);
  return below(null, 0);
}

function age(state: ViewState, agent: AgentView): string {
  if (agent.end !== null) return '';
  if (agent.until !== null) return ` ${countdown(agent.until, state.now)}`;
  const seen = state.phases.get(agent.id);
  const waits = ['asking', 'queued', 'acting'].includes(agent.phase);
  return waits && seen !== undefined ? ` ${duration(state.now - seen.since)}` : '';
}

/** What it is at: its running tool, else what it waits for, else its task. */
function doing(agent: AgentView, calls: readonly OpenCall[]): string {
  const call = calls.find((open) => open.agent === agent.id);
  if (call !== undefined) return call.summary === '' ? call.name : call.summary;
  return agent.detail === '' ? agent.task : agent.detail;
}

function linesOf(
  state: ViewState,
  { agent, depth }: Node,
  calls: readonly OpenCall[],
  width: number,
): Line[] {
  const indent = '  '.repeat(depth);
  const { word, style } = PHASES[agent.phase];
  const ended = agent.end !== null && agent.end !== 'done' ? agent.end : word;
  const used = `r${agent.round} ${tokens(agent.promptTokens + agent.completionTokens)}`;
  const head: Line = [
    span(`${indent}${agent.id} `, agent.end === null ? { bold: true } : GREY),
    span(`${ended}${age(state, agent)} `, style),
    span(used),
  ];
  const second = [agent.model, doing(agent, calls)].filter((part) => part !== '').join(' · ');
  return [head, line(cutWidth(`${indent}  ${sanitiseLine(second)}`, width), GREY)];
}

export function agentsPanel(state: ViewState, { width }: Size): readonly Line[] {
  const { snapshot } = state;
  if (snapshot === null || snapshot.agents.length === 0) return [line('no agent yet', GREY)];
  return treeOf(snapshot.agents).flatMap((node) => linesOf(state, node, snapshot.calls, width));
}
