/** A session, its holds and its calls as the tests of the mesh use them. */
import type { ToolCall } from '../../messages/conversation.js';
import { MAIN_AGENT, type AgentId, type CallId, type SessionId } from '../../messages/ids.js';
import type { ModelError, ModelErrorKind, Usage } from '../../messages/model.js';
import type { Hold } from '../../messages/pause.js';
import type { SessionSpec } from '../../messages/session.js';
import type { ToolOutcome } from '../../messages/tools.js';

/** 2026-01-01, for clocks that start somewhere. */
export const START = 1_767_225_600_000;

export const SUB = 'sub-1' as AgentId;

export const specOf = (part: Partial<SessionSpec> = {}): SessionSpec => ({
  id: '3f0c2a9e-5d41-4b8e-9a57-0c1d2e3f4a5b' as SessionId,
  name: 'count the files',
  workspace: '/home/me/space',
  model: 'scripted',
  baseUrl: 'http://127.0.0.1:1/v1',
  local: false,
  onQuestion: 'deny',
  sharesWorkspace: false,
  rehearsal: 'survey',
  permissions: { mode: 'default', allow: [] },
  limits: { maxRounds: null, maxTimeMs: null },
  startedAt: START,
  ...part,
});

export const holdOf = (part: Partial<Hold> = {}): Hold => ({
  kind: 'user',
  scope: 'session',
  since: START,
  until: null,
  reason: 'paused by a person',
  release: 'ouro resume 3f0c2a9e',
  ...part,
});

export const callId = (name: string): CallId => name as CallId;

export const callOf = (id: string, name = 'read_file', args: unknown = {}): ToolCall => ({
  id: callId(id),
  name,
  args,
});

export const okOutcome = (text = 'fine'): ToolOutcome => ({ status: 'ok', text, truncated: false });

export const usageOf = (promptTokens: number, completionTokens: number): Usage => ({
  promptTokens,
  completionTokens,
  cachedTokens: 0,
});

export const modelError = (kind: ModelErrorKind): ModelError => ({
  kind,
  message: `the server said: ${kind}`,
});

export const MAIN = MAIN_AGENT;
