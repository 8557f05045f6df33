import { expect, test } from 'vitest';
import type { AgentFact } from '../../messages/agents.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { AgentId, CallId, SessionId } from '../../messages/ids.js';
import { createStream, initLine, streamLines } from '../../tui/stream-json.js';

const session = '0f0f0f0f-0000-4000-8000-000000000000' as SessionId;
const agent = 'main' as AgentId;
const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const base = { session_id: session, ts: '2026-01-02T03:04:05.000Z' };
const asking = (round: number, who = agent): AgentFact => ({
  type: 'agent.status',
  agent: who,
  phase: 'asking',
  round,
  at,
});

test('the first line says what runs where, and under which limits', () => {
  const spec = {
    id: session,
    name: 'n',
    workspace: '/w',
    model: 'm',
    baseUrl: 'http://x/v1',
    rehearsal: 'survey',
    local: true,
    onQuestion: 'deny',
    sharesWorkspace: false,
    permissions: { mode: 'default', allow: [] },
    limits: { maxRounds: 9, maxTimeMs: null },
    startedAt: at,
  } as const;
  expect(
    initLine({
      ...{ spec, goal: 'g', version: '1.2.3', capabilities: ['status'], at },
      ...{ sandbox: 'off', noSandbox: 'there is none' },
    }),
  ).toEqual({
    type: 'init',
    ...base,
    schema_version: 1,
    capabilities: ['status'],
    model: 'm',
    base_url: 'http://x/v1',
    scripted: true,
    workspace: '/w',
    goal: 'g',
    limits: {
      max_rounds: 9,
      max_time_ms: null,
      max_cost_usd: null,
      max_cost_usd_day: null,
      max_cost_usd_month: null,
      max_tokens: null,
    },
    permission_mode: 'default',
    sandbox: 'off',
    sandbox_reason: 'there is none',
    version: '1.2.3',
  });
});

test('a round is announced once, however often it is asked again', () => {
  const lines = createStream(session);
  const sub = 'sub-1' as AgentId;
  const facts = [asking(1), asking(1), asking(1, sub), asking(2), asking(1, sub)];
  expect(facts.flatMap(lines)).toEqual([
    { type: 'round', ...base, agent, round: 1 },
    { type: 'round', ...base, agent: sub, round: 1 },
    { type: 'round', ...base, agent, round: 2 },
  ]);
});

test('an answer gives its reasoning and its text, and nothing for what is empty', () => {
  const said = (text: string, reasoning: string): ObservedFact => ({
    type: 'agent.said',
    agent,
    round: 2,
    text,
    reasoning,
    calls: [],
    at,
  });
  const common = { ...base, agent, round: 2, role: 'assistant' };
  expect(streamLines(said('hi', 'hm'), session)).toEqual([
    { type: 'reasoning', ...common, text: 'hm' },
    { type: 'message', ...common, text: 'hi' },
  ]);
  expect(streamLines(said('', ''), session)).toEqual([]);
});

test('a tool call gives one line when it starts and one when it ends', () => {
  const call = { agent, round: 1, callId: 'main_1_1' as CallId, name: 'shell', at };
  const facts: ObservedFact[] = [
    { type: 'tool.started', ...call, summary: 'shell true' },
    { type: 'tool.finished', ...call, outcome: { status: 'denied', rule: 'r', text: 'no' } },
  ];
  const common = { ...base, agent, round: 1, call_id: 'main_1_1', name: 'shell' };
  expect(facts.flatMap((fact) => streamLines(fact, session))).toEqual([
    { type: 'tool_use', ...common, summary: 'shell true' },
    { type: 'tool_result', ...common, status: 'denied', text: 'no' },
  ]);
});

test('what a tool asked of a model is usage too', () => {
  const usage = { promptTokens: 3, completionTokens: 2, cachedTokens: 1 };
  const modelUse = [
    { model: 'small', usage },
    { model: 'other', usage: null },
  ];
  const fact: ObservedFact = {
    type: 'tool.finished',
    agent,
    round: 1,
    callId: 'main_1_1' as CallId,
    name: 'web_fetch',
    outcome: { status: 'ok', text: 'yes', truncated: false, modelUse },
    at,
  };
  const common = { type: 'usage', ...base, agent, round: 1 };
  expect(streamLines(fact, session).slice(1)).toEqual([
    {
      ...common,
      model: 'small',
      prompt_tokens: 3,
      completion_tokens: 2,
      cached_tokens: 1,
      cost_usd: null,
    },
    {
      ...common,
      model: 'other',
      prompt_tokens: 0,
      completion_tokens: 0,
      cached_tokens: 0,
      cost_usd: null,
    },
  ]);
});

test('a failed attempt, usage, a discovery, holds and sub-agents have lines of their own', () => {
  const callId = 'main_2_1' as CallId;
  const sub = 'sub-1' as AgentId;
  const error = { kind: 'server', message: 'HTTP 500' } as const;
  const usage = { promptTokens: 3, completionTokens: 2, cachedTokens: 1 };
  const facts: ObservedFact[] = [
    { type: 'model.reset', agent, round: 1, attempt: 1, error, retryInMs: 5, at },
    { type: 'model.used', agent, round: 1, model: 'm', usage, at },
    {
      type: 'discovery.added',
      agent,
      round: 1,
      discovery: { title: 't', description: 'd' },
      at,
    },
    { type: 'pause.changed', holds: [], at },
    { type: 'subagent.refused', callId, reason: 'too many', at },
    {
      type: 'subagent.ended',
      agent: sub,
      callId,
      rounds: 2,
      end: { status: 'done', text: 'two\nlines', denied: [] },
      at,
    },
  ];
  expect(facts.flatMap((fact) => streamLines(fact, session))).toEqual([
    {
      type: 'error',
      ...base,
      agent,
      kind: 'server',
      message: 'HTTP 500',
      attempt: 1,
      retry_in_ms: 5,
    },
    {
      type: 'usage',
      ...base,
      agent,
      round: 1,
      model: 'm',
      prompt_tokens: 3,
      completion_tokens: 2,
      cached_tokens: 1,
      cost_usd: null,
    },
    { type: 'discovery', ...base, agent, title: 't', description: 'd' },
    { type: 'pause', ...base, holds: [] },
    { type: 'subagent', ...base, agent, event: 'refused', text: 'too many' },
    { type: 'subagent', ...base, agent: sub, event: 'ended', text: 'done: two\nlines' },
  ]);
});
