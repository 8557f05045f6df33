/** Where two written states begin to differ, as a path of names. Pure. */
import type { WrittenState } from './written-state.js';

/** Null: they are the same. */
export function firstDifference(a: WrittenState, b: WrittenState): string | null {
  return (
    differenceIn(a.parts, b.parts) ?? differenceIn(withoutEmpty(a.lists), withoutEmpty(b.lists))
  );
}

const withoutEmpty = (lists: WrittenState['lists']): WrittenState['lists'] =>
  new Map([...lists].filter(([, items]) => items.length > 0));

function differenceIn(
  a: ReadonlyMap<string, unknown>,
  b: ReadonlyMap<string, unknown>,
): string | null {
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [one, other] = [JSON.stringify(a.get(name)), JSON.stringify(b.get(name))];
    if (one !== other) return pathTo(parsed(one), parsed(other), name);
  }
  return null;
}

const parsed = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

const fieldsOf = (value: object): Map<string, unknown> => new Map(Object.entries(value));

/** The names, or places in a list, that lead to it. */
function pathTo(a: unknown, b: unknown, path: string): string {
  if (!(a instanceof Object) || !(b instanceof Object)) return path;
  const [fields, others] = [fieldsOf(a), fieldsOf(b)];
  for (const key of new Set([...fields.keys(), ...others.keys()])) {
    const [one, other] = [fields.get(key), others.get(key)];
    if (JSON.stringify(one) !== JSON.stringify(other)) return pathTo(one, other, `${path}.${key}`);
  }
  // The same fields in another order.
  return path;
}
