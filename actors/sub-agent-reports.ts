/** How a sub-agent's end is told to the one who asked for it. Pure. */
import type { CycleEnd } from '../messages/agents.js';
import type { AgentId } from '../messages/ids.js';
import type { ToolOutcome } from '../messages/tools.js';

export interface SubAgentEnd {
  readonly agent: AgentId;
  readonly rounds: number;
  /** Null: not known any more. */
  readonly tokens: number | null;
  readonly end: CycleEnd;
}

/** What the parent's model is shown: whole; the call it answers cuts it, and keeps the whole. */
export function handedBack({ agent, rounds, tokens, end }: SubAgentEnd): ToolOutcome {
  const spent = `(rounds: ${rounds}${tokens === null ? '' : `, tokens: ${tokens}`})`;
  const told = (how: string, text: string): string =>
    `[Sub-agent '${agent}' ${how}] ${spent}${text === '' ? '' : `\n${text}`}`;
  const text = textOf(end);
  switch (end.status) {
    case 'done':
    case 'partial':
      return { status: 'ok', text: told('completed', text), truncated: false };
    case 'round-limit':
      return { status: 'ok', text: told('hit round limit', text), truncated: false };
    case 'stopped':
      return { status: 'cancelled', text: told('was stopped', '') };
    case 'blocked':
    case 'model-failed':
      return { status: 'failed', reason: 'failed', text: told('failed', text) };
  }
}

/** One word, as `check_agent` and `sleep` tell it. */
export function endWord(end: CycleEnd['status']): 'completed' | 'failed' | 'killed' {
  switch (end) {
    case 'done':
    case 'partial':
    case 'round-limit':
      return 'completed';
    case 'blocked':
    case 'model-failed':
      return 'failed';
    case 'stopped':
      return 'killed';
  }
}

/** The words a cycle ended with. */
export function textOf(end: CycleEnd): string {
  switch (end.status) {
    case 'model-failed':
      return end.error.message;
    case 'stopped':
      return end.reason;
    default:
      return end.text;
  }
}
