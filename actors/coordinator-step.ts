/**
 * Decides what one message means for the whole session. No clock, no I/O, no actors: its test is a table.
 * A tool's result does not pass through here: the executor has answered the caller's oneshot already.
 */
import type { AgentFact } from '../messages/agents.js';
import type { ContextFact } from '../messages/context.js';
import type { CoordinatorMessage, Letter, ObservedFact } from '../messages/coordinator.js';
import { MAIN_AGENT, type AgentId, type CallId } from '../messages/ids.js';
import type { ModelUse } from '../messages/model.js';
import type { SubAgentFact } from '../messages/subagents.js';
import type { ToolFact, ToolOutcome } from '../messages/tools.js';
import { titledSpec } from './changed-settings.js';
import { answerPending, applyAction, onDiskProbed, onProbed } from './coordinator-actions.js';
import { answerOverdue, askQuestion, withdrawQuestion } from './coordinator-questions.js';
import { entriesOf } from './coordinator-log.js';
import {
  beginSleep,
  wakeAll,
  wakeAtEndOf,
  wakeOverdue,
  withdrawSleep,
} from './coordinator-sleeps.js';
import { wakeSession } from './coordinator-wake.js';
import { handedBack, textOf } from './sub-agent-reports.js';
import { newSubAgent, withAgent, withLog, type State } from './coordinator-state.js';
import { withCall, withModelUse, withRound, withUnanswered } from './totals.js';

type Step = [State, Letter[]];

export function step(state: State, message: CoordinatorMessage): Step {
  const [next, letters] = decide(state, message);
  return next === state ? [state, letters] : [{ ...next, version: state.version + 1 }, letters];
}

function decide(state: State, message: CoordinatorMessage): Step {
  switch (message.type) {
    case 'tool.request':
      return [state, [{ to: 'tools', message: { ...message, type: 'tool.run' } }]];
    case 'tool.started':
    case 'tool.finished':
      return onTool(logged(state, message), message);
    case 'context.measured':
    case 'context.compacted':
    case 'context.refused':
      return onContext(logged(state, message), message);
    case 'subagent.spawn':
    case 'subagent.cancel':
      return [state, [{ to: 'supervisor', message }]];
    case 'subagent.spawned':
    case 'subagent.refused':
    case 'subagent.ended':
      return onSubAgent(logged(state, message), message);
    case 'pause.changed': {
      const changed = message.holds !== state.holds;
      const held = changed ? logged({ ...state, holds: message.holds }, message) : state;
      const [answered, letters] =
        message.action === undefined ? [held, []] : answerPending(held, message.action, message.at);
      const [told, overdue] = answerOverdue(answered, message.at);
      const [next, woken] = wakeOverdue(told, message.at);
      return [next, [...letters, observed(message), ...overdue, ...woken]];
    }
    case 'discovery.added': {
      const discoveries = [...state.discoveries, message.discovery];
      return [logged({ ...state, discoveries }, message), [observed(message)]];
    }
    case 'hook.ran':
      return [logged(state, message), [observed(message)]];
    case 'budget.changed': {
      const totals = withUnanswered(state.totals, message.unansweredUsd);
      return [logged({ ...state, totals, budget: message.lines }, message), [observed(message)]];
    }
    case 'question.ask':
      return askQuestion(state, message);
    case 'question.withdraw':
      return withdrawQuestion(state, message.callId, message.at);
    case 'sleep.begin':
      return beginSleep(state, message);
    case 'sleep.withdraw':
      return withdrawSleep(state, message.callId);
    case 'user.action':
      return applyAction(state, message);
    case 'hold.wanted':
      return [state, [{ to: 'pause', message: { type: 'pause.hold', hold: message.hold } }]];
    case 'endpoint.probed':
      return [state, onProbed(message)];
    case 'disk.probed':
      return [state, onDiskProbed(message)];
    case 'session.woke':
      return wakeSession(state, message);
    case 'pulse':
      return [state, [{ to: 'pulse', message }]];
    case 'session.titled': {
      const totals = withModelUse(state.totals, message.modelUse, state.spec);
      return [{ ...state, totals, spec: titledSpec(state.spec, message.title) }, []];
    }
    case 'letter.dead':
      return [{ ...state, deadLetters: state.deadLetters + 1 }, []];
    case 'quit': {
      const [next, woken] = wakeAll({ ...state, life: 'stopping' }, 'shutdown');
      return [
        next,
        [...woken, { to: 'root', message: { type: 'root.quit', reason: message.reason } }],
      ];
    }
    case 'session.ended':
      return [{ ...state, life: 'ended', endState: message.state, result: message.text }, []];
    default:
      return onAgent(logged(state, message), message);
  }
}

const observed = (message: ObservedFact): Letter => ({ to: 'observers', message });

const logged = (state: State, fact: Parameters<typeof entriesOf>[0]): State =>
  withLog(state, ...entriesOf(fact));

function onAgent(state: State, fact: AgentFact): Step {
  const watched = [observed(fact)];
  switch (fact.type) {
    case 'agent.status': {
      const { phase, round, detail = '', until = null } = fact;
      const life = state.life === 'starting' ? 'working' : state.life;
      return [withAgent({ ...state, life }, fact.agent, { phase, round, detail, until }), watched];
    }
    case 'model.used':
      return [withUsage(state, fact), watched];
    case 'agent.ended':
      return onAgentEnded(state, fact);
    case 'model.routed':
      return [withAgent(state, fact.agent, { model: fact.model }), watched];
    case 'agent.heard':
    case 'agent.said':
    case 'model.reset':
      return [state, watched];
  }
}

function onContext(state: State, fact: ContextFact): Step {
  if (fact.type === 'context.measured')
    return [withAgent(state, fact.agent, { context: fact.use }), []];
  const totals = withModelUse(state.totals, fact.modelUse, state.spec);
  return [withTokensOf({ ...state, totals }, fact.agent, fact.modelUse), [observed(fact)]];
}

function withUsage(state: State, fact: Extract<AgentFact, { type: 'model.used' }>): State {
  const { promptTokens, completionTokens } = fact.usage;
  const agent = state.agents.find(({ id }) => id === fact.agent);
  const totals = withRound(state.totals, fact.usage, state.spec);
  return withAgent({ ...state, totals }, fact.agent, {
    model: fact.model,
    contextTokens: promptTokens,
    promptTokens: (agent?.promptTokens ?? 0) + promptTokens,
    completionTokens: (agent?.completionTokens ?? 0) + completionTokens,
  });
}

function onAgentEnded(state: State, fact: Extract<AgentFact, { type: 'agent.ended' }>): Step {
  const phase = fact.end.status === 'model-failed' ? 'failed' : 'done';
  const next = withAgent(state, fact.agent, {
    phase,
    detail: '',
    until: null,
    end: fact.end.status,
  });
  if (fact.agent !== MAIN_AGENT) {
    const { agent, rounds, end } = fact;
    const report: Letter = {
      to: 'supervisor',
      message: { type: 'subagent.report', agent, rounds, end },
    };
    return [next, [report, observed(fact)]];
  }
  const result = textOf(fact.end);
  return [
    { ...next, result },
    [observed(fact), { to: 'root', message: { type: 'root.ended', fact } }],
  ];
}

function onTool(state: State, fact: ToolFact): Step {
  if (fact.type === 'tool.started') {
    const { callId, agent, name, summary, at: startedAt } = fact;
    const calls = [...state.calls, { callId, agent, name, summary, startedAt }];
    return [{ ...state, calls }, [observed(fact)]];
  }
  const calls = state.calls.filter(({ callId }) => callId !== fact.callId);
  const totals = withCall(state.totals, fact.outcome, state.spec);
  return [
    withTokensOf({ ...state, calls, totals }, fact.agent, fact.outcome.modelUse),
    [observed(fact)],
  ];
}

/** The tokens of answers beside its rounds are the agent's that they were for. */
function withTokensOf(state: State, id: AgentId, modelUse: readonly ModelUse[] = []): State {
  const agent = state.agents.find((each) => each.id === id);
  if (agent === undefined || modelUse.length === 0) return state;
  const sum = (tokens: 'promptTokens' | 'completionTokens'): number =>
    modelUse.reduce((all, { usage }) => all + (usage?.[tokens] ?? 0), agent[tokens]);
  const promptTokens = sum('promptTokens');
  return withAgent(state, id, { promptTokens, completionTokens: sum('completionTokens') });
}

function onSubAgent(state: State, fact: SubAgentFact): Step {
  switch (fact.type) {
    case 'subagent.spawned': {
      const { agent, parent, task } = fact;
      const view = newSubAgent(agent, parent, task, state.spec);
      const next = { ...state, agents: [...state.agents, view] };
      if (task.background !== true) return [next, [observed(fact)]];
      // Seen first: who goes on must know that there is one to wait for.
      return [next, [observed(fact), answerCall(fact.callId, started(agent))]];
    }
    case 'subagent.refused': {
      const outcome: ToolOutcome = { status: 'failed', reason: 'refused', text: fact.reason };
      return [state, [answerCall(fact.callId, outcome), observed(fact)]];
    }
    case 'subagent.ended': {
      const view = state.agents.find(({ id }) => id === fact.agent);
      const tokens = (view?.promptTokens ?? 0) + (view?.completionTokens ?? 0);
      const [next, woken] = wakeAtEndOf(state, fact.agent, fact.end.status);
      // The call of one in the background has had its answer; a second one finds nobody.
      const answer = answerCall(fact.callId, handedBack({ ...fact, tokens }));
      return [next, [answer, observed(fact), ...woken]];
    }
  }
}

const answerCall = (callId: CallId, outcome: ToolOutcome): Letter => ({
  to: 'tools',
  message: { type: 'tool.answer', callId, outcome },
});

/** What a call is answered whose sub-agent nobody waits for. */
export const started = (agent: AgentId): ToolOutcome => ({
  status: 'ok',
  text:
    `Started ${agent} in the background. You are told its result when it ends; ` +
    `check_agent shows how it stands.`,
  truncated: false,
});
