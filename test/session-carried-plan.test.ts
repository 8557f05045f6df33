import { expect, test } from 'vitest';
import { DEFAULTS } from '../config/settings.js';
import { sessionContext } from '../src/session-context.js';
import { Estimators } from '../src/session/estimators.js';
import { ScriptedModel } from './support/scripted-model.js';
import { MAIN, specOf } from './support/session-samples.js';
import { tempFolder } from './store/temp-folder.js';

function begunAnew(plan: string | null): string {
  const folder = tempFolder();
  const context = sessionContext({
    spec: specOf({ plan: true }),
    config: DEFAULTS,
    model: new ScriptedModel([]),
    time: { now: () => 0 },
    instructions: { ouroHome: folder, workspace: folder, trusted: false },
    findings: () => [],
    todos: () => [],
    plan: () => plan,
    budget: () => [],
    estimators: new Estimators(),
    known: { windowOf: () => 8_192, slots: null },
    hooks: undefined,
  });
  const last = context.beginning(MAIN, []).at(-1);
  return last?.role === 'user' ? last.text : '';
}

test('a conversation that begins anew holds the plan, where there is one', () => {
  expect(begunAnew('1. count\n2. report')).toMatch(/The plan you submitted.*\n1\. count\n2\. rep/);
  expect(begunAnew(null)).not.toContain('plan');
});
