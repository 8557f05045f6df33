import { expect, test } from 'vitest';
import { liveThrough } from '../../simulation/history.js';
import { simulate } from '../../simulation/simulate.js';
import { TIMELINE_START } from '../../simulation/timeline.js';
import { traceLine } from '../../simulation/trace.js';

/** A few seconds' worth; `npm run simulate` has the patience for thousands. */
const SEEDS = 50;
const STARTS = [1, 51, 101];

test.each(STARTS)(
  'with crashes, failures and a meddling person every promise is kept (50 seeds from %i on)',
  async (first) => {
    const summary = await simulate({
      first,
      count: SEEDS,
      fault: null,
      allOnFile: false,
      stopAtFirst: false,
    });
    const found = summary.failed.map(
      ({ seed, violations }) => `${seed}: ${violations.map(({ what }) => what).join('; ')}`,
    );
    expect(found).toEqual([]);
    expect(summary.seeds).toBe(SEEDS);
    // What is simulated is not nothing.
    expect(summary.repeated).toBeGreaterThan(0);
    expect(summary.crashes).toBeGreaterThan(SEEDS / 3);
    expect(summary.lives).toBeGreaterThan(summary.crashes + SEEDS / 2);
    expect(summary.requests).toBeGreaterThan(5 * SEEDS);
  },
);

test('one seed is one history, to the byte, and to the line of its trace', async () => {
  const [first, second] = [await traced(4), await traced(4)];
  expect(second).toEqual(first);
  expect(first.lines.length).toBeGreaterThan(50);
  const other = await traced(5);
  expect(other.verdict.digest).not.toBe(first.verdict.digest);
});

test('a real journal file holds the same bytes as the one in memory, through crashes and resumes', async () => {
  const seed = 4;
  const inMemory = await liveThrough({ seed });
  const onFile = await liveThrough({ seed, store: 'file' });
  expect(inMemory.crashes).toBeGreaterThan(0);
  expect(onFile).toEqual(inMemory);
});

async function traced(seed: number) {
  const lines: string[] = [];
  const trace = (moment: Parameters<typeof traceLine>[0]) =>
    void lines.push(traceLine(moment, TIMELINE_START));
  return { verdict: await liveThrough({ seed, trace }), lines };
}
