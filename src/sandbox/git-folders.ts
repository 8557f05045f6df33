/**
 * Where git keeps what it runs and obeys: the folders behind a workspace's `.git`, also when that is a file
 * that names another place, as in a linked worktree and in a submodule, and those of its submodules.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { exists, kindOf, realPath } from './ground.js';

/** Names in a git folder that decide what git runs, or where it looks for what decides it. */
export const HOOKS = 'hooks';
export const CONFIG = 'config';
export const GIT_NAMES = [HOOKS, CONFIG, 'config.worktree', 'commondir'] as const;

/** Submodules of submodules, and names with slashes: nobody has as many. */
const MAX_DEPTH = 8;

/** Looked at before each command, and each takes a few mounts. */
const MAX_REPOSITORIES = 500;

/** All are real paths. */
export interface GitPlaces {
  /** A file that says where the git folder is. */
  readonly pointer: string | null;
  /** What a linked worktree has for itself: git reads neither hooks nor configuration there. */
  readonly linked: string | null;
  /** With hooks and a configuration. */
  readonly folders: readonly string[];
}

const NOTHING: GitPlaces = { pointer: null, linked: null, folders: [] };

export function gitPlaces(root: string): GitPlaces {
  const path = join(root, '.git');
  const kind = kindOf(path);
  // The folder may itself be a repository without files.
  if (kind === null) return isGitFolder(root) ? withSubmodules(root) : NOTHING;
  if (kind === 'folder') return withSubmodules(realPath(path));
  const pointer = realPath(path);
  const target = pointer === null ? null : pointedAt(pointer);
  const common = target === null ? null : commonFolder(target);
  return { ...withSubmodules(common ?? target), pointer, linked: common === null ? null : target };
}

function withSubmodules(folder: string | null): GitPlaces {
  if (folder === null) return NOTHING;
  const folders = [folder];
  collect(join(folder, 'modules'), MAX_DEPTH, folders);
  return { ...NOTHING, folders };
}

function pointedAt(pointer: string): string | null {
  const target = /^gitdir: (.+)$/m.exec(textOf(pointer))?.[1];
  return target === undefined ? null : realPath(resolve(dirname(pointer), target));
}

function commonFolder(folder: string): string | null {
  const target = textOf(join(folder, 'commondir')).trim();
  return target === '' ? null : realPath(resolve(folder, target));
}

function collect(folder: string, depth: number, found: string[]): void {
  for (const path of depth > 0 ? foldersIn(folder) : []) {
    if (found.length >= MAX_REPOSITORIES) return;
    const isOne = isGitFolder(path);
    if (isOne) found.push(path);
    collect(isOne ? join(path, 'modules') : path, depth - 1, found);
  }
}

/** Told by what a command cannot take away from a folder that was protected before. */
const isGitFolder = (path: string): boolean =>
  exists(join(path, CONFIG)) && (exists(join(path, HOOKS)) || exists(join(path, 'objects')));

function foldersIn(path: string): string[] {
  if (!exists(path)) return [];
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  if (!exists(path)) return '';
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
