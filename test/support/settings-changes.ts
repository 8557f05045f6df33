/** Changes of settings, all that there can be. */
import fc from 'fast-check';
import type { SettingsChange } from '../../messages/settings-change.js';

const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: null });
const model = fc.constantFrom('small', 'large', 'org/model:7b');

export const settingsChanges: fc.Arbitrary<SettingsChange> = fc.record(
  {
    model,
    fallback: fc.array(model, { maxLength: 3 }),
    maxRounds: limit(50),
    maxCost: fc.option(fc.constantFrom(0.5, 2, 10), { nil: null }),
    maxTokens: limit(10_000),
    maxTimeMs: limit(1_000_000),
    permissionMode: fc.constantFrom('default', 'accept-edits', 'plan', 'dont-ask', 'bypass'),
    name: fc.constantFrom('night run', 'x', 'ü 漢'),
  },
  { requiredKeys: [] },
);
