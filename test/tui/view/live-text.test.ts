import { expect, test } from 'vitest';
import type { AgentDelta, AgentPhase } from '../../../messages/agents.js';
import type { LogKind } from '../../../messages/snapshot.js';
import {
  afterSnapshot,
  LIVE_CHARACTERS,
  NO_LIVE_TEXT,
  withDelta,
  withoutPieces,
  type LiveText,
} from '../../../tui/view/live-text.js';
import { agent, entry, MAIN, START } from '../example-session.js';

const delta = (text: string, round = 4, kind: AgentDelta['kind'] = 'text'): AgentDelta => ({
  type: 'agent.delta',
  agent: MAIN,
  round,
  kind,
  text,
});

const streamed = (...deltas: AgentDelta[]): LiveText =>
  deltas.reduce((live, next) => withDelta(live, next, START), NO_LIVE_TEXT);

const textIn = (live: LiveText): string | undefined => live.pieces.get(MAIN)?.text;

test('pieces of one answer are joined; another kind or round starts anew', () => {
  expect(textIn(streamed(delta('a'), delta('b')))).toBe('ab');
  expect(textIn(streamed(delta('thinking', 4, 'reasoning'), delta('b')))).toBe('b');
  expect(textIn(streamed(delta('a'), delta('b', 5)))).toBe('b');
});

test('only the newest part of a long answer is kept', () => {
  const live = streamed(delta('x'.repeat(LIVE_CHARACTERS)), delta('end'));
  expect(textIn(live)).toHaveLength(LIVE_CHARACTERS);
  expect(textIn(live)?.endsWith('xend')).toBe(true);
});

test.each<[LogKind, number, boolean]>([
  ['text', 4, true],
  ['tool', 4, true],
  ['notice', 4, true],
  ['error', 4, true],
  ['user', 4, false],
  ['result', 3, false],
  ['text', 3, false],
])('a new %s entry of round %i drops the text of round 4: %s', (kind, round, dropped) => {
  const live = afterSnapshot(streamed(delta('half')), [entry(1, 'x', { kind, round })], [agent()]);
  expect(textIn(live)).toBe(dropped ? undefined : 'half');
});

test('pieces of an answer that is in the log already do not come back', () => {
  const settled = afterSnapshot(streamed(delta('half')), [entry(1, 'whole', { round: 4 })], []);
  expect(textIn(withDelta(settled, delta(' late'), START))).toBeUndefined();
  expect(textIn(withDelta(settled, delta('next', 5), START))).toBe('next');
});

test('a withdrawn attempt is streamed again from the beginning', () => {
  const withdrawn = afterSnapshot(
    streamed(delta('half')),
    [entry(1, 'the answer was withdrawn', { kind: 'notice', round: 4 })],
    [agent()],
  );
  expect(textIn(withDelta(withdrawn, delta('again'), START))).toBe('again');
});

test.each<[AgentPhase, boolean]>([
  ['asking', true],
  ['preparing', true],
  ['recording', true],
  ['gated', false],
  ['backing-off', false],
  ['acting', false],
  ['done', false],
  ['failed', false],
])('while an agent is %s its live text stays: %s', (phase, stays) => {
  const live = afterSnapshot(streamed(delta('half')), [], [agent({ phase })]);
  expect(textIn(live)).toBe(stays ? 'half' : undefined);
});

test('after a lag nothing half is shown', () => {
  expect(withoutPieces(streamed(delta('half'))).pieces.size).toBe(0);
});
