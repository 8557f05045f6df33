import { expect, test } from 'vitest';
import type { AgentId } from '../../../messages/ids.js';
import type { Snapshot } from '../../../messages/snapshot.js';
import { agentsPanel } from '../../../tui/panels/agents-panel.js';
import { discoveriesPanel } from '../../../tui/panels/discoveries-panel.js';
import { logPanel } from '../../../tui/panels/log-panel.js';
import { progressPanel } from '../../../tui/panels/progress-panel.js';
import { scrolledLines } from '../../../tui/panels/scrolled.js';
import { statusLine } from '../../../tui/panels/status-line.js';
import { line } from '../../../tui/picture.js';
import { initialView, type ViewState } from '../../../tui/view/view-model.js';
import { step } from '../../../tui/view/view-state.js';
import { agent, call, entry, hold, MAIN, snapshot, START } from '../example-session.js';
import { plainText } from '../plain-text.js';

const SIZE = { width: 40, height: 20 };

function viewOf(changes: Partial<Snapshot>, laterMs = 0): ViewState {
  const start = initialView('run', { width: 80, height: 24 }, START);
  const [seen] = step(start, { type: 'snapshot', snapshot: snapshot(changes) }, START);
  return step(seen, { type: 'tick' }, START + laterMs)[0];
}

test('agents are a tree, each with what it does and for how long', () => {
  const agents = [
    agent({ phase: 'acting' }),
    agent({ id: 'sub-2', parent: 'sub-1' as AgentId, phase: 'backing-off', until: START + 30_000 }),
    agent({ id: 'sub-1', parent: MAIN, detail: 'waiting for a slot', round: 7 }),
    agent({ id: 'sub-3', parent: MAIN, phase: 'done', end: 'model-failed' }),
  ];
  const calls = [call('npm test')];
  expect(plainText(agentsPanel(viewOf({ agents, calls }, 9_000), SIZE)).split('\n')).toEqual([
    'main acting 9s r3 1.3k',
    '  test-model · npm test',
    '  sub-1 asking 9s r7 1.3k',
    '    test-model · waiting for a slot',
    '    sub-2 backing off 21s r3 1.3k',
    '      test-model · survey the workspace',
    '  sub-3 model-failed r3 1.3k',
    '    test-model · survey the workspace',
  ]);
});

test('progress says what holds the session, for how long, and how to lift it', () => {
  const holds = [
    hold({ kind: 'rate-limit', until: START + 125_000, reason: 'the server asked for it' }),
  ];
  const text = plainText(progressPanel(viewOf({ state: 'held', holds }, 60_000), SIZE));
  expect(text).toContain('state   held\nhold    rate-limit 1m 05s\n');
  expect(text).toContain('  the server asked for it\n  ouro resume 0a1b2c3d\n');
});

test('progress shows what was used; unknown costs are not called 0', () => {
  const known = snapshot().totals;
  const changes: Partial<Snapshot> = {
    scripted: true,
    calls: [call('npm run a-rather-long-command --with arguments')],
    totals: { ...known, cachedTokens: 9_000, denials: 2 },
    inbox: { depth: 3, highWater: 200, capacity: 256, deadLetters: 1 },
  };
  expect(plainText(progressPanel(viewOf(changes, 61_000), SIZE)).split('\n')).toEqual([
    'state   running scripted',
    'tool    1m 01s npm run a-rather-long-co…',
    'round   3 of 50 · context 1.3k',
    'tokens  45.1k in (9.0k cached), 2.1k out',
    'cost    unknown · 12 calls, 2 denied',
    'inbox   3 of 256, high 200, 1 dead',
    'model   test-model',
    'mode    default permissions',
  ]);
  const priced = viewOf({ totals: { ...known, costUsd: 0.0123 } });
  expect(plainText(progressPanel(priced, SIZE))).toContain('$0.0123');
});

test('the newest discovery is the first', () => {
  const discoveries = [
    { title: 'old', description: '' },
    { title: 'new', description: 'with words' },
  ];
  expect(plainText(discoveriesPanel(viewOf({ discoveries }), SIZE))).toBe(
    '* new\n  with words\n* old',
  );
});

test('entries of the log show time, agent, kind and status', () => {
  const log = [
    entry(1, 'said'),
    entry(2, 'npm test', { kind: 'tool', agent: 'sub-1' as AgentId }),
    entry(3, 'exit code 1', { kind: 'result', status: 'failed' }),
    entry(4, 'please stop', { kind: 'user' }),
  ];
  const lines = plainText(logPanel(viewOf({ log }), { width: 60, height: 9 })).split('\n');
  const time = /^\d\d:\d\d /;
  expect(lines.every((text) => time.test(text))).toBe(true);
  expect(lines.map((text) => text.replace(time, ''))).toEqual([
    '● said',
    'sub-1 > npm test',
    '✗ failed: exit code 1',
    '» please stop',
  ]);
});

test('what is found is marked', () => {
  const state: ViewState = {
    ...viewOf({ log: [entry(1, 'One two ONE')] }),
    search: { query: 'one', at: 1 },
  };
  const marked = logPanel(state, SIZE)
    .flat()
    .filter(({ style }) => style.inverse === true);
  expect(marked.map(({ text }) => text)).toEqual(['One', 'ONE']);
});

test('what does not fit is counted', () => {
  const lines = ['a', 'b', 'c', 'd', 'e'].map((text) => line(text));
  expect(plainText(scrolledLines(lines, 0, 3))).toBe('a\nb\n… 3 more');
  expect(plainText(scrolledLines(lines, 2, 3))).toBe('c\nd\ne');
  expect(plainText(scrolledLines(lines, 99, 3))).toBe('c\nd\ne');
});

test('the bottom line drops what does not fit, the state last', () => {
  const state = viewOf({ state: 'held', holds: [hold({ until: START + 5_000 })] });
  expect(plainText([statusLine(state, 80, true)])).toBe(
    'held 5s r3/50 · ctx 1.3k · cost unknown  p pause  i say  q leave  ? help',
  );
  expect(plainText([statusLine(state, 30, true)])).toBe('held 5s r3/50 · ctx 1.3k  ?');
  expect(plainText([statusLine(state, 8, true)])).toContain('held 5s');
});
