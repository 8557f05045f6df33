import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInside, layered, type Place, type Treatment } from '../../src/sandbox/places.js';

const at = (path: string, treatment: Treatment): Place => ({
  path,
  source: path,
  treatment,
  folder: true,
});

const shape = (places: readonly Place[]): string[] =>
  layered(places).map(({ path, treatment }) => `${path} ${treatment}`);

test('inner places come after outer ones', () => {
  expect(shape([at('/w/.ouro', 'protected'), at('/w', 'writable')])).toEqual([
    '/w writable',
    '/w/.ouro protected',
  ]);
});

test('folders above a closed place are held in their place', () => {
  expect(shape([at('/w', 'writable'), at('/w/a/b/c', 'hidden')])).toEqual([
    '/w writable',
    '/w/a writable',
    '/w/a/b writable',
    '/w/a/b/c hidden',
  ]);
  expect(shape([at('/', 'writable'), at('/a/b', 'protected')])).toContain('/a writable');
});

test('what lies in a hidden or replaced folder needs no hiding, unless it is opened there', () => {
  const inTemp = [at('/tmp', 'temp'), at('/tmp/x', 'hidden'), at('/tmp/y', 'protected')];
  expect(shape(inTemp)).toEqual(['/tmp temp']);
  const inHidden = [at('/h', 'hidden'), at('/h/w', 'writable'), at('/h/w/s', 'hidden')];
  expect(shape(inHidden)).toEqual(['/h hidden', '/h/w writable', '/h/w/s hidden']);
  expect(shape([at('/run', 'hidden'), at('/run/x', 'shown')])).toEqual([
    '/run hidden',
    '/run/x shown',
  ]);
});

test('a name that only begins like another is not inside of it', () => {
  expect(isInside('/a/b', '/a/bc')).toBe(false);
  expect(shape([at('/a/b', 'hidden'), at('/a/bc', 'hidden')])).toHaveLength(2);
});

const name = fc.constantFrom('a', 'b', 'c');
const somePath = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join('/')}`);
const treatment = fc.constantFrom<Treatment>('writable', 'temp', 'shown', 'protected', 'hidden');
const somePlaces = fc.array(fc.tuple(somePath, treatment).map(([path, how]) => at(path, how)));

/** What a path is inside the sandbox. */
const effect = (places: readonly Place[], path: string): Treatment | 'read-only' =>
  places.findLast((place) => isInside(place.path, path))?.treatment ?? 'read-only';

test('nothing that should be hidden can be seen, and nothing protected can be written', () => {
  fc.assert(
    fc.property(somePlaces, (places) => {
      const result = layered(places);
      for (const { path, treatment: wanted } of places) {
        const others = places.filter((place) => place.path === path).map((one) => one.treatment);
        const seen = effect(result, path);
        if (others.includes('hidden')) expect(['hidden', 'temp']).toContain(seen);
        else if (wanted === 'protected') expect(seen).not.toBe('writable');
        else if (wanted === 'writable' && !others.includes('protected'))
          expect(seen).toBe('writable');
      }
    }),
  );
});

test('each path comes once, and no place comes before one that holds it', () => {
  fc.assert(
    fc.property(somePlaces, (places) => {
      const paths = layered(places).map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      paths.forEach((path, index) => {
        const later = paths.slice(index + 1);
        expect(later.some((other) => isInside(other, path))).toBe(false);
      });
    }),
  );
});
