/**
 * Where a path really leads, links followed step by step as the system does it, also where the end of it is
 * missing. What a missing name will be cannot be known; it counts as a plain folder.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';

/** The system's own limits: it refuses longer paths and longer chains of links. */
const MAX_PATH = 4096;
const MAX_LINKS = 40;

/**
 * Null: it cannot be known (a loop of links, no access, a name the system refuses). Never throws. `from` is a
 * real path already: it is not looked at again.
 */
export function realPathOf(path: string, from: string): string | null {
  if (path.length > MAX_PATH) return null;
  const rest = stepsOf(path);
  let at = isAbsolute(path) ? '/' : from;
  let missingBelow: string | null = null;
  let links = 0;
  for (let step = rest.pop(); step !== undefined; step = rest.pop()) {
    if (rest.length > MAX_PATH) return null;
    if (step === '..') {
      if (at === missingBelow) missingBelow = null;
      at = dirname(at);
      continue;
    }
    const next = at === '/' ? `/${step}` : `${at}/${step}`;
    const found: Found = missingBelow === null ? look(next) : { is: 'missing' };
    if (found.is === 'unknown') return null;
    if (found.is === 'link') {
      links += 1;
      if (links > MAX_LINKS) return null;
      if (isAbsolute(found.target)) at = '/';
      rest.push(...stepsOf(found.target));
      continue;
    }
    if (found.is === 'missing') missingBelow ??= next;
    at = next;
  }
  return at;
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** Last step first, so that the next one is popped. */
const stepsOf = (path: string): string[] =>
  path
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .reverse();

type Found =
  | { readonly is: 'missing' | 'there' | 'unknown' }
  | { readonly is: 'link'; readonly target: string };

function look(path: string): Found {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { is: 'missing' };
    return stats.isSymbolicLink() ? { is: 'link', target: readlinkSync(path) } : { is: 'there' };
  } catch {
    return { is: 'unknown' };
  }
}
