/**
 * What a checkpoint says beyond the one before it, and a state put together again from a chain of them. What
 * the whole past adds to a state is so written once, and no checkpoint grows with the session. Pure.
 */
import type { CheckpointBody, ListGrowth } from '../../messages/checkpoint.js';
import type { WrittenState } from './written-state.js';

/** What is kept of a state in order to say what is different from it: its parts, and how long its lists are. */
export interface Outline {
  readonly parts: ReadonlyMap<string, unknown>;
  readonly lists: ReadonlyMap<string, number>;
}

export const NO_OUTLINE: Outline = { parts: new Map(), lists: new Map() };

export const outlineOf = ({ parts, lists }: WrittenState): Outline => ({
  parts: new Map(parts),
  lists: new Map([...lists].map(([name, items]) => [name, items.length])),
});

/** A list that is shorter than it was is written anew; of any other the beginning is the same. */
export function differences(now: WrittenState, before: Outline): Said {
  const changed = [...now.parts].filter(([name, part]) => !isSame(part, before.parts.get(name)));
  const grown = [...namesIn(now.lists, before.lists)].flatMap((name) => {
    const items = now.lists.get(name) ?? [];
    const had = before.lists.get(name) ?? 0;
    if (items.length === had) return [];
    const from = items.length > had ? had : 0;
    return [[name, { from, items: items.slice(from) }] as const];
  });
  return { parts: Object.fromEntries(changed), lists: Object.fromEntries(grown) };
}

/** Most parts are those of agents that ended long ago: they need not be written out to be compared. */
const isSame = (a: unknown, b: unknown): boolean =>
  isShallowlySame(a, b) || JSON.stringify(a) === JSON.stringify(b);

function isShallowlySame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!(a instanceof Object) || !(b instanceof Object)) return false;
  const [fields, others] = [Object.entries(a), new Map(Object.entries(b))];
  return fields.length === others.size && fields.every(([key, is]) => others.get(key) === is);
}

const namesIn = (...maps: readonly ReadonlyMap<string, unknown>[]): Set<string> =>
  new Set(maps.flatMap((map) => [...map.keys()]));

type Said = Pick<CheckpointBody, 'parts' | 'lists'>;

const NOTHING: WrittenState = { parts: new Map(), lists: new Map() };

/** What checkpoints say together, the oldest first. */
export function merged(said: Iterable<Said>, before: WrittenState = NOTHING): WrittenState {
  const parts = new Map(before.parts);
  const lists = new Map(before.lists);
  for (const one of said) {
    for (const [name, part] of Object.entries(one.parts)) parts.set(name, part);
    for (const [name, growth] of Object.entries(one.lists))
      lists.set(name, grownBy(lists.get(name) ?? [], growth));
  }
  return { parts, lists };
}

const grownBy = (list: readonly unknown[], { from, items }: ListGrowth): readonly unknown[] => [
  ...list.slice(0, from),
  ...items,
];
