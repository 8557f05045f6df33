import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameClock } from '../../../tui/terminal/frame-clock.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a thousand changes in a second are at most 30 frames', () => {
  let frames = 0;
  const clock = new FrameClock(
    () => (frames += 1),
    () => false,
  );
  for (let ms = 0; ms < 1_000; ms += 1) {
    clock.request();
    vi.advanceTimersByTime(1);
  }
  expect(frames).toBeGreaterThan(20);
  expect(frames).toBeLessThanOrEqual(30);
});

test('nothing is drawn without a change', () => {
  let frames = 0;
  const clock = new FrameClock(
    () => (frames += 1),
    () => false,
  );
  clock.request();
  clock.request();
  vi.advanceTimersByTime(10_000);
  expect(frames).toBe(1);
});

test('a terminal that is behind is waited for, and then drawn once', () => {
  let frames = 0;
  let busy = true;
  const clock = new FrameClock(
    () => (frames += 1),
    () => busy,
  );
  clock.request();
  vi.advanceTimersByTime(1_000);
  expect(frames).toBe(0);
  busy = false;
  vi.advanceTimersByTime(1_000);
  expect(frames).toBe(1);
});

test('nothing is drawn after it was stopped', () => {
  let frames = 0;
  const clock = new FrameClock(
    () => (frames += 1),
    () => false,
  );
  clock.request();
  clock.stop();
  clock.request();
  clock.drawNow();
  vi.advanceTimersByTime(1_000);
  expect(frames).toBe(0);
});
