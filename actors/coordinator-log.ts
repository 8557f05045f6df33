/** What a fact looks like in the agent log, or that it does not stand there. Pure. */
import type { AgentFact, CycleEnd } from '../messages/agents.js';
import type { BudgetFact } from '../messages/budget.js';
import { compactionText, type ContextFact } from '../messages/context.js';
import type { DiscoveryFact } from '../messages/coordinator.js';
import { hookText, type HookFact } from '../messages/hooks.js';
import { MAIN_AGENT } from '../messages/ids.js';
import type { Hold, PauseFact } from '../messages/pause.js';
import { answerText, promptOf, type QuestionFact } from '../messages/questions.js';
import type { SubAgentFact } from '../messages/subagents.js';
import type { ToolFact } from '../messages/tools.js';
import type { NewEntry } from './coordinator-state.js';

/** Log entries are for reading along; the whole text is in the journal. */
const MAX_ENTRY_CHARS = 4_000;

const cut = (text: string): string =>
  text.length <= MAX_ENTRY_CHARS
    ? text
    : `${text.slice(0, MAX_ENTRY_CHARS)}\n… ${text.length - MAX_ENTRY_CHARS} more characters`;

export function entriesOf(
  fact:
    | AgentFact
    | ContextFact
    | ToolFact
    | SubAgentFact
    | PauseFact
    | DiscoveryFact
    | BudgetFact
    | QuestionFact
    | HookFact,
): NewEntry[] {
  switch (fact.type) {
    case 'agent.status':
    case 'model.used':
    case 'context.measured':
      return [];
    case 'model.routed':
      return [{ ...where(fact), kind: 'notice', text: `asking ${fact.model} instead` }];
    case 'context.compacted':
      return [{ ...where(fact), kind: 'notice', text: compactionText(fact) }];
    case 'context.refused':
      return [{ ...where(fact), kind: 'error', text: `summary not used: ${fact.reason}` }];
    case 'agent.heard':
      return [
        {
          ...where(fact),
          kind: fact.origin === 'harness' ? 'notice' : 'user',
          text: cut(fact.text),
        },
      ];
    case 'agent.said': {
      const entries: NewEntry[] = [];
      if (fact.reasoning !== '')
        entries.push({ ...where(fact), kind: 'reasoning', text: cut(fact.reasoning) });
      if (fact.text !== '') entries.push({ ...where(fact), kind: 'text', text: cut(fact.text) });
      for (const text of fact.notices ?? [])
        entries.push({ ...where(fact), kind: 'notice', text: cut(text) });
      return entries;
    }
    case 'model.reset': {
      const text = `attempt ${fact.attempt} failed, asking again: ${fact.error.message}`;
      return [{ ...where(fact), kind: 'error', text }];
    }
    case 'agent.ended':
      return [
        {
          at: fact.at,
          agent: fact.agent,
          round: fact.rounds,
          kind: 'notice',
          text: ended(fact.end),
        },
      ];
    case 'tool.started':
      return [{ ...where(fact), kind: 'tool', text: fact.summary }];
    case 'tool.finished': {
      const { text, status } = fact.outcome;
      return [{ ...where(fact), kind: 'result', text: cut(`${fact.name}: ${text}`), status }];
    }
    case 'subagent.spawned': {
      const text = `${fact.agent} started: ${fact.task.task}`;
      return [{ at: fact.at, agent: fact.parent, round: 0, kind: 'notice', text: cut(text) }];
    }
    case 'subagent.refused':
      return [{ at: fact.at, agent: MAIN_AGENT, round: 0, kind: 'error', text: fact.reason }];
    case 'subagent.ended':
      return [];
    case 'pause.changed':
      return [{ at: fact.at, agent: MAIN_AGENT, round: 0, kind: 'notice', text: held(fact.holds) }];
    case 'question.opened': {
      const { agent, id } = fact.question;
      const text = `${id}: ${promptOf(fact.question)}`;
      return [{ at: fact.at, agent, round: 0, kind: 'notice', text: cut(text) }];
    }
    case 'question.answered': {
      const { agent, id } = fact.question;
      const text = `${id}: ${answerText(fact.answer)}`;
      return [{ at: fact.at, agent, round: 0, kind: 'user', text: cut(text) }];
    }
    case 'hook.ran': {
      // One that has nothing to say would only push what the agent did out of sight.
      if (fact.verdict === 'passed' && fact.text === '') return [];
      const kind = fact.verdict === 'failed' ? 'error' : 'notice';
      return [{ ...where(fact), kind, text: cut(hookText(fact)) }];
    }
    case 'budget.changed':
      if (fact.notice === null) return [];
      return [{ at: fact.at, agent: MAIN_AGENT, round: 0, kind: 'notice', text: fact.notice }];
    case 'discovery.added':
      return [{ ...where(fact), kind: 'notice', text: `discovery: ${fact.discovery.title}` }];
  }
}

const where = ({ at, agent, round }: Pick<NewEntry, 'at' | 'agent' | 'round'>) => ({
  at,
  agent,
  round,
});

export function ended(end: CycleEnd): string {
  switch (end.status) {
    case 'done':
      return 'the turn is over: done';
    case 'partial':
      return `the turn is over: done in part. ${end.text}`;
    case 'blocked':
      return `the turn is over: blocked. ${end.text}`;
    case 'round-limit':
      return `the turn is over: the limit of ${end.limit} rounds was reached`;
    case 'model-failed':
      return `the turn is over: ${end.error.message}`;
    case 'stopped':
      return `the turn is over: ${end.reason}`;
  }
}

const held = (holds: readonly Hold[]): string =>
  holds.length === 0
    ? 'no holds: going on'
    : `held: ${holds.map((hold) => `${hold.kind} (${hold.reason})`).join(', ')}`;
