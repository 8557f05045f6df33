/** Facts as lines of `stream-json`. What is printed is data for programs: text stays as it was. */
import type { AgentFact, CycleEnd } from '../messages/agents.js';
import type { ObservedFact } from '../messages/coordinator.js';
import type { AgentId, Millis, SessionId } from '../messages/ids.js';
import { STREAM_SCHEMA_VERSION, type StreamLine } from '../messages/result.js';
import type { SandboxKind, SessionSpec } from '../messages/session.js';
import { endText } from './log-line.js';
import { answerText, promptOf, type QuestionFact } from '../messages/questions.js';

export interface StreamStart {
  readonly spec: SessionSpec;
  readonly goal: string;
  /** Of the program. */
  readonly version: string;
  /** What may be asked of the session over its control socket. */
  readonly capabilities: readonly string[];
  readonly sandbox: SandboxKind;
  /** Why there is none, though one was wanted; null or left out: none was, or there is one. */
  readonly noSandbox?: string | null;
  readonly at: Millis;
}

const iso = (at: Millis): string => new Date(at).toISOString();

/** The first line of every stream. */
export const initLine = ({
  spec,
  goal,
  version,
  capabilities,
  sandbox,
  noSandbox = null,
  at,
}: StreamStart): StreamLine => ({
  type: 'init',
  session_id: spec.id,
  ts: iso(at),
  schema_version: STREAM_SCHEMA_VERSION,
  capabilities,
  model: spec.model,
  base_url: spec.baseUrl,
  scripted: spec.rehearsal !== null,
  workspace: spec.workspace,
  goal,
  limits: {
    max_rounds: spec.limits.maxRounds,
    max_time_ms: spec.limits.maxTimeMs,
    max_cost_usd: spec.budget?.sessionUsd ?? null,
    max_cost_usd_day: spec.budget?.dayUsd ?? null,
    max_cost_usd_month: spec.budget?.monthUsd ?? null,
    max_tokens: spec.budget?.sessionTokens ?? null,
  },
  permission_mode: spec.permissions.mode,
  sandbox,
  sandbox_reason: noSandbox,
  version,
});

type Of<T extends AgentFact['type']> = Extract<AgentFact, { type: T }>;

function saidLines(fact: Of<'agent.said'>, session: SessionId): StreamLine[] {
  const { agent, round } = fact;
  const common = {
    session_id: session,
    ts: iso(fact.at),
    agent,
    round,
    role: 'assistant',
  } as const;
  return [
    ...(fact.reasoning === ''
      ? []
      : [{ type: 'reasoning', ...common, text: fact.reasoning } as const]),
    ...(fact.text === '' ? [] : [{ type: 'message', ...common, text: fact.text } as const]),
  ];
}

const wholeEnd = (end: CycleEnd): string =>
  'text' in end && end.text !== '' ? `${end.status}: ${end.text}` : endText(end);

/** Call ids begin with the name of the agent that asked. */
const askerOf = (callId: string): string => callId.slice(0, callId.indexOf('_'));

/** The lines of one fact; every `asking` gives a `round` line, also when a round is asked again. */
export function streamLines(fact: ObservedFact, session: SessionId): StreamLine[] {
  const base = { session_id: session, ts: iso(fact.at) };
  switch (fact.type) {
    case 'agent.status':
      return fact.phase === 'asking'
        ? [{ type: 'round', ...base, agent: fact.agent, round: fact.round }]
        : [];
    case 'agent.heard': {
      const { agent, round, text } = fact;
      return [{ type: 'message', ...base, agent, round, role: 'user', text }];
    }
    case 'agent.said':
      return saidLines(fact, session);
    case 'model.reset': {
      const { agent, attempt, error } = fact;
      const { kind, message } = error;
      const retry_in_ms = fact.retryInMs;
      return [{ type: 'error', ...base, agent, kind, message, attempt, retry_in_ms }];
    }
    case 'model.routed':
      return [];
    case 'model.used':
      return [usageLine(base, fact)];
    case 'tool.started': {
      const { agent, round, callId: call_id, name, summary } = fact;
      return [{ type: 'tool_use', ...base, agent, round, call_id, name, summary }];
    }
    case 'tool.finished': {
      const { agent, round, callId: call_id, name } = fact;
      const { status, text } = fact.outcome;
      const used = (fact.outcome.modelUse ?? []).map(({ model, usage }) =>
        usageLine(base, { agent, round, model, usage: usage ?? NO_USAGE }),
      );
      return [{ type: 'tool_result', ...base, agent, round, call_id, name, status, text }, ...used];
    }
    case 'context.compacted': {
      const { agent, round, step, count } = fact;
      const tokens = { tokens_before: fact.tokensBefore, tokens_after: fact.tokensAfter };
      return [{ type: 'compact', ...base, agent, round, step, count, ...tokens }];
    }
    case 'context.refused': {
      const { agent, reason } = fact;
      return [{ type: 'error', ...base, agent, kind: 'summary', message: reason }];
    }
    case 'subagent.spawned':
      return [
        { type: 'subagent', ...base, agent: fact.agent, event: 'spawned', text: fact.task.task },
      ];
    case 'subagent.refused':
      return [
        {
          type: 'subagent',
          ...base,
          agent: askerOf(fact.callId),
          event: 'refused',
          text: fact.reason,
        },
      ];
    case 'subagent.ended':
      return [
        { type: 'subagent', ...base, agent: fact.agent, event: 'ended', text: wholeEnd(fact.end) },
      ];
    case 'pause.changed':
      return [{ type: 'pause', ...base, holds: fact.holds }];
    case 'question.opened':
    case 'question.answered':
      return [questionLine(fact, base)];
    case 'discovery.added': {
      const { title, description } = fact.discovery;
      return [{ type: 'discovery', ...base, agent: fact.agent, title, description }];
    }
    // Calls that a hook blocked are denied, and say so.
    case 'hook.ran':
      return [];
    // The `result` line tells how the main agent ended; an action is answered to the person who asked.
    // How much of a budget is left is in the snapshot; what each request cost in its `usage`.
    case 'budget.changed':
    case 'context.measured':
    case 'agent.ended':
    case 'action.done':
      return [];
  }
}

type Spent = Pick<Of<'model.used'>, 'agent' | 'round' | 'model' | 'usage'>;

function usageLine(base: { session_id: string; ts: string }, spent: Spent): StreamLine {
  const { agent, round, model, usage } = spent;
  return {
    type: 'usage',
    ...base,
    agent,
    round,
    model,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cached_tokens: usage.cachedTokens,
    cost_usd: usage.costUsd ?? null,
  };
}

const NO_USAGE: Spent['usage'] = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };

function questionLine(fact: QuestionFact, base: { session_id: string; ts: string }): StreamLine {
  const { id, agent, body } = fact.question;
  return {
    type: 'question',
    ...base,
    agent,
    id,
    event: fact.type === 'question.opened' ? 'opened' : 'answered',
    kind: body.kind,
    prompt: promptOf(fact.question),
    choices: body.kind === 'choice' ? body.choices : [],
    answer: fact.type === 'question.answered' ? answerText(fact.answer) : null,
  };
}

/** The lines of a whole session, fact by fact: as `streamLines`, with one `round` line for each round. */
export function createStream(session: SessionId): (fact: ObservedFact) => StreamLine[] {
  const asked = new Map<AgentId, number>();
  return (fact) => {
    if (fact.type === 'agent.status' && fact.phase === 'asking') {
      if (asked.get(fact.agent) === fact.round) return [];
      asked.set(fact.agent, fact.round);
    }
    return streamLines(fact, session);
  };
}
