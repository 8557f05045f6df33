import { expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../simulation/faults.js';
import { INVARIANTS } from '../../simulation/invariants/all.js';
import { simulate, UNREPEATABLE } from '../../simulation/simulate.js';

/** Within so many seeds each fault is found, most of them in the first few. */
const WITHIN_SEEDS = 80;

/** Which promise each fault breaks; others may break with it. */
const BREAKS: Readonly<Record<Fault, string>> = {
  'lose-row': 'acknowledged-rows',
  'lose-words': 'persons-words',
  'lose-repair': 'stable-resume',
  'false-checkpoint': 'true-checkpoints',
  'repeat-effect': 'effects-once',
  'early-effect': 'effects-once',
  'drop-result': 'valid-history',
  'drop-system': 'valid-history',
  'ignore-hold': 'holds-respected',
  'double-outcome': 'one-outcome',
  'forget-limits': 'limits-respected',
  'ask-again': 'persons-answers',
  'never-stop': 'everything-ends',
  'outlive-session': 'everything-ends',
  'lose-wake-up': 'everything-ends',
  'throw-in-port': 'no-bugs',
  'forget-budget': 'budgets-kept',
  'settle-twice': 'settled-once',
  'forget-costs': 'costs-add-up',
  'misjudge-window': 'window-kept',
  'forget-words': 'valid-history',
  'clock-in-prompt': 'same-bytes',
  'forget-change': 'files-undone',
  'unseeded-chance': UNREPEATABLE,
};

const broken = Object.entries(BREAKS).map(
  ([fault, invariant]) => [fault as Fault, invariant] as const,
);

test.each(broken)('%s is found: %s', async (fault, invariant) => {
  const names = new Set<string>();
  for (let seed = 1; seed <= WITHIN_SEEDS && !names.has(invariant); seed += 1) {
    const options = { first: seed, count: 1, fault, allOnFile: false, stopAtFirst: false };
    const { failed } = await simulate(options);
    for (const { violations } of failed) for (const found of violations) names.add(found.invariant);
  }
  expect(names).toContain(invariant);
});

test('every invariant has a fault that breaks it', () => {
  const names = [...INVARIANTS.map(({ name }) => name), UNREPEATABLE];
  expect(new Set(Object.values(BREAKS))).toEqual(new Set(names));
  expect(Object.keys(BREAKS).sort()).toEqual(Object.keys(FAULTS).sort());
});
