import { expect, test } from 'vitest';
import { MOST_RESTARTS, planRestart } from '../../src/cli/restart-plan.js';

const HOUR = 60 * 60 * 1_000;
const NOW = 1_000 * HOUR;

test('a crashed session is started again after 1, 10, 60, 60 and 60 seconds, then no more', () => {
  const delays: number[] = [];
  let restarts: readonly number[] = [];
  let plan = planRestart(restarts, NOW);
  for (; plan.kind === 'restart'; plan = planRestart(restarts, NOW)) {
    expect(plan.nth).toBe(delays.length + 1);
    delays.push(plan.delayMs / 1_000);
    restarts = [...plan.recent, NOW];
  }
  expect(delays).toEqual([1, 10, 60, 60, 60]);
  expect(restarts).toHaveLength(MOST_RESTARTS);
});

test('what is more than an hour old, or lies in the future of a clock that was set back, is forgotten', () => {
  const restarts = [NOW - HOUR, NOW - HOUR + 1, NOW + 1];
  expect(planRestart(restarts, NOW)).toMatchObject({ nth: 2, recent: [NOW - HOUR + 1] });
});
