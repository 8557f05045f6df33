/**
 * The folders beside the workspace that a session may use: settled when it starts, as real paths, and looked
 * at again each time it is opened, since whoever can write beside such a folder can put a link in its place.
 */
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../config/home.js';
import type { SessionSpec } from '../messages/session.js';
import { isInside } from './tools/paths.js';

export interface FolderPlace {
  readonly workspace: string;
  /** `$OURO_HOME`. */
  readonly home: string;
  readonly env: Environment;
}

export type FoundFolders =
  | { readonly ok: true; readonly folders: readonly string[] }
  /** A whole sentence that names the folder. */
  | { readonly ok: false; readonly reason: string };

/** The kernel's own: secrets of processes, devices, and no work. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

/** Real paths; those that the workspace holds already are left out. Relative ones start at the workspace. */
export function findFolders(given: readonly string[], place: FolderPlace): FoundFolders {
  const user = place.env['HOME'] ?? homedir();
  const found = new Set<string>();
  for (const name of given) {
    const inHome = name === '~' || name.startsWith('~/');
    const path = inHome ? join(user, name.slice(1)) : resolve(place.workspace, name);
    const real = realFolder(path);
    if (real === null) return { ok: false, reason: `The folder ${path} does not exist.` };
    const danger = dangerOf(real, user, place.home);
    if (danger !== null)
      return { ok: false, reason: `The folder ${path} is ${danger}, which tools may not use.` };
    if (!isInside(place.workspace, real)) found.add(real);
  }
  return { ok: true, folders: [...found] };
}

function dangerOf(folder: string, user: string, home: string): string | null {
  if (folder === '/') return 'the root of the file system';
  if (KERNEL_FOLDERS.some((kernel) => isInside(kernel, folder))) return "one of the kernel's own";
  if (isInside(folder, realOf(user))) return 'your home folder, or holds it';
  const own = realOf(home);
  if (isInside(folder, own)) return 'the folder that holds the sessions of ouro';
  return isInside(own, folder) ? "inside ouro's own folder" : null;
}

export interface SessionFolders {
  readonly addDirs: readonly string[];
  readonly readDirs: readonly string[];
  /** About those that cannot be used any more. */
  readonly warnings: readonly string[];
}

/** What is left of the folders that a session was given. */
export function usableFolders({ addDirs = [], readDirs = [] }: SessionSpec): SessionFolders {
  const isThere = (folder: string): boolean => realFolder(folder) === folder;
  const gone = [...addDirs, ...readDirs].filter((folder) => !isThere(folder));
  return {
    addDirs: addDirs.filter(isThere),
    readDirs: readDirs.filter(isThere),
    warnings: gone.map(
      (folder) =>
        `${folder} is no longer the folder that the session was given, and is closed to its tools.`,
    ),
  };
}

/** For the end of a system prompt; empty where there are none. */
export function foldersText({ addDirs = [], readDirs = [] }: SessionSpec): string {
  const parts = [
    ...(addDirs.length === 0 ? [] : [`read and write in ${listed(addDirs)}`]),
    ...(readDirs.length === 0 ? [] : [`read, but not write, in ${listed(readDirs)}`]),
  ];
  const where = 'Give absolute paths there.';
  return parts.length === 0
    ? ''
    : `\n\nBeside the workspace you may ${parts.join(', and ')}. ${where}`;
}

const listed = (folders: readonly string[]): string =>
  folders.map((folder) => `\`${folder}\``).join(', ');

/** Null: it is not there, or no folder. */
function realFolder(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
