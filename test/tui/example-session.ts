/** A snapshot to start from, and short ways to vary it. */
import type { AgentId, CallId, SessionId } from '../../messages/ids.js';
import type { Hold } from '../../messages/pause.js';
import type { AgentView, LogEntry, OpenCall, Snapshot } from '../../messages/snapshot.js';

export const START = Date.UTC(2026, 10, 21, 12, 0, 0);
export const MAIN = 'main' as AgentId;

export const agent = (
  changes: Partial<Omit<AgentView, 'id'>> & { id?: string } = {},
): AgentView => ({
  parent: null,
  task: 'survey the workspace',
  phase: 'asking',
  detail: '',
  until: null,
  model: 'test-model',
  round: 3,
  promptTokens: 1_200,
  completionTokens: 80,
  contextTokens: 1_300,
  end: null,
  ...changes,
  id: (changes.id ?? 'main') as AgentId,
});

export const entry = (n: number, text: string, changes: Partial<LogEntry> = {}): LogEntry => ({
  n,
  at: START + n * 1_000,
  agent: MAIN,
  round: 1,
  kind: 'text',
  text,
  ...changes,
});

export const entries = (count: number): LogEntry[] =>
  Array.from({ length: count }, (_, index) => entry(index + 1, `entry ${index + 1}`));

export const call = (summary: string, changes: Partial<OpenCall> = {}): OpenCall => ({
  callId: 'main_3_1' as CallId,
  agent: MAIN,
  name: 'shell',
  summary,
  startedAt: START,
  ...changes,
});

export const hold = (changes: Partial<Hold> = {}): Hold => ({
  kind: 'user',
  scope: 'session',
  since: START,
  until: null,
  reason: 'paused by you',
  release: 'ouro resume 0a1b2c3d',
  ...changes,
});

export const snapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
  version: 1,
  session: '0a1b2c3d-0000-4000-8000-000000000000' as SessionId,
  name: 'survey',
  goal: 'survey the workspace',
  workspace: '/tmp/workspace',
  model: 'test-model',
  baseUrl: 'http://127.0.0.1:1/v1',
  scripted: false,
  permissionMode: 'default',
  state: 'running',
  startedAt: START,
  holds: [],
  agents: [agent()],
  calls: [],
  sandbox: 'off',
  questions: [],
  discoveries: [],
  log: [],
  totals: {
    rounds: 3,
    promptTokens: 45_100,
    completionTokens: 2_100,
    cachedTokens: 0,
    toolCalls: 12,
    denials: 0,
    costUsd: null,
  },
  maxRounds: 50,
  inbox: { depth: 0, highWater: 12, capacity: 256, deadLetters: 0 },
  result: null,
  ...changes,
});
