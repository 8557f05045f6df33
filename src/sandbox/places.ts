/**
 * Places that a confined command does not find as they are on the machine, and how they lie above one
 * another. Pure: who looks at the disk is `confined-places.ts`.
 */

/**
 * `writable`: as it is. `temp`: the session's own folder in its place. `shown`: visible, but not writable,
 * where everything around it is hidden. `protected`: not writable, although everything around it is.
 * `hidden`: an empty folder or file in its place.
 */
export type Treatment = 'writable' | 'temp' | 'shown' | 'protected' | 'hidden';

export interface Place {
  /** Where the command finds it: absolute and without symbolic links. */
  readonly path: string;
  /** What it finds there. */
  readonly source: string;
  readonly treatment: Treatment;
  /** False: a file. */
  readonly folder: boolean;
}

/** When one path has several treatments, the first of these counts. */
const STRICTEST_FIRST: readonly Treatment[] = ['hidden', 'protected', 'writable', 'temp', 'shown'];

/**
 * The places that change something, outer ones before inner ones. Folders between a writable folder and a
 * closed place in it are places too: what something is mounted on cannot be renamed, and without that a
 * command could move the parent away and put a copy of its own there.
 */
export function layered(places: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const place of outerFirst(onePerPath(places))) {
    if (changesSomething(place, nearest(place.path, kept))) kept.push(place);
  }
  const held = kept.flatMap((place) => foldersTo(place, nearest(place.path, kept)));
  return outerFirst(onePerPath([...kept, ...held]));
}

function changesSomething({ treatment }: Place, around: Place | undefined): boolean {
  const isReplaced = around?.treatment === 'hidden' || around?.treatment === 'temp';
  switch (treatment) {
    case 'writable':
      // Mounting it again would follow a link that an earlier command could have put there.
      return around?.treatment !== 'writable';
    case 'temp':
      return true;
    case 'shown':
      return isReplaced;
    case 'protected':
      return around?.treatment === 'writable';
    case 'hidden':
      return !isReplaced;
  }
}

function foldersTo({ path, treatment }: Place, around: Place | undefined): Place[] {
  const isClosed = treatment === 'protected' || treatment === 'hidden';
  if (!isClosed || around?.treatment !== 'writable') return [];
  return between(around.path, path).map((folder) => ({
    path: folder,
    source: folder,
    treatment: 'writable',
    folder: true,
  }));
}

/** `/a`, `/a/b/c/d` → `/a/b`, `/a/b/c`. */
function between(outer: string, inner: string): string[] {
  const prefix = outer === '/' ? '' : outer;
  const names = inner.slice(prefix.length + 1).split('/');
  return names.slice(1).map((_, index) => `${prefix}/${names.slice(0, index + 1).join('/')}`);
}

export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);

const nearest = (path: string, outer: readonly Place[]): Place | undefined =>
  outer.findLast((place) => place.path !== path && isInside(place.path, path));

function onePerPath(places: readonly Place[]): Place[] {
  const byPath = new Map<string, Place>();
  for (const place of places) {
    const other = byPath.get(place.path);
    if (other === undefined || rank(place) < rank(other)) byPath.set(place.path, place);
  }
  return [...byPath.values()];
}

const rank = ({ treatment }: Place): number => STRICTEST_FIRST.indexOf(treatment);

const outerFirst = (places: readonly Place[]): Place[] =>
  places.toSorted((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length);
