import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initialState, snapshotOf, type State } from '../../actors/coordinator-state.js';
import { Watch } from '../../messages/channels/watch.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { mirrorProgress, type Progress } from '../../src/session/index-mirror.js';
import { holdOf, specOf, START } from '../support/session-samples.js';
import { settled } from '../support/settled.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
afterEach(() => void vi.useRealTimers());

const inbox = { depth: 0, highWater: 0, capacity: 256 };
const base: State = { ...initialState(specOf(), 'count'), life: 'working' };
const show = (part: Partial<State> = {}): Snapshot => snapshotOf({ ...base, ...part }, inbox);
const rounds = (n: number): Partial<State> => ({ totals: { ...base.totals, rounds: n } });

function mirror() {
  const snapshots = new Watch(show());
  const written: Progress[] = [];
  const until = new AbortController();
  const over = mirrorProgress(snapshots, (progress) => void written.push(progress), until.signal);
  const publish = async (part: Partial<State>, laterMs = 0): Promise<void> => {
    vi.setSystemTime(Date.now() + laterMs);
    snapshots.publish(show(part));
    await settled(1);
  };
  return { written, until, over, publish };
}

test('the line is written at once, and again when the state or a hold changes', async () => {
  const { written, publish } = mirror();
  await settled(1);
  await publish({ holds: [holdOf()] });
  await publish({ holds: [holdOf(), holdOf({ kind: 'timer' })] });
  await publish({ life: 'ended', endState: 'done' });
  expect(written.map(({ state, holds }) => [state, ...holds])).toEqual([
    ['running'],
    ['held', 'user'],
    ['held', 'user', 'timer'],
    ['done'],
  ]);
});

test('when a session goes on by itself is known once all of its holds have an end', async () => {
  const { written, publish } = mirror();
  await settled(1);
  const [soon, later] = [holdOf({ kind: 'timer', until: START + 5 }), { until: START + 9 }];
  await publish({ holds: [soon] });
  await publish({ holds: [soon, holdOf({ kind: 'rate-limit', ...later })] });
  await publish({ holds: [soon, holdOf()] });
  expect(written.map(({ heldUntil }) => heldUntil)).toEqual([null, START + 5, START + 9, null]);
});

test('mere progress is written at most once a second', async () => {
  const { written, publish } = mirror();
  await settled(1);
  for (let n = 1; n <= 30; n += 1) await publish(rounds(n), 100);
  expect(written.map((progress) => progress.rounds)).toEqual([0, 10, 20, 30]);
});

test('it says how far the session is and what it has cost', async () => {
  const { written, publish } = mirror();
  await settled(1);
  const totals = { ...base.totals, rounds: 2, promptTokens: 30, completionTokens: 4, costUsd: 0.5 };
  await publish({ totals }, 1_000);
  expect(written.at(-1)).toEqual({
    state: 'running',
    holds: [],
    heldUntil: null,
    rounds: 2,
    costUsd: 0.5,
    promptTokens: 30,
    completionTokens: 4,
  });
});

test('it ends when it is told to, and writes nothing more', async () => {
  const { written, publish, until, over } = mirror();
  await settled(1);
  until.abort();
  await over;
  await publish({ holds: [holdOf()] }, 5_000);
  expect(written).toHaveLength(1);
});
