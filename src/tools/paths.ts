/**
 * Where a path given by a model really leads, and whether tools may go there. A path is followed through
 * every symbolic link, and what does not exist yet through those of its nearest existing parent, before it
 * is compared with the workspace: names alone decide nothing.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { refused } from './outcomes.js';
import { codeOf, fileProblem } from './file-errors.js';
import { shown } from './shown.js';
import type { ToolOutcome } from '../../messages/tools.js';

export interface Boundary {
  /** Real path. */
  readonly workspace: string;
  /** Real path of the program's own home, closed to tools even inside of a workspace. */
  readonly ouroHome: string;
  /** Real paths of further folders, for reading and writing. */
  readonly addDirs?: readonly string[];
  /** Real paths of further folders, for reading alone. */
  readonly readDirs?: readonly string[];
}

/** A path that tools may use. */
export interface Target {
  /** As the model wrote it. */
  readonly given: string;
  /** Absolute, free of symbolic links. */
  readonly real: string;
  /** From the workspace to `real`; `.` for the workspace itself; outside of it the same as `real`. */
  readonly relative: string;
}

export type Resolved =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly outcome: ToolOutcome };

/** The limit of the kernel. */
const MAX_PATH = 4096;

/** The kernel's own folders hold secrets of processes and no work. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

/** The project's configuration decides what is allowed, so it is not for tools to write. */
const PROTECTED_FILE = join('.ouro', 'config.toml');

export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** The whole workspace as a target, for calls that name no path. */
export const workspaceTarget = ({ workspace }: Boundary): Target => ({
  given: '.',
  real: workspace,
  relative: '.',
});

export function resolveTarget(
  boundary: Boundary,
  given: string,
  access: 'read' | 'write',
): Resolved {
  const { workspace, ouroHome } = boundary;
  if (given.includes('\0')) return refuse('the path holds a NUL byte.');
  if (given.length > MAX_PATH) {
    return refuse(`the path has ${given.length} characters; at most ${MAX_PATH} are possible.`);
  }
  const located = realPathOf(resolve(workspace, given));
  if (!located.ok) return refuse(`'${shown(given)}' ${located.problem}`);
  const { real } = located;
  const root = rootsFor(boundary, access).find((folder) => isInside(folder, real));
  if (root === undefined) {
    const text = outsideText(boundary, given, access);
    return access === 'write' ? deny('outside-workspace', text) : refuse(text);
  }
  if (isInside(ouroHome, real) || KERNEL_FOLDERS.some((folder) => isInside(folder, real))) {
    return refuse(`'${shown(given)}' is closed to tools.`);
  }
  const target = { given, real, relative: nameFrom(workspace, real) };
  if (access === 'write' && relative(root, real).toLowerCase() === PROTECTED_FILE) {
    return refuse(`'${shown(given)}' is the project's configuration; only a person may change it.`);
  }
  return { ok: true, target };
}

/** The workspace first: a folder that holds it, or lies in it, changes nothing there. */
const rootsFor = (
  { workspace, addDirs = [], readDirs = [] }: Boundary,
  access: 'read' | 'write',
): readonly string[] => [workspace, ...addDirs, ...(access === 'read' ? readDirs : [])];

/** As a tool shows it and as rules name it. */
export const nameFrom = (workspace: string, real: string): string =>
  isInside(workspace, real) ? relative(workspace, real) || '.' : real;

export const isOpenForReading = (boundary: Boundary, real: string): boolean =>
  rootsFor(boundary, 'read').some((folder) => isInside(folder, real)) &&
  !isInside(boundary.ouroHome, real);

function outsideText(boundary: Boundary, given: string, access: 'read' | 'write'): string {
  const { workspace, readDirs = [] } = boundary;
  const more = rootsFor(boundary, access).slice(1);
  const what = more.length === 0 ? '' : ` and of ${more.map(shown).join(', ')}`;
  const readOnly =
    access === 'write' && readDirs.length > 0
      ? ' Some of what you can read is only for reading.'
      : '';
  return (
    `'${shown(given)}' is outside of the workspace ${shown(workspace)}${what}. ` +
    `Give a path relative to the workspace or an absolute path inside of it.${readOnly}`
  );
}

const refuse = (message: string): Resolved => ({ ok: false, outcome: refused(message) });

/** Work that was wanted and is not allowed, unlike a path that makes no sense. */
const deny = (rule: string, message: string): Resolved => ({
  ok: false,
  outcome: { status: 'denied', rule, text: `Error: ${message}` },
});

type Located =
  { readonly ok: true; readonly real: string } | { readonly ok: false; readonly problem: string };

/** The real path of something that need not exist. */
export function realPathOf(path: string): Located {
  const missing: string[] = [];
  let head = path;
  for (;;) {
    try {
      return { ok: true, real: join(realpathSync.native(head), ...missing) };
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return { ok: false, problem: fileProblem(error) };
    }
    if (leadsNowhere(head)) {
      return { ok: false, problem: 'is a symbolic link to something that does not exist.' };
    }
    missing.unshift(basename(head));
    head = dirname(head);
  }
}

const leadsNowhere = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
