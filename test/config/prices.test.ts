import { afterEach, beforeEach, expect, test } from 'vitest';
import { Places } from './support.js';

let places: Places;
beforeEach(() => {
  places = new Places();
});
afterEach(() => places.remove());

test('prices are read by the name of the model', () => {
  places.user(
    '[prices."openai/gpt-4o"]\ninput = 2.5\noutput = 10\n[prices."local/*"]\ninput = 0\noutput = 0\ncached = 0\ncache_write = 1.5',
  );
  expect(places.config().prices).toEqual({
    'openai/gpt-4o': { input: 2.5, output: 10 },
    'local/*': { input: 0, output: 0, cached: 0, cacheWrite: 1.5 },
  });
});

test.each([
  ['input = 1', 'input and output'],
  ['input = -1\noutput = 1', 'input and output'],
  ['input = "3"\noutput = 1', 'input and output'],
  ['input = 1\noutput = 1\nouput = 2', 'prices.m'],
])('a price that is none is refused: %s', (lines, expected) => {
  places.user(`[prices.m]\n${lines}`);
  const loaded = places.load();
  expect(loaded.ok ? [] : loaded.errors.map(({ message }) => message).join()).toContain(expected);
});

test('a workspace that is not trusted sets no price', () => {
  places.project('[prices.m]\ninput = 0\noutput = 0');
  expect(places.config().prices).toEqual({});
});
