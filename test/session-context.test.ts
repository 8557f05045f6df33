import { expect, test } from 'vitest';
import { DEFAULTS } from '../config/settings.js';
import type { ModelClient } from '../actors/ports.js';
import type { ModelOutcome } from '../messages/model.js';
import { sessionContext } from '../src/session-context.js';
import { Estimators } from '../src/session/estimators.js';
import { says } from './support/scripted-model.js';
import { MAIN, specOf, START } from './support/session-samples.js';

test('a summary that a hold takes back before it is sent is asked for again when the hold is lifted', async () => {
  const outcomes: ModelOutcome[] = [{ status: 'cancelled' }, says('what was done')];
  const asked: number[] = [];
  let opened = 0;
  const model: ModelClient = {
    ask: () => {
      asked.push(opened);
      return Promise.resolve(outcomes.shift() ?? { status: 'cancelled' });
    },
  };
  const context = sessionContext({
    spec: specOf(),
    config: DEFAULTS,
    model,
    time: { now: () => START },
    gate: { opened: () => Promise.resolve(void (opened += 1)) },
    instructions: { ouroHome: '/nowhere', workspace: '/nowhere', trusted: true },
    findings: () => [],
    todos: () => [],
    budget: () => [],
    hooks: undefined,
    estimators: new Estimators(),
    known: { windowOf: () => 1_000, slots: null },
  });
  const moment = { agent: MAIN, round: 3, note: null, signal: new AbortController().signal };
  expect(await context.condense('a part', '', moment)).toMatchObject({ text: 'what was done' });
  expect(asked).toEqual([1, 2]);
});
