/**
 * Facts as events of a log: how important each is, in words for people and in fields for programs. Holds
 * what is needed to tell durations and changes: the calls under way and the holds that were set.
 */
import type { AgentFact } from '../messages/agents.js';
import { compactionText } from '../messages/context.js';
import type { ObservedFact } from '../messages/coordinator.js';
import { hookText } from '../messages/hooks.js';
import { MAIN_AGENT, type AgentId, type CallId, type Millis } from '../messages/ids.js';
import { holdKey, type Hold, type PauseFact } from '../messages/pause.js';
import type { ToolFact } from '../messages/tools.js';
import { gist, oneLine, type LineEvent } from './event-line.js';
import { endText } from './log-line.js';
import { count, duration } from './text/amounts.js';
import { reveal } from './text/sanitise.js';
import { holdText } from './waiting.js';
import { answerText, promptOf } from '../messages/questions.js';

export type Level = 'debug' | 'info' | 'warn' | 'error';

export interface LogEvent extends LineEvent {
  readonly level: Level;
  /** The dotted name of the fact. */
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

type Told = Omit<LogEvent, 'at' | 'agent' | 'event'>;
type Finished = Extract<ToolFact, { type: 'tool.finished' }>;

function saidTold(fact: Extract<AgentFact, { type: 'agent.said' }>): Told[] {
  const { round, text, reasoning } = fact;
  const thought: Told = {
    level: 'debug',
    mark: 'reasoning',
    text: oneLine(reasoning),
    fields: { round },
  };
  const said: Told = { level: 'info', mark: 'said', text: oneLine(text), fields: { round } };
  const notices = (fact.notices ?? []).map((notice): Told => ({
    level: 'warn',
    mark: 'notice',
    text: oneLine(notice),
    fields: { round },
  }));
  return [
    ...(reasoning.trim() === '' ? [] : [thought]),
    ...(text.trim() === '' ? [] : [said]),
    ...notices,
  ];
}

function endedTold(fact: Extract<AgentFact, { type: 'agent.ended' }>): Told {
  const failed = fact.end.status === 'model-failed' && fact.agent === MAIN_AGENT;
  return {
    level: failed ? 'error' : 'debug',
    mark: failed ? 'error' : 'notice',
    text: endText(fact.end),
    fields: { status: fact.end.status, rounds: fact.rounds },
  };
}

function agentTold(fact: AgentFact): Told[] {
  switch (fact.type) {
    case 'agent.status': {
      const { round, phase, until } = fact;
      const text = oneLine(`round ${round}: ${phase}${fact.detail ? `, ${fact.detail}` : ''}`);
      return [{ level: 'debug', mark: 'notice', text, fields: { round, phase, until } }];
    }
    case 'agent.heard': {
      const { round, origin } = fact;
      const text = oneLine(`${origin}: ${fact.text}`);
      const mark = origin === 'harness' ? 'notice' : 'person';
      return [{ level: 'info', mark, text, fields: { round, origin } }];
    }
    case 'agent.said':
      return saidTold(fact);
    case 'model.reset': {
      const { round, attempt, retryInMs, error } = fact;
      const again = retryInMs > 0 ? `; again in ${duration(retryInMs)}` : '';
      const text = oneLine(`attempt ${attempt} failed (${error.kind}): ${error.message}${again}`);
      const fields = { round, attempt, kind: error.kind, retry_in_ms: retryInMs };
      return [{ level: 'warn', mark: 'error', text, fields }];
    }
    case 'model.routed': {
      const { round, model } = fact;
      const text = oneLine(`round ${round}: asking ${model} instead`);
      return [{ level: 'info', mark: 'notice', text, fields: { round, model } }];
    }
    case 'model.used': {
      const { round, model, usage } = fact;
      const text = `round ${round}: ${count(usage.promptTokens)} tokens in, ${count(usage.completionTokens)} out`;
      const fields = {
        round,
        model,
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        cached_tokens: usage.cachedTokens,
      };
      return [{ level: 'debug', mark: 'notice', text, fields }];
    }
    case 'agent.ended':
      return [endedTold(fact)];
  }
}

function finishedTold(fact: Finished, started: Millis | undefined): Told {
  const { outcome, round, name, callId } = fact;
  const ms = started === undefined ? null : Math.max(0, fact.at - started);
  const took = ms === null ? '' : ` ${duration(ms)}`;
  const ok = outcome.status === 'ok';
  const status = ok ? '' : ` ${outcome.status}`;
  const rule = outcome.status === 'denied' ? ` by ${outcome.rule}` : '';
  const said = gist(outcome.text);
  return {
    level: ok ? 'info' : 'warn',
    mark: ok ? 'ok' : 'failed',
    text: `${oneLine(name)}${status}${oneLine(rule)}${took}${said === '' ? '' : `: ${said}`}`,
    fields: { round, call: callId, tool: name, status: outcome.status, ms },
  };
}

/** Told by difference: the fact is also said after a command that changed nothing. */
function pauseTold(fact: PauseFact, before: readonly Hold[]): Told[] {
  const keys = (holds: readonly Hold[]): Set<string> => new Set(holds.map(holdKey));
  const [old, current] = [keys(before), keys(fact.holds)];
  const set = fact.holds.filter((hold) => !old.has(holdKey(hold)));
  const lifted = before.filter((hold) => !current.has(holdKey(hold)));
  return [
    ...set.map((hold): Told => ({
      level: 'warn',
      mark: 'hold',
      text: holdText(hold),
      fields: { hold },
    })),
    ...lifted.map((hold): Told => {
      const text = `no longer held (${hold.kind})`;
      return { level: 'info', mark: 'notice', text, fields: { lifted: holdKey(hold) } };
    }),
  ];
}

/** Who a fact is about; what is about the session is told by `main`. */
const agentOf = (fact: ObservedFact): AgentId =>
  'agent' in fact && fact.type !== 'subagent.spawned' ? fact.agent : MAIN_AGENT;

/** Reads the facts of one session in order. */
export class FactReader {
  readonly #started = new Map<CallId, Millis>();
  readonly #heard = new Map<AgentId, Millis>();
  #holds: readonly Hold[] = [];

  /** When each agent was last heard of. */
  get heard(): ReadonlyMap<AgentId, Millis> {
    return this.#heard;
  }

  events(fact: ObservedFact): LogEvent[] {
    const agent = agentOf(fact);
    if ('agent' in fact) this.#heard.set(fact.agent, fact.at);
    return this.#told(fact).map((told) => ({ at: fact.at, agent, event: fact.type, ...told }));
  }

  #told(fact: ObservedFact): Told[] {
    switch (fact.type) {
      case 'tool.started': {
        this.#started.set(fact.callId, fact.at);
        const { round, callId, name } = fact;
        const text = reveal(fact.summary);
        const fields = { round, call: callId, tool: name };
        return [{ level: 'info', mark: 'call', text, fields }];
      }
      case 'tool.finished': {
        const started = this.#started.get(fact.callId);
        this.#started.delete(fact.callId);
        return [finishedTold(fact, started)];
      }
      case 'pause.changed': {
        const before = this.#holds;
        this.#holds = fact.holds;
        return pauseTold(fact, before);
      }
      default:
        return stateless(fact);
    }
  }
}

type Stateless = Exclude<ObservedFact, ToolFact | PauseFact>;

function stateless(fact: Stateless): Told[] {
  switch (fact.type) {
    case 'subagent.spawned': {
      const text = oneLine(`started ${fact.agent}: ${fact.task.task}`);
      return [{ level: 'info', mark: 'notice', text, fields: { subagent: fact.agent } }];
    }
    case 'subagent.refused': {
      const text = oneLine(`no sub-agent was started: ${fact.reason}`);
      return [{ level: 'warn', mark: 'notice', text, fields: { call: fact.callId } }];
    }
    case 'subagent.ended': {
      const { rounds, end } = fact;
      const fields = { rounds, status: end.status };
      return [{ level: 'info', mark: 'notice', text: `ended ${endText(end)}`, fields }];
    }
    case 'discovery.added': {
      const { title, description } = fact.discovery;
      const text = oneLine(`${title}: ${description}`);
      return [{ level: 'info', mark: 'discovery', text, fields: { round: fact.round } }];
    }
    case 'hook.ran': {
      const { event: hook, verdict, about: tool, round, ms } = fact;
      const fields = { hook, verdict, tool, round, ms };
      const level = verdict === 'passed' ? 'debug' : 'warn';
      const mark = verdict === 'failed' ? 'error' : 'notice';
      return [{ level, mark, text: oneLine(hookText(fact)), fields }];
    }
    case 'budget.changed': {
      const { notice, lines } = fact;
      if (notice === null) return [];
      return [{ level: 'warn', mark: 'notice', text: oneLine(notice), fields: { budget: lines } }];
    }
    case 'question.opened': {
      const { id, agent } = fact.question;
      const text = oneLine(`question ${id} of ${agent}: ${promptOf(fact.question)}`);
      return [{ level: 'warn', mark: 'person', text, fields: { question: id } }];
    }
    case 'question.answered': {
      const { id } = fact.question;
      const text = oneLine(`question ${id}: ${answerText(fact.answer)}`);
      return [{ level: 'info', mark: 'person', text, fields: { question: id } }];
    }
    case 'context.measured':
      return [];
    case 'context.compacted': {
      const { round, step } = fact;
      return [
        { level: 'info', mark: 'notice', text: compactionText(fact), fields: { round, step } },
      ];
    }
    case 'context.refused': {
      const text = oneLine(`summary not used: ${fact.reason}`);
      return [{ level: 'warn', mark: 'notice', text, fields: { round: fact.round } }];
    }
    case 'action.done': {
      const { ok, message } = fact.result;
      const level = ok ? 'info' : 'warn';
      return [{ level, mark: 'person', text: oneLine(message), fields: { action: fact.id, ok } }];
    }
    default:
      return agentTold(fact);
  }
}
