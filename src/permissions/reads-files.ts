/**
 * Whether a command reads, searches or lists files: work for which there are tools. An estimate for
 * statistics and never a judgement: it errs where a command leaves its meaning to the shell.
 */
import { readShell } from './shell-reader.js';
import { commandsIn, type ShellCommand, type ShellWord } from './shell-tree.js';
import { unwrap } from './wrappers.js';

/** They print the files they are given; without any, what another command gives them. */
const PRINTERS = new Set(['cat', 'head', 'tail', 'less', 'more', 'bat', 'nl', 'tac']);
/** The same, behind a pattern. */
const GREPS = new Set(['grep', 'egrep', 'fgrep', 'zgrep']);
/** They search the folder they are in when no file is given, unless something is piped into them. */
const TREE_SEARCHERS = new Set(['rg', 'ag', 'ack']);
const LISTERS = new Set(['ls', 'find', 'fd', 'fdfind', 'tree', 'eza', 'exa']);

/** `timeout 5 bash -c "…"` deeper than this is not looked into. */
const MAX_WRAPPED = 4;

/** Never throws. A command counts when any of its parts does. */
export const readsFiles = (command: string): boolean => readsWithin(command, 0);

function readsWithin(command: string, depth: number): boolean {
  const read = readShell(command);
  if (!read.ok) return firstWordReads(command);
  const commands = [...commandsIn(read.script)];
  return commands.some((each, index) => {
    const isFirst = commands.slice(0, index).every(({ words }) => words[0]?.text === 'cd');
    return partReads(each, isFirst, depth);
  });
}

/** What the parser does not follow is judged by its first word, behind a change of folder. */
function firstWordReads(command: string): boolean {
  const first = /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?([\w-]+)\s/.exec(`${command} `)?.[1] ?? '';
  return [PRINTERS, GREPS, TREE_SEARCHERS, LISTERS].some((programs) => programs.has(first));
}

function partReads(command: ShellCommand, isFirst: boolean, depth: number): boolean {
  const { words, redirections } = command;
  // It is written somewhere instead of being shown.
  if (redirections.some(({ access }) => access === 'write')) return false;
  const inner = depth < MAX_WRAPPED ? unwrap(words) : null;
  if (inner?.kind === 'text') return readsWithin(inner.text, depth + 1);
  if (inner !== null) return partReads({ ...command, words: inner.words }, isFirst, depth + 1);
  const [program, ...args] = words;
  const fed = redirections.length > 0;
  return programReads(program?.text.replace(/^.*\//, '') ?? '', args, { isFirst, fed });
}

interface Place {
  /** Nothing can have been piped into it. */
  readonly isFirst: boolean;
  /** A file is redirected into it. */
  readonly fed: boolean;
}

function programReads(name: string, args: readonly ShellWord[], { isFirst, fed }: Place): boolean {
  const options = args.map(({ text }) => text).filter((text) => text.startsWith('-'));
  const files = operandsOf(args).length;
  if (LISTERS.has(name)) return !options.includes('-delete');
  if (PRINTERS.has(name)) return fed || files > 0;
  if (GREPS.has(name)) return fed || files > 1 || options.some(isRecursive);
  if (TREE_SEARCHERS.has(name)) return fed || files > 1 || isFirst;
  if (name === 'git') return args[0]?.text === 'grep';
  const prints = options.some((option) => /^-[a-zA-Z]*n/.test(option));
  const edits = options.some((option) => /^(-[a-zA-Z]*i|--in-place)/.test(option));
  return name === 'sed' && prints && !edits && (fed || files > 1);
}

const isRecursive = (option: string): boolean =>
  /^-[a-zA-Z]*[rR]/.test(option) || /^--(dereference-)?recursive$/.test(option);

/** Words that are no options. A number behind an option is its value: `head -n 20`. */
const operandsOf = (args: readonly ShellWord[]): readonly ShellWord[] =>
  args.filter(({ text }, index) => {
    const before = args[index - 1]?.text ?? '';
    return !text.startsWith('-') && !(/^\+?\d+$/.test(text) && before.startsWith('-'));
  });
