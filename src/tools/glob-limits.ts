/**
 * Which file patterns are searched for. A pattern comes from a model and runs on our own thread, so one
 * that would take very long, or lead out of the folder, is refused before it starts.
 */

const MAX_LENGTH = 500;

/** File names that braces may stand for. */
const MAX_ALTERNATIVES = 1_000;

/** Each further star multiplies the ways in which a name can match. */
const MAX_STARS_IN_NAME = 4;
const MAX_GLOBSTARS = 6;

/** `..` as a part of its own, also inside of braces; `{1..3}` is a range. */
const PARENT = /(?:^|[/{,(|])\.\.(?:[/},)|]|$)/;

/** Why the pattern is refused, as the rest of a sentence; null: it is fine. */
export function globProblem(pattern: string): string | null {
  if (pattern.includes('\0')) return 'holds a NUL byte.';
  if (pattern.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters.`;
  if (pattern.startsWith('/')) return 'is absolute. Give it relative to path.';
  if (PARENT.test(pattern)) return 'leads out of the folder with "..". Set path instead.';
  if (alternatives(pattern) > MAX_ALTERNATIVES) return 'stands for too many names in its braces.';
  const globstars = pattern.split('**').length - 1;
  const stars = pattern.split('/').map((name) => name.replaceAll('**', '').split('*').length - 1);
  if (globstars > MAX_GLOBSTARS || Math.max(...stars) > MAX_STARS_IN_NAME) {
    return 'has too many stars. Search for less and use grep on the names.';
  }
  return null;
}

/** An upper bound of what braces expand to. */
function alternatives(pattern: string): number {
  const groups = pattern.split('{').slice(1);
  return groups.reduce((product, group) => product * (commas(group) + 1) * rangeOf(group), 1);
}

const commas = (text: string): number => text.split(',').length - 1;

/** `{1..500}` is 500 names, `{a..z}` at most some hundreds of thousands. */
function rangeOf(group: string): number {
  if (!group.includes('..')) return 1;
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})\}/.exec(group);
  if (numbers === null) return /^[A-Za-z]\.\.[A-Za-z]\}/.test(group) ? 52 : Infinity;
  return Math.abs(Number(numbers[2]) - Number(numbers[1])) + 1;
}

/** Ranges and single names in braces, stars inside of a name, classes of letters: no two programs agree. */
const UNUSUAL = [
  /\{[^{}]*\.\.[^{}]*\}/,
  /\{[^{},]*\}/,
  /[^/{,]\*\*|\*\*[^/},]/,
  /\[\[:/,
  /\/\/|\s$/,
];

/** Means the same to everyone. */
export const isUsual = (pattern: string): boolean => !UNUSUAL.some((form) => form.test(pattern));

/** Where a pattern begins to be one. */
const MAGIC = /[*?[\]{}()!+@\\]/;

/** The folders a pattern names outright, and what is left of it: `src/a` and `*.ts`. */
export function splitPattern(pattern: string): { readonly folder: string; readonly rest: string } {
  const parts = pattern.replace(/^(?:\.\/)+/, '').split('/');
  const magic = parts.findIndex((part) => MAGIC.test(part));
  const named = magic < 0 ? parts.length - 1 : magic;
  return { folder: parts.slice(0, named).join('/'), rest: parts.slice(named).join('/') };
}
