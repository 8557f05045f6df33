import { expect, test } from 'vitest';
import { fold } from '../../actors/recovery.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import { rowsOf } from '../support/journal-rows.js';
import { MAIN, specOf, SUB, usageOf } from '../support/session-samples.js';

const spec = specOf({ rehearsal: null });
const started = sessionFact('session.started', { spec, version: '0.1.0', pid: 1 });
const resumed = sessionFact('session.resumed', { spec, version: '0.1.0', pid: 2 });
const intent = factOf('model.intent', MAIN, 1, { model: 'm', messages: 2, attempt: 1 });
const settled = (usd: number | null, agent = MAIN): JournalFact =>
  factOf('budget.settled', agent, 0, { id: 'b1', model: 'm', usd, tokens: 9, basis: 'reported' });
const use = (costUsd: number) => ({ model: 'm', usage: { ...usageOf(8, 1), costUsd } });
const answered = (costUsd: number): JournalFact =>
  factOf('model.outcome', MAIN, 1, { status: 'ok', ...use(costUsd), ms: 1, finish: 'stop' });
const costOf = (...facts: JournalFact[]) => fold(rowsOf(started, intent, ...facts)).totals.costUsd;

test('an answer that was paid for and lost with its process counts when the session is resumed', () => {
  expect(costOf(settled(0.5))).toBe(0);
  expect(costOf(settled(0.5), resumed)).toBe(0.5);
  expect(costOf(settled(0.5), settled(0.25, SUB), resumed, resumed)).toBe(0.75);
});

test('one whose price is not known makes the sum unknown', () => {
  expect(costOf(settled(null), resumed)).toBeNull();
});

test('an answer that arrived counts once, whatever it was for', () => {
  expect(costOf(settled(0.5), answered(0.5), resumed)).toBe(0.5);
  const refused = factOf('context.refused', MAIN, 1, { reason: 'empty', modelUse: [use(0.5)] });
  expect(costOf(settled(0.5), refused, resumed)).toBe(0.5);
  const outcome = { status: 'ok' as const, text: '', truncated: false, modelUse: [use(0.5)] };
  const called = factOf('tool.outcome', MAIN, 1, { callId: 'c' as never, name: 'web', outcome });
  expect(costOf(settled(0.5), called, resumed)).toBe(0.5);
});
