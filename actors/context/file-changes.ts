/**
 * Finds where the set of files that is worked on changes. Pure: the same files give the same places.
 *
 * The rounds before a place are compared with those behind it. A file counts once for each round that names
 * it, a folder once for each of its files: going through a folder file by file is one piece of work, going from
 * one file, after long work on it, to its neighbour is not. The share in common dips where the set changes,
 * and the place is the bottom of the dip. Two thresholds keep a wavering share from being many changes: a dip
 * begins below the lower one, and is over only above the higher one. So a stray look at other files is no change,
 * and a search that never settles is one.
 */

/** Rounds on each side that are compared: a visit elsewhere that takes up to half as many is no change. */
const WINDOW_ROUNDS = 6;

/** Fewer rounds are no set of files yet, and no piece of work either. */
export const MIN_ROUNDS = 3;

/** Shares in common. Going from file to file in one folder is a third, and a fifth where it begins or ends. */
const CHANGED_BELOW = 0.18;
const SETTLED_FROM = 0.25;

/** The rounds, by index, with which another set of files begins. `rounds`: the files each of them names. */
export function changesIn(rounds: readonly (readonly string[])[]): number[] {
  const naming = rounds.flatMap((files, at) => (files.length === 0 ? [] : [{ at, files }]));
  const found: number[] = [];
  for (const dip of dipsIn(naming.map(({ files }) => files))) {
    if (dip - (found.at(-1) ?? 0) >= MIN_ROUNDS) found.push(dip);
  }
  return found.flatMap((index) => naming[index]?.at ?? []);
}

/** Where each dip is lowest, the first such place where there are several. */
function dipsIn(rounds: readonly (readonly string[])[]): number[] {
  const dips: number[] = [];
  let lowest: { at: number; share: number } | null = null;
  for (let at = MIN_ROUNDS; at <= rounds.length - MIN_ROUNDS; at += 1) {
    const share = inCommon(
      weightsOf(rounds.slice(Math.max(0, at - WINDOW_ROUNDS), at)),
      weightsOf(rounds.slice(at, at + WINDOW_ROUNDS)),
    );
    if (lowest === null ? share < CHANGED_BELOW : share < lowest.share) lowest = { at, share };
    if (lowest === null || share < SETTLED_FROM) continue;
    dips.push(lowest.at);
    lowest = null;
  }
  return lowest === null ? dips : [...dips, lowest.at];
}

function weightsOf(rounds: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (name: string): void => void weights.set(name, (weights.get(name) ?? 0) + 1);
  for (const file of rounds.flat()) {
    if (!weights.has(file)) add(`in ${folderOf(file)}`);
    add(file);
  }
  return weights;
}

const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf('/')));

/** Of two weighted sets, from 0 to 1 (Jaccard's share, with weights). */
function inCommon(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let both = 0;
  let either = 0;
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [left, right] = [a.get(name) ?? 0, b.get(name) ?? 0];
    both += Math.min(left, right);
    either += Math.max(left, right);
  }
  return either === 0 ? 1 : both / either;
}
