/** Records for the index to hold. */
import type { SessionId } from '../../messages/ids.js';
import type { SessionRecord } from '../../src/store/session-record.js';

export const recordOf = (id: string, changes: Partial<SessionRecord> = {}): SessionRecord => ({
  id: id as SessionId,
  name: 'a session',
  workspace: '/home/me/here',
  goal: 'find out',
  model: 'some-model',
  state: 'running',
  pid: 4711,
  startedAt: 1_000,
  updatedAt: 1_000,
  rounds: 0,
  costUsd: null,
  promptTokens: 0,
  completionTokens: 0,
  holds: [],
  socket: null,
  endStatus: null,
  exitCode: null,
  ...changes,
});
