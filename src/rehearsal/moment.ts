/**
 * Where a conversation stands before a request: what the conditions of a turn are judged by. Walks forward
 * through the messages at a constant cost for each, so that a whole history can be replayed for every
 * request.
 */
import type { ChatMessage } from './chat-request.js';
import type { Conditions } from './scenario.js';

export class Moment {
  readonly agent: string;
  round = 1;
  lastTool: string | null = null;
  /** What was said since the model's last answer: results, and words of a person; no instructions. */
  heard: string[] = [];

  constructor(agent: string) {
    this.agent = agent;
  }

  advance(message: ChatMessage): void {
    switch (message.role) {
      case 'system':
        return;
      case 'assistant':
        this.round += 1;
        this.heard = [];
        return;
      case 'tool':
        this.lastTool = message.name;
        this.heard.push(message.text);
        return;
      case 'user':
        this.heard.push(message.text);
    }
  }
}

export const matches = (when: Conditions, moment: Moment): boolean =>
  (when.round === null || when.round === moment.round) &&
  (when.lastTool === null || when.lastTool === moment.lastTool) &&
  (when.agent === null || isAgent(when.agent, moment.agent)) &&
  (when.contains === null || moment.heard.some(when.contains.accepts));

/** What of the conditions does not hold, in words; [] when all of them do. */
export function unmet(when: Conditions, moment: Moment): readonly string[] {
  const reasons: string[] = [];
  if (when.agent !== null && !isAgent(when.agent, moment.agent)) {
    reasons.push(`agent is ${moment.agent}, not ${when.agent}`);
  }
  if (when.round !== null && when.round !== moment.round) {
    reasons.push(`round is ${moment.round}, not ${when.round}`);
  }
  if (when.lastTool !== null && when.lastTool !== moment.lastTool) {
    reasons.push(`last_tool is ${moment.lastTool ?? 'none'}, not ${when.lastTool}`);
  }
  if (when.contains !== null && !moment.heard.some(when.contains.accepts)) {
    reasons.push(
      `nothing said since the last answer contains ${JSON.stringify(when.contains.source)}`,
    );
  }
  return reasons;
}

const isAgent = (wanted: string, agent: string): boolean =>
  wanted === agent || (wanted === 'sub' && agent.startsWith('sub-'));
