import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkClock } from '../../src/session/work-clock.js';

const DAY = 24 * 60 * 60 * 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

function count(limitMs: number | null) {
  const reached = vi.fn();
  const clock = new WorkClock({ now: () => Date.now() }, limitMs, reached);
  return { clock, reached };
}

test('the limit is reached after that much work', () => {
  const { clock, reached } = count(1_000);
  clock.set(true);
  vi.advanceTimersByTime(999);
  expect(reached).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reached).toHaveBeenCalledTimes(1);
});

test('time spent held does not count', () => {
  const { clock, reached } = count(1_000);
  clock.set(true);
  vi.advanceTimersByTime(600);
  clock.set(false);
  vi.advanceTimersByTime(DAY);
  expect(clock.workedMs).toBe(600);
  clock.set(true);
  vi.advanceTimersByTime(399);
  expect(reached).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reached).toHaveBeenCalledTimes(1);
});

test('to be told the same again changes nothing', () => {
  const { clock, reached } = count(1_000);
  for (let part = 0; part < 10; part += 1) {
    clock.set(true);
    expect(reached).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
  }
  expect(reached).toHaveBeenCalledTimes(1);
  clock.set(false);
  clock.set(false);
  expect(clock.workedMs).toBe(1_000);
});

test('nothing counts before the work has begun', () => {
  const { clock, reached } = count(1_000);
  vi.advanceTimersByTime(DAY);
  expect(clock.workedMs).toBe(0);
  expect(reached).not.toHaveBeenCalled();
});

test('without a limit it only counts', () => {
  const { clock, reached } = count(null);
  clock.set(true);
  vi.advanceTimersByTime(365 * DAY);
  expect(clock.workedMs).toBe(365 * DAY);
  expect(reached).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('a limit further away than a timer can reach is reached all the same', () => {
  const { clock, reached } = count(60 * DAY);
  clock.set(true);
  vi.advanceTimersByTime(60 * DAY - 1);
  expect(reached).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reached).toHaveBeenCalledTimes(1);
});

test('a clock that was stopped leaves no timer and calls nobody', () => {
  const { clock, reached } = count(1_000);
  clock.set(true);
  clock.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(DAY);
  expect(reached).not.toHaveBeenCalled();
});

test('a limit that is raised when it was reached holds for the rest', () => {
  const { clock, reached } = count(1_000);
  clock.set(true);
  vi.advanceTimersByTime(1_000);
  clock.set(false);
  clock.setLimit(1_500);
  clock.set(true);
  vi.advanceTimersByTime(499);
  expect(reached).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(reached).toHaveBeenCalledTimes(2);
});

test('time that the machine slept does not count', () => {
  const { clock, reached } = count(1_000);
  clock.set(true);
  vi.advanceTimersByTime(400);
  vi.setSystemTime(Date.now() + DAY);
  clock.forget(DAY);
  expect(clock.workedMs).toBe(400);
  vi.advanceTimersByTime(599);
  expect(reached).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reached).toHaveBeenCalledTimes(1);
});
