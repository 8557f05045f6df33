/** What a change of settings makes of a session, of its holds, and of its journal. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialState } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import { changedSpec, isReleased, titledSpec } from '../../actors/changed-settings.js';
import { applyHoldAction } from '../../actors/person-holds.js';
import { fold } from '../../actors/recovery.js';
import { NO_BUDGET } from '../../messages/budget.js';
import { sessionFact } from '../../messages/journal.js';
import { rowsOf } from '../support/journal-rows.js';
import { holdOf, specOf, START, usageOf } from '../support/session-samples.js';
import { settingsChanges } from '../support/settings-changes.js';

test('the same change twice is one change, and what it leaves out stays', () => {
  fc.assert(
    fc.property(settingsChanges, (change) => {
      const spec = specOf({ fallback: ['spare'], budget: { ...NO_BUDGET, dayUsd: 5 } });
      const once = changedSpec(spec, change);
      expect(changedSpec(once, change)).toBe(once);
      expect(once.budget?.dayUsd).toBe(5);
      if (change.model === undefined) expect(once.model).toBe(spec.model);
      if (change.fallback === undefined) expect(once.fallback).toEqual(['spare']);
      if (change.maxCost !== undefined) expect(once.budget?.sessionUsd).toBe(change.maxCost);
      expect(once.permissions.allow).toEqual(spec.permissions.allow);
    }),
  );
});

test('a journal gives the settings that its changes led to', () => {
  fc.assert(
    fc.property(fc.array(settingsChanges, { maxLength: 5 }), (changes) => {
      const spec = specOf();
      const rows = rowsOf(
        sessionFact('session.started', { spec, version: '0.1.0', pid: 1 }),
        ...changes.map((change) => sessionFact('user.action', { action: { do: 'set', change } })),
      );
      expect(fold(rows).spec).toEqual(changes.reduce(changedSpec, spec));
    }),
  );
});

const limited = specOf({
  budget: { ...NO_BUDGET, sessionUsd: 2, sessionTokens: 1_000 },
  limits: { maxRounds: null, maxTimeMs: 60_000 },
});
const budgetHold = (limit?: 'usd' | 'tokens' | 'time') =>
  holdOf({ kind: 'budget', ...(limit === undefined ? {} : { limit }) });

test.each([
  ['usd', { maxCost: 3 }, true],
  ['usd', { maxCost: null }, true],
  ['usd', { maxCost: 1 }, false],
  ['usd', { maxTokens: 5_000 }, false],
  ['tokens', { maxTokens: 5_000 }, true],
  ['time', { maxTimeMs: 90_000 }, true],
  ['time', { maxCost: 9 }, false],
  [undefined, { maxCost: 9 }, true],
  [undefined, { model: 'other' }, false],
] as const)('a hold for %s after %j is released: %s', (limit, change, released) => {
  const hold = budgetHold(limit);
  expect(isReleased(hold, limited, changedSpec(limited, change))).toBe(released);
  const left = applyHoldAction([hold], { do: 'set', change }, START, limited);
  expect(left).toEqual(released ? [] : [hold]);
});

test("a person's own hold is not a matter of limits", () => {
  const holds = [holdOf(), holdOf({ kind: 'endpoint' })];
  const change = { maxCost: null, maxTokens: null, maxTimeMs: null };
  expect(applyHoldAction(holds, { do: 'set', change }, START, limited)).toEqual(holds);
});

test('a title is the name of a session that has none, and counts what it cost', () => {
  const modelUse = [{ model: 'mini', usage: usageOf(90, 9) }];
  const after = (named: boolean | undefined, title: string | null) =>
    fold(
      rowsOf(
        sessionFact('session.started', {
          spec: specOf(named === undefined ? {} : { named }),
          version: '0.1.0',
          pid: 1,
        }),
        sessionFact('session.titled', { title, modelUse }),
      ),
    );
  expect(after(false, 'Count files').spec?.name).toBe('Count files');
  expect(after(false, 'Count files').totals).toMatchObject({ promptTokens: 90, rounds: 0 });
  expect(after(false, null).spec?.name).toBe('count the files');
  for (const named of [true, undefined])
    expect(after(named, 'Count files').spec?.name).toBe('count the files');
  const kept = changedSpec(specOf({ named: false }), { name: 'count the files' });
  expect(titledSpec(kept, 'Count files').name).toBe('count the files');
});

test('the live state takes a title as the fold does', () => {
  const modelUse = [{ model: 'mini', usage: usageOf(90, 9) }];
  const titled = { type: 'session.titled', title: 'Count files', modelUse, at: START } as const;
  const [state, letters] = step(initialState(specOf({ named: false }), 'count'), titled);
  expect(state.spec).toMatchObject({ name: 'Count files', named: true });
  expect(state.totals.promptTokens).toBe(90);
  expect(letters).toEqual([]);
});
