import { expect, test } from 'vitest';
import type { AgentId, CallId, SessionId } from '../../messages/ids.js';
import type { Hold } from '../../messages/pause.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { sessionTable, statusText, type SessionRow } from '../../tui/tables.js';
import { displayWidth } from '../../tui/text/sanitise.js';

const hold: Hold = {
  kind: 'user',
  scope: 'session',
  since: 0,
  until: null,
  reason: 'paused by you',
  release: 'ouro resume aaaaaaaa',
};
const row = (id: string, more: Partial<SessionRow>): SessionRow => ({
  id: `${id}-0000-4000-8000-000000000000` as SessionId,
  name: 'tidy',
  state: 'running',
  holds: [],
  rounds: 12,
  costUsd: null,
  ageMs: 65_000,
  workspace: '/home/me/project',
  pid: 4711,
  ...more,
});

test('sessions that wait come first, then those that run, then those that are over', () => {
  const table = sessionTable(
    [
      row('cccccccc', { state: 'done', pid: null, costUsd: 0.5 }),
      row('bbbbbbbb', {}),
      row('aaaaaaaa', { state: 'held', holds: [hold] }),
    ],
    Infinity,
  );
  expect(table.split('\n')).toEqual([
    'ID        NAME  STATE    HOLDS  ROUNDS     COST    AGE  WORKSPACE          PID',
    'aaaaaaaa  tidy  held     user       12  unknown  1m05s  /home/me/project  4711',
    'bbbbbbbb  tidy  running  -          12  unknown  1m05s  /home/me/project  4711',
    'cccccccc  tidy  done     -          12    $0.50  1m05s  /home/me/project     -',
  ]);
});

test('a hold that ends by itself says when, also when that is just over', () => {
  const held = { state: 'held', holds: [hold, { ...hold, kind: 'timer' }] } as const;
  const table = sessionTable([row('aaaaaaaa', { ...held, heldMs: 61_000 })], Infinity);
  expect(table).toContain('held   user,timer 1m01s  ');
  const over = sessionTable([row('aaaaaaaa', { ...held, heldMs: -5 })], Infinity);
  expect(over).toContain('user,timer 0ms  ');
});

test('a narrow terminal gets shorter names and the ends of paths, never a longer line', () => {
  const rows = [
    row('aaaaaaaa', { name: '中文'.repeat(10), workspace: `/very/${'x'.repeat(80)}/end` }),
  ];
  for (const width of [30, 70, 80, 100, 140]) {
    const lines = sessionTable(rows, width).split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
  }
  expect(sessionTable(rows, 90)).toMatch(/…x+\/end/);
});

test('without sessions the way to start one is shown', () => {
  expect(sessionTable([], 80)).toBe('no sessions; start one with: ouro start "GOAL"');
});

test('a name cannot forge a row', () => {
  const table = sessionTable([row('aaaaaaaa', { name: 'a\nbbbbbbbb\x1b[2J' })], Infinity);
  expect(table.split('\n')).toHaveLength(2);
  expect(table).not.toContain('\x1b');
});

const snapshot: Snapshot = {
  version: 3,
  session: 'aaaaaaaa-0000-4000-8000-000000000000' as SessionId,
  name: 'tidy',
  goal: 'tidy up\nthe house',
  workspace: '/w',
  model: 'm',
  baseUrl: 'http://x/v1',
  scripted: false,
  permissionMode: 'default',
  state: 'held',
  startedAt: 0,
  holds: [hold],
  agents: [
    {
      id: 'main' as AgentId,
      parent: null,
      task: 'tidy',
      phase: 'backing-off',
      detail: 'HTTP 500',
      until: 70_000,
      model: 'm',
      round: 4,
      promptTokens: 9,
      completionTokens: 9,
      contextTokens: 1_234,
      end: null,
    },
  ],
  calls: [
    {
      callId: 'main_4_1' as CallId,
      agent: 'main' as AgentId,
      name: 'shell',
      summary: 'shell make',
      startedAt: 40_000,
    },
  ],
  sandbox: 'off',
  questions: [],
  discoveries: [{ title: 'a finding', description: 'd' }],
  log: [],
  totals: {
    rounds: 6,
    promptTokens: 12_345,
    completionTokens: 678,
    cachedTokens: 0,
    toolCalls: 1,
    denials: 2,
    costUsd: 0.001,
  },
  maxRounds: 100,
  inbox: { depth: 0, highWater: 1, capacity: 256, deadLetters: 0 },
  result: null,
};

test('the status names state, hold with its release, agents, running tools, tokens and cost', () => {
  expect(statusText(snapshot, 60_000).split('\n')).toEqual([
    'session    aaaaaaaa  tidy',
    'state      held, started 1m00s ago',
    'hold       held (user): paused by you; go on with: ouro resume aaaaaaaa',
    'goal       tidy up⏎the house',
    'workspace  /w',
    'model      m at http://x/v1',
    'permission mode default, sandbox off',
    'agent      main  backing-off, round 4, 1,234 tokens in context, 10s left: HTTP 500',
    'running    main  20s  shell make',
    'rounds     6 (limit 100 of main), 1 tool call',
    'tokens     12,345 in, 678 out, 0 cached',
    'cost       $0.0010',
    'denied     2 calls',
    'found      a finding',
  ]);
});

test('a scripted server is never taken for a model', () => {
  expect(statusText({ ...snapshot, scripted: true }, 0)).toContain('m (scripted, no real model)');
});
