/** Finds the substitutions that the grammar sees in a word, each by where it begins. */
import type { Assignment, CommandExpansionPart, Word, WordPart } from 'unbash';

export function substitutionsIn(
  word: Word | Assignment,
): ReadonlyMap<number, CommandExpansionPart> {
  const found = new Map<number, CommandExpansionPart>();
  const value = word.type === 'Word' ? word : word.value;
  if (value.type === 'Word') for (const part of value.parts ?? []) collect(part, found);
  return found;
}

/** A substitution stands in a word or in its double quotes; what is deeper is not read. */
function collect(part: WordPart, found: Map<number, CommandExpansionPart>): void {
  if (part.type === 'CommandExpansion') found.set(part.pos, part);
  if (part.type !== 'DoubleQuoted') return;
  for (const inner of part.parts)
    if (inner.type === 'CommandExpansion') found.set(inner.pos, inner);
}
