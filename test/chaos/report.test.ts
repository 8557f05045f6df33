import { expect, test } from 'vitest';
import { CHECKS, type Check } from '../../chaos/finding.js';
import { asJson, asTable, quantile, whatToLookAt } from '../../chaos/report.js';
import { Tally } from '../../chaos/tally.js';
import { USAGE, wishesOf } from '../../chaos/wishes.js';

const SEED = 7;
const anySeed = (): number => SEED;

const runWith = (tally: Tally) => ({
  tally,
  seconds: 3,
  folder: tally.isClean ? null : '/tmp/kept',
});

test('a run without findings is clean; one finding of any kind is enough to fail it', () => {
  expect(new Tally().isClean).toBe(true);
  for (const check of Object.keys(CHECKS) as Check[]) {
    const tally = new Tally();
    tally.findings.push({ check, what: 'this', session: 2 });
    expect(tally.isClean).toBe(false);
    const run = runWith(tally);
    expect(asTable(run)).toMatch(new RegExp(`must be 0: ${check} +1\\n?`));
    expect(asJson(run, SEED)).toMatchObject({ seed: SEED, clean: false, checks: { [check]: 1 } });
    const hint = whatToLookAt(run, SEED);
    for (const part of ['session 2', check, '/tmp/kept', `--seed ${SEED}`]) {
      expect(hint).toContain(part);
    }
  }
  expect(whatToLookAt(runWith(new Tally()), SEED)).toBe('');
});

test('what another process has counted is added', () => {
  const [here, there] = [new Tally(), new Tally()];
  here.lives = 2;
  there.lives = 3;
  there.resumeMs.push(500);
  there.findings.push({ check: 'processes-left', what: 'this', session: 1 });
  here.add(JSON.parse(JSON.stringify(there.figures)) as typeof there.figures);
  expect(here.lives).toBe(5);
  expect(here.resumeMs).toEqual([500]);
  expect(here.isClean).toBe(false);
});

test('quantiles are values that were measured', () => {
  expect(quantile([], 0.5)).toBeNull();
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([3, 1, 2], 0.95)).toBe(3);
});

test('a run is bounded by lives or by minutes, and by lives when nothing is said', () => {
  expect(wishesOf([], anySeed)).toEqual({
    seed: SEED,
    lives: 40,
    ms: Infinity,
    disks: true,
    json: false,
  });
  expect(wishesOf(['--lives', '3', '--seed', '9', '--json'], anySeed)).toMatchObject({
    lives: 3,
    seed: 9,
    json: true,
  });
  expect(wishesOf(['--minutes', '2'], anySeed)).toMatchObject({ lives: Infinity, ms: 120_000 });
});

test.each([
  [['--lives', '0']],
  [['--seed', 'x']],
  [['--lives', '1', '--minutes', '1']],
  [['--fast']],
])('%j is refused with the usage', (args) => {
  const told = wishesOf(args, anySeed);
  expect(told).toContain(USAGE);
  expect(told).not.toBe(USAGE);
  expect(wishesOf(['--help'], anySeed)).toBe(USAGE);
});
