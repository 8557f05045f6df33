/**
 * Proves that a plain command changes nothing and reads only inside the workspace: a program that has no way
 * to write or to start another, options from a list, and paths that stay inside after links are resolved.
 * What is not on the lists is not proven.
 */
import type { PlainCommand } from './plain-command.js';
import { OPTIONLESS_TEXT, PROGRAMS, type Program } from './read-only-programs.js';
import { isInside, realPathOf } from './real-path.js';
import type { Word } from './shell-words.js';

export interface Bounds {
  /** Real paths. */
  readonly workspace: string;
  readonly ouroHome: string;
}

type Proof =
  | { readonly ok: true; readonly movesTo: string | null }
  /** `why` completes "NAME …". */
  | { readonly ok: false; readonly why: string };

const PROVEN: Proof = { ok: true, movesTo: null };
const refuted = (why: string): Proof => ({ ok: false, why });

/** `folders`: every folder that the command could run in, depending on how the ones before it end; none: unknown. */
export function proveReadOnly(
  command: PlainCommand,
  folders: readonly string[],
  bounds: Bounds,
): Proof {
  const [program, ...args] = command.words;
  const name = program?.text ?? '';
  if (args.some((word) => word.expands))
    return refuted('has names with wildcards or a tilde, which the shell replaces');
  if (folders.length === 0) return refuted('follows a command that changes the shell itself');
  if (folders.some((folder) => !isWithin(folder, bounds)))
    return refuted('runs outside the workspace');
  if (OPTIONLESS_TEXT.has(name)) return PROVEN;
  if (name === 'cd') return proveMove(args, folders, bounds);
  const known = PROGRAMS.get(name);
  if (known === undefined) return refuted('is not on the list of commands that only read');
  const read = operandsOf(args, known);
  if (typeof read === 'string')
    return refuted(`has an option (${read}) that is not known to only read`);
  const paths = pathsOf(read, known);
  for (const path of paths) {
    const problem = worstProblem(path, folders, bounds);
    if (problem !== null) return refuted(problemText(path, problem));
  }
  return PROVEN;
}

/** One move to a folder inside, written so that no search path and no earlier link changes where it leads. */
function proveMove(args: readonly Word[], folders: readonly string[], bounds: Bounds): Proof {
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
  return { ok: true, movesTo: realPathOf(target, folder) };
}

/**
 * The operands, or the option that is not on the list. Some systems read no options behind the first operand
 * and others do; so what stands there has to pass as both.
 */
function operandsOf(args: readonly Word[], program: Program): readonly string[] | string {
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

function isWithin(folder: string, bounds: Bounds): boolean {
  const real = realPathOf(folder, '/');
  return real !== null && isInside(real, bounds.workspace);
}

type PathProblem = 'outside' | 'holds-home' | 'unknown';

function worstProblem(
  path: string,
  folders: readonly string[],
  bounds: Bounds,
): PathProblem | null {
  for (const folder of folders) {
    const problem = pathProblem(path, folder, bounds);
    if (problem !== null) return problem;
  }
  return null;
}

function pathProblem(path: string, folder: string, bounds: Bounds): PathProblem | null {
  const real = realPathOf(path, folder);
  if (real === null) return 'unknown';
  if (!isInside(real, bounds.workspace)) return 'outside';
  // A search through a folder above ouro's own would read it too.
  return isInside(bounds.ouroHome, real) ? 'holds-home' : null;
}

function problemText(path: string, problem: PathProblem): string {
  switch (problem) {
    case 'outside':
      return `reads ${JSON.stringify(path)}, which is outside the workspace`;
    case 'holds-home':
      return `reads ${JSON.stringify(path)}, which holds ouro's own folder`;
    case 'unknown':
      return `reads ${JSON.stringify(path)}, and where that leads cannot be known`;
  }
}
