import fc from 'fast-check';
import { expect, test } from 'vitest';
import { userMessage } from '../../actors/conversation.js';
import type { CallId } from '../../messages/ids.js';
import { factOf, type JournalFact } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { Planning, planningRounds } from '../../src/session/planning.js';
import { rowsOf } from '../support/journal-rows.js';
import { MAIN, okOutcome } from '../support/session-samples.js';

const submitted = (summary: string, outcome: ToolOutcome = okOutcome()): JournalFact[] => {
  const id = 'main_1_1' as CallId;
  const calls = [{ id, name: 'submit_plan', args: { summary } }];
  return [
    factOf('message.added', MAIN, 1, { message: { role: 'assistant', text: '', calls } }),
    factOf('tool.outcome', MAIN, 1, { callId: id, name: 'submit_plan', outcome }),
  ];
};

const after = (...facts: JournalFact[]): Planning => new Planning(null, rowsOf(...facts));

test('planning takes ten rounds at most, and never more than half of those there are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), (maxRounds) => {
      const rounds = planningRounds(maxRounds);
      expect(rounds).toBeLessThanOrEqual(10);
      expect(rounds).toBeLessThanOrEqual(maxRounds / 2);
    }),
  );
  expect([planningRounds(null), planningRounds(200), planningRounds(7)]).toEqual([10, 10, 3]);
});

test('what writes, runs commands or gives away work waits for the plan; what reads does not', () => {
  const planning = new Planning(null);
  const refusal = (name: string, effect: 'none' | 'read' | 'write' | 'execute', args = {}) =>
    planning.refusal({ name, effect }, args);
  expect(refusal('write_file', 'write')).toContain('submit_plan');
  expect(refusal('shell', 'execute')).toContain('submit_plan');
  expect(refusal('delegate', 'read', { type: 'worker' })).toContain('submit_plan');
  expect(refusal('delegate', 'read', { type: 'explore' })).toBeNull();
  expect(refusal('read_file', 'read')).toBeNull();
  planning.submit('1. write');
  expect(refusal('write_file', 'write')).toBeNull();
});

test('a plan ends planning: the agent is told it once, and a second plan changes nothing', () => {
  const planning = new Planning(null);
  expect(planning.before(1)).toBeNull();
  expect(planning.submit('1. write')).toBe(true);
  expect(planning.before(2)).toMatch(/^Planning is over.*\n\n1\. write$/s);
  expect(planning.before(3)).toBeNull();
  expect(planning.submit('another')).toBe(false);
  expect(planning.plan).toBe('1. write');
});

test('without a plan it ends when its rounds are used up', () => {
  const planning = new Planning(6);
  expect([0, 1, 2].map((round) => planning.before(round))).toEqual([null, null, null]);
  expect(planning.before(3)).toContain('the rounds for it (3) are used up');
  expect(planning.isPlanning).toBe(false);
  expect(planning.before(4)).toBeNull();
});

test('an agent that just stops is reminded once', () => {
  const planning = new Planning(null);
  expect(planning.remind()).toContain('submit_plan');
  expect(planning.remind()).toBeNull();
  expect(after(...submitted('x')).remind()).toBeNull();
});

test('the journal says which phase a session was in', () => {
  expect(after().isPlanning).toBe(true);
  const refused: ToolOutcome = { status: 'failed', reason: 'refused', text: 'no' };
  expect(after(...submitted('x', refused)).isPlanning).toBe(true);
  // Accepted, and the process died before the agent was told.
  const accepted = after(...submitted('1. write'));
  expect(accepted.isPlanning).toBe(false);
  const text = accepted.before(1) ?? '';
  expect(text).toContain('1. write');
  const message = userMessage(text, 'harness');
  const told = after(...submitted('1. write'), factOf('message.added', MAIN, 1, { message }));
  expect(told.before(2)).toBeNull();
  expect(told.plan).toBe('1. write');
});

test('that the rounds were used up is remembered too, and words of a person do not count', () => {
  const text = new Planning(2).before(1) ?? '';
  const said = (origin: 'harness' | 'steer') =>
    after(factOf('message.added', MAIN, 1, { message: userMessage(text, origin) })).isPlanning;
  expect(said('harness')).toBe(false);
  expect(said('steer')).toBe(true);
});
