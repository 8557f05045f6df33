import { expect, test } from 'vitest';
import { fold, repairs } from '../../actors/recovery.js';
import { NO_BUDGET } from '../../messages/budget.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { Usage } from '../../messages/model.js';
import type { SessionSpec } from '../../messages/session.js';
import { rowsOf } from '../support/journal-rows.js';
import { holdOf, MAIN, specOf, SUB, usageOf } from '../support/session-samples.js';

const spec: SessionSpec = specOf({
  rehearsal: null,
  budget: { ...NO_BUDGET, sessionUsd: 2, dayUsd: 5 },
  limits: { maxRounds: null, maxTimeMs: 1_000 },
});
const started = sessionFact('session.started', { spec, version: '0.1.0', pid: 1 });
const intent = factOf('model.intent', MAIN, 1, { model: 'm', messages: 2, attempt: 1 });
const answered = (usage: Usage | null): JournalFact =>
  factOf('model.outcome', MAIN, 1, { status: 'ok', usage, model: 'm', ms: 1, finish: 'stop' });
const reserved = (id: string, agent = MAIN): JournalFact =>
  factOf('budget.reserved', agent, 0, { id, model: 'm', usd: 0.5, tokens: 900 });
const settled = (id: string, usd: number | null, basis: 'reported' | 'broken-off'): JournalFact =>
  factOf('budget.settled', MAIN, 0, { id, model: 'm', usd, tokens: 100, basis });

test('what is settled is spent, and counts once', () => {
  const usage = { ...usageOf(90, 10), costUsd: 0.1 };
  const rows = rowsOf(
    started,
    intent,
    reserved('b1'),
    settled('b1', 0.1, 'reported'),
    answered(usage),
  );
  const { spent, totals } = fold(rows);
  expect(spent).toMatchObject({ usd: 0.1, tokens: 100, reservations: 1 });
  expect(spent.open.size).toBe(0);
  expect(totals.costUsd).toBe(0.1);
});

test('answers of a time without budgets count as they were reported', () => {
  const { spent } = fold(rowsOf(started, intent, answered({ ...usageOf(90, 10), costUsd: 0.3 })));
  expect(spent).toMatchObject({ usd: 0.3, tokens: 100 });
});

test('an attempt without an answer belongs to the cost too', () => {
  const { totals } = fold(
    rowsOf(started, intent, reserved('b1'), settled('b1', 0.2, 'broken-off')),
  );
  expect(totals).toMatchObject({ rounds: 0, costUsd: 0.2 });
});

test('what a process had set aside when it died is spent in full, once', () => {
  const rows = rowsOf(started, intent, reserved('b1'), reserved('b2', SUB));
  const recovered = fold(rows);
  const facts = repairs(recovered, () => '').filter(({ kind }) => kind === 'budget.settled');
  expect(facts.map(({ agent, body }) => [agent, body])).toEqual([
    [MAIN, { id: 'b1', model: 'm', usd: 0.5, tokens: 900, basis: 'lost' }],
    [SUB, { id: 'b2', model: 'm', usd: 0.5, tokens: 900, basis: 'lost' }],
  ]);
  facts.forEach((fact, i) => recovered.apply({ ...fact, seq: rows.length + i + 1, ts: 0 }));
  expect(recovered.spent).toMatchObject({ usd: 1, tokens: 1_800 });
  expect(recovered.spent.open.size).toBe(0);
});

const resume = (add: object): JournalFact =>
  sessionFact('user.action', { action: { do: 'resume', add } });
const budgetHold = sessionFact('hold.set', { hold: holdOf({ kind: 'budget' }) });

test('what a person added to the limits is there after a restart, and the hold is not', () => {
  const { spec: after, holds } = fold(rowsOf(started, budgetHold, resume({ usd: 3, timeMs: 500 })));
  expect(after?.budget).toEqual({ ...NO_BUDGET, sessionUsd: 5, dayUsd: 8 });
  expect(after?.limits.maxTimeMs).toBe(1_500);
  expect(holds).toEqual([]);
});

test('adding to a limit that there is not changes nothing', () => {
  const { spec: after, holds } = fold(rowsOf(started, budgetHold, resume({ tokens: 3 })));
  expect(after).toEqual(spec);
  expect(holds).toHaveLength(1);
});
