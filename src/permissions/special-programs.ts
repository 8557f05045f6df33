/**
 * Programs whose arguments have a grammar of their own: builtins that set something in the shell, tests, and
 * `find`. Each check tells why the arguments are not known to be harmless; null: they are. `paths` collects
 * what is read.
 */
import type { ShellWord } from './shell-tree.js';

export type ArgumentCheck = (args: readonly ShellWord[], paths: string[]) => string | null;

/**
 * Only names that no program looks at: those of the system and of programs are written large, with a few
 * exceptions that are known.
 */
export const isOwnVariable = (name: string): boolean =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !/^npm_|_proxy$/.test(name);

const option = (text: string): string => `has an option (${text}) that is not known to be harmless`;
const UNKNOWN = 'has an argument that is known only when it runs';

const isUnknown = (args: readonly ShellWord[]): boolean =>
  args.some(({ kind }) => kind !== 'literal');

const set: ArgumentCheck = (args) => {
  for (const [index, { text }] of args.entries()) {
    const isName = /o$/.test(args[index - 1]?.text ?? '');
    if (isName ? text !== 'pipefail' : !/^[-+][eufx]*o?$/.test(text)) return option(text);
  }
  return isUnknown(args) || args.length === 0 ? UNKNOWN : null;
};

const read: ArgumentCheck = (args) => {
  if (isUnknown(args)) return UNKNOWN;
  const wrong = args.find(({ text }) => text !== '-r' && !isOwnVariable(text));
  return wrong === undefined ? null : `sets ${wrong.text}`;
};

/** Of bash's own, `-v` and `-R` run what stands in the brackets of a name. */
const UNARY = new Set('-b -c -d -e -f -g -h -k -L -n -N -O -p -r -s -S -t -u -w -x -z'.split(' '));
const BINARY = new Set('= == != -eq -ne -lt -le -gt -ge -nt -ot -ef'.split(' '));

/** Whatever it is, it stays one word. */
const isOneWord = ({ kind, text }: ShellWord): boolean =>
  kind === 'literal' || (kind === 'unknown' && /^"[^"]*"$/.test(text));

/** One condition; what is longer is read differently by the shells. */
const test: ArgumentCheck = (args, paths) => {
  if (!args.every(isOneWord)) return UNKNOWN;
  const words = args[0]?.text === '!' ? args.slice(1) : args;
  const [first, second, third, ...more] = words.map(({ text }) => text);
  if (more.length > 0) return 'has more than one condition';
  if (third !== undefined) {
    if (words[1]?.kind !== 'literal' || !BINARY.has(second ?? '')) return option(second ?? '');
    if (/^-(nt|ot|ef)$/.test(second ?? '')) return option(second ?? '');
    return null;
  }
  if (second === undefined) return null;
  if (words[0]?.kind !== 'literal' || !UNARY.has(first ?? '')) return option(first ?? '');
  if (/^-[nzt]$/.test(first ?? '')) return null;
  if (words[1]?.kind !== 'literal') return UNKNOWN;
  paths.push(second);
  return null;
};

const bracket: ArgumentCheck = (args, paths) =>
  args.at(-1)?.text === ']' ? test(args.slice(0, -1), paths) : 'does not end with ]';

/** `-v` and `%n` set a variable, and run what stands in the brackets of its name. */
const printf: ArgumentCheck = ([format]) => {
  if (format?.kind !== 'literal' || format.text.startsWith('-')) return UNKNOWN;
  return /%[^%A-Za-z]*[hlLjzt]*n/.test(format.text) ? option('%n') : null;
};

const date: ArgumentCheck = (args) => {
  const wrong = args.find(({ kind, text }) => kind !== 'literal' || !/^(\+|-u$|-I)/.test(text));
  return wrong === undefined ? null : option(wrong.text);
};

const FIND_FLAGS = new Set(
  '! ( ) -a -o -and -or -not -print -print0 -empty -prune -depth -mount -xdev -true -false'.split(
    ' ',
  ),
);
const FIND_VALUES = new Set(
  '-name -iname -path -ipath -wholename -regex -iregex -regextype -type -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -perm -user -group -printf'.split(
    ' ',
  ),
);

/** Folders first, then tests from a list; nothing that starts a program, deletes, writes or follows links. */
const find: ArgumentCheck = (args, paths) => {
  if (isUnknown(args)) return UNKNOWN;
  const texts = args.map(({ text }) => text);
  const first = texts.findIndex((text) => /^[-!(]/.test(text));
  const folders = first < 0 ? texts : texts.slice(0, first);
  paths.push(...(folders.length === 0 ? ['.'] : folders));
  for (let at = folders.length; at < texts.length; at += 1) {
    const text = texts[at] ?? '';
    if (FIND_FLAGS.has(text)) continue;
    at += 1;
    if (!FIND_VALUES.has(text) || at >= texts.length) return option(text);
  }
  return null;
};

export const SPECIAL_PROGRAMS: ReadonlyMap<string, ArgumentCheck> = new Map([
  ['set', set],
  ['read', read],
  ['test', test],
  ['[', bracket],
  ['printf', printf],
  ['date', date],
  ['find', find],
]);
