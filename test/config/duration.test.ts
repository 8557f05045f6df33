/** Lengths of time, times of day, and the home folder, as people write them. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseClock, parseDuration } from '../../config/duration.js';
import { ouroHome } from '../../config/home.js';

test.each([
  ['45s', 45_000],
  ['90m', 5_400_000],
  ['2h', 7_200_000],
  ['2d', 172_800_000],
  ['1h30m', 5_400_000],
  ['1h 30m 5s', 5_405_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['90', 90_000],
  ['0.5', 500],
  [' 2H ', 7_200_000],
])('%j is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  '',
  ' ',
  '0',
  '0s',
  '-5m',
  'h',
  '2x',
  '5 5',
  '2h and more',
  '1e3',
  'Infinity',
  '900000000',
  '1h-',
  '2h30',
  '1s'.repeat(50),
])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeNull();
});

const at = (text: string) => new Date(text).getTime();
const NOON = at('2026-03-10T12:00:00');

test.each([
  ['13:30', '2026-03-10T13:30:00'],
  ['08:00', '2026-03-11T08:00:00'],
  ['8:00', '2026-03-11T08:00:00'],
  ['12:00', '2026-03-11T12:00:00'],
  ['12:00:01', '2026-03-10T12:00:01'],
  ['00:00', '2026-03-11T00:00:00'],
  ['2026-03-12T07:15', '2026-03-12T07:15:00'],
  ['2026-03-12 07:15', '2026-03-12T07:15:00'],
  ['2026-03-12', '2026-03-12T00:00:00'],
  ['2026-03-12T07:15:30Z', '2026-03-12T07:15:30Z'],
  ['2026-03-12T07:15+0200', '2026-03-12T05:15:00Z'],
])('%s comes next at %s', (text, expected) => {
  expect(parseClock(text, NOON)).toBe(at(expected));
});

test.each([
  '',
  'soon',
  '24:00',
  '12:60',
  '8',
  '2026-02-30',
  '2026-13-01',
  '2026-03-12T25:00',
  '2026-03-09',
  '2026-03-10T11:59',
])('%j is no time to come', (text) => {
  expect(parseClock(text, NOON)).toBeNull();
});

test('a time of day is always within the next 25 hours', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 4e12 }),
      (hour, minute, now) => {
        const clock = `${hour}:${String(minute).padStart(2, '0')}`;
        const ahead = (parseClock(clock, now) ?? NaN) - now;
        expect(ahead).toBeGreaterThan(0);
        expect(ahead).toBeLessThanOrEqual(25 * 3_600_000);
      },
    ),
  );
});

test('the home folder is $OURO_HOME, else .ouro in the user’s', () => {
  expect(ouroHome({ OURO_HOME: '/x/y', HOME: '/h' })).toBe('/x/y');
  expect(ouroHome({ OURO_HOME: '', HOME: '/h' })).toBe('/h/.ouro');
  expect(ouroHome({ OURO_HOME: '~/o', HOME: '/h' })).toBe('/h/o');
  expect(ouroHome({ OURO_HOME: 'rel', HOME: '/h' })).toBe(join(process.cwd(), 'rel'));
  expect(ouroHome({})).toBe(join(homedir(), '.ouro'));
});
