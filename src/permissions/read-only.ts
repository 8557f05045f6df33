/**
 * Proves that a plain command reads only inside the workspace and changes nothing, or only the files it
 * names: a program that has no way to start another, options from a list, and paths that stay inside after
 * links are resolved. What is not on the lists is not proven.
 */
import { relative } from 'node:path';
import { holdsProtected } from './protected-files.js';
import { EDITORS, OPTIONLESS_TEXT, PROGRAMS, type Program } from './read-only-programs.js';
import { isInside, realPathOf } from './real-path.js';
import type { ShellWord } from './shell-tree.js';
import { SPECIAL_PROGRAMS } from './special-programs.js';

export interface Bounds {
  /** Real path. */
  readonly workspace: string;
  /** Real paths that may be read and written; the workspace is the first. */
  readonly roots: readonly string[];
  readonly ouroHome: string;
}

export type Proof =
  | {
      readonly ok: true;
      readonly movesTo: string | null;
      readonly changesFiles: boolean;
      /** Real paths. */
      readonly paths: readonly string[];
      /** It reads everything below them. */
      readonly walks: boolean;
    }
  /** `why` completes "NAME …". */
  | { readonly ok: false; readonly why: string };

const PROVEN = { ok: true, movesTo: null, changesFiles: false, paths: [], walks: false } as const;
const refuted = (why: string): Proof => ({ ok: false, why });

export interface Circumstances {
  /** Every folder that the command could run in, depending on how the ones before it end; none: unknown. */
  readonly folders: readonly string[];
  readonly bounds: Bounds;
  /** Commands that change only the files they name count as well. */
  readonly edits: boolean;
}

export function proveHarmless(words: readonly ShellWord[], where: Circumstances): Proof {
  const [program, ...args] = words;
  const name = program?.text ?? '';
  const { folders, bounds } = where;
  if (folders.length === 0) return refuted('follows a command that changes the shell itself');
  if (folders.some((folder) => !isWithin(folder, bounds)))
    return refuted('runs outside the workspace');
  const check = SPECIAL_PROGRAMS.get(name);
  if (check !== undefined) {
    const paths: string[] = [];
    const why = check(args, paths);
    return why === null ? provePaths(paths, where, name === 'find') : refuted(why);
  }
  if (args.some((word) => word.kind === 'pattern'))
    return refuted('has names with wildcards or a tilde, which the shell replaces');
  if (OPTIONLESS_TEXT.has(name)) return PROVEN;
  if (args.some((word) => word.kind === 'unknown'))
    return refuted('has an argument that is known only when it runs');
  if (name === 'cd') return proveMove(args, where);
  return proveListed(name, args, where);
}

function proveListed(name: string, args: readonly ShellWord[], where: Circumstances): Proof {
  const editor = where.edits ? EDITORS.get(name) : undefined;
  const known = editor ?? PROGRAMS.get(name);
  if (known === undefined) return refuted('is not on the list of commands that only read');
  const read = operandsOf(args, known);
  if (typeof read === 'string')
    return refuted(`has an option (${read}) that is not known to only read`);
  if (read.length > known.atMost) return refuted('has too many operands');
  if (editor !== undefined && read.some((path) => !isSafeToChange(path, where)))
    return refuted('changes a file that can run code later, or all of the workspace');
  const walks = args.some(({ text }) => /^-\w*[rR]/.test(text) || text === '--recursive');
  const proof = provePaths(pathsOf(read, known), where, walks);
  return proof.ok ? { ...proof, changesFiles: editor !== undefined } : proof;
}

const isSafeToChange = (path: string, { folders, bounds }: Circumstances): boolean =>
  folders.every((folder) => {
    const real = realPathOf(path, folder);
    return (
      real !== null &&
      !bounds.roots.includes(real) &&
      !holdsProtected(path) &&
      !holdsProtected(relative(bounds.workspace, real))
    );
  });

function provePaths(paths: readonly string[], where: Circumstances, walks: boolean): Proof {
  const { folders, bounds } = where;
  const real: string[] = [];
  for (const path of paths) {
    for (const folder of folders) {
      const problem = pathProblem(path, folder, bounds);
      if (problem !== null) return refuted(problemText(path, problem));
      real.push(realPathOf(path, folder) ?? path);
    }
  }
  return { ...PROVEN, paths: real, walks };
}

/** One move to a folder inside, written so that no search path and no earlier link changes where it leads. */
function proveMove(args: readonly ShellWord[], { folders, bounds }: Circumstances): Proof {
  const [target, ...more] = args.map((word) => word.text);
  const [folder, ...others] = folders;
  if (target === undefined || more.length > 0 || target === '' || target.startsWith('-'))
    return refuted('needs exactly one folder');
  if (folder === undefined || others.length > 0) return refuted('moves a second time');
  const problem = pathProblem(target, folder, bounds);
  if (problem !== null) return refuted(problemText(target, problem));
  // The shell goes up from the name it came by, the system from where that leads.
  const below = target.replace(/^(\.\.(\/+|$))+/, '');
  if (/(^|\/)\.\.(\/|$)/.test(below)) return refuted('goes up in the middle of a path');
  return { ...PROVEN, movesTo: realPathOf(target, folder) };
}

/**
 * The operands, or the option that is not on the list. Some systems read no options behind the first operand
 * and others do; so what stands there has to pass as both.
 */
function operandsOf(args: readonly ShellWord[], program: Program): readonly string[] | string {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]?.text ?? '';
    if (arg === '--') return [...operands, ...args.slice(at + 1).map((word) => word.text)];
    const isOption = arg.startsWith('-') && arg !== '-';
    if (!isOption || operands.length > 0) operands.push(arg);
    if (!isOption || (program.count && /^-\d+$/.test(arg))) continue;
    const end = arg.startsWith('--') ? longEnd(arg, program) : clusterEnd(arg, program);
    if (end === 'unknown' || (end === 'wants-value' && at + 1 === args.length)) return arg;
    if (end === 'complete') continue;
    at += 1;
    if (operands.length > 0) operands.push(args[at]?.text ?? '');
  }
  return operands;
}

type OptionEnd = 'complete' | 'wants-value' | 'unknown';

function longEnd(arg: string, program: Program): OptionEnd {
  const equals = arg.indexOf('=');
  const name = equals < 0 ? arg : arg.slice(0, equals + 1);
  return program.long.includes(name) ? 'complete' : 'unknown';
}

function clusterEnd(arg: string, program: Program): OptionEnd {
  for (const [index, letter] of Array.from(arg).entries()) {
    if (index === 0 || program.flags.includes(letter)) continue;
    if (!program.values.includes(letter)) return 'unknown';
    return index === arg.length - 1 ? 'wants-value' : 'complete';
  }
  return 'complete';
}

function pathsOf(operands: readonly string[], program: Program): readonly string[] {
  if (program.operands === 'text') return [];
  const paths = program.operands === 'pattern-first' ? operands.slice(1) : operands;
  const named = paths.filter((path) => path !== '-');
  return named.length === 0 && program.defaultsToHere ? ['.'] : named;
}

const isWithin = (folder: string, { roots }: Bounds): boolean => {
  const real = realPathOf(folder, '/');
  return real !== null && roots.some((root) => isInside(real, root));
};

export type PathProblem = 'outside' | 'holds-home' | 'unknown';

/** Null: the path leads to something inside that may be read. */
export function pathProblem(path: string, folder: string, bounds: Bounds): PathProblem | null {
  const real = realPathOf(path, folder);
  if (real === null) return 'unknown';
  if (!bounds.roots.some((root) => isInside(real, root))) return 'outside';
  // A search through a folder above ouro's own would read it too.
  return isInside(bounds.ouroHome, real) ? 'holds-home' : null;
}

export function problemText(path: string, problem: PathProblem): string {
  switch (problem) {
    case 'outside':
      return `uses ${JSON.stringify(path)}, which is outside the workspace`;
    case 'holds-home':
      return `uses ${JSON.stringify(path)}, which holds ouro's own folder`;
    case 'unknown':
      return `uses ${JSON.stringify(path)}, and where that leads cannot be known`;
  }
}
