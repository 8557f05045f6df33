import { expect, test } from 'vitest';
import { PageCache } from '../../src/web/page-cache.js';

test('a page is kept for a quarter of an hour', () => {
  let now = 1000;
  const cache = new PageCache<string>(() => now);
  cache.put('a', 'page', 4);
  now += 15 * 60_000 - 1;
  expect(cache.get('a')).toBe('page');
  now += 1;
  expect(cache.get('a')).toBeNull();
});

test('the fifty newest pages are kept', () => {
  const cache = new PageCache<number>(() => 0);
  for (let page = 0; page < 60; page += 1) cache.put(String(page), page, 1);
  expect(cache.get('9')).toBeNull();
  expect(cache.get('10')).toBe(10);
  expect(cache.get('59')).toBe(59);
});

test('no more than twenty megabytes are kept', () => {
  const cache = new PageCache<string>(() => 0);
  cache.put('a', 'a', 12_000_000);
  cache.put('b', 'b', 8_000_000);
  expect(cache.get('a')).toBe('a');
  cache.put('b', 'b2', 9_000_000);
  expect([cache.get('a'), cache.get('b')]).toEqual([null, 'b2']);
  cache.put('c', 'c', 20_000_001);
  expect([cache.get('b'), cache.get('c')]).toEqual(['b2', null]);
});
