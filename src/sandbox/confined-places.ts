/**
 * The places of a command that is about to start, as the disk is at this moment: a repository may have been
 * made since the last one.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { CONFIG, GIT_NAMES, gitPlaces, HOOKS } from './git-folders.js';
import { exists, kindOf, realPath, type Ground } from './ground.js';
import { isInside, type Place, type Treatment } from './places.js';
import { RUNTIME_FOLDERS, secretPlaces } from './secret-places.js';

const OWN_FOLDER = '.ouro';

/** Needed to find names on the network, and only for that. */
const RESOLVER = ['/etc/resolv.conf', '/run/systemd/resolve'];

/** `temp`: under which name commands find their temporary folder. */
export function confinedPlaces(ground: Ground, temp: string): Place[] {
  const hidden = [...RUNTIME_FOLDERS, ground.ouroHome, ...secretPlaces(ground.home, ground.env)];
  return [
    { path: temp, source: ground.temp, treatment: 'temp', folder: true },
    ...ground.roots.flatMap((path) => place(path, 'writable')),
    ...ground.roots.flatMap((root) => closedFiles(ground, root)),
    ...hidden.flatMap((path) => hiddenPlace(path, ground.empty)),
    ...(ground.network ? RESOLVER.flatMap((path) => place(path, 'shown')) : []),
    ...ground.programFolders.flatMap(shownFolder),
  ];
}

function closedFiles({ roots }: Ground, root: string): Place[] {
  const { pointer, linked, folders } = gitPlaces(root);
  const named = [...folders, linked ?? []].flat().flatMap((folder) => inFolder(folder, GIT_NAMES));
  return [pointer ?? [], named, join(root, OWN_FOLDER)]
    .flat()
    .filter((path) => isWithin(roots, path))
    .flatMap((path) => place(path, 'protected'));
}

/**
 * Only what exists can be closed. So the hooks and the configuration of a repository and ouro's own folder
 * are made, empty, when they are missing, as git and ouro themselves would make them.
 */
export function makeClosable({ workspace, roots }: Ground): void {
  make(join(workspace, OWN_FOLDER), mkdirSync);
  const folders = roots.flatMap((root) => gitPlaces(root).folders);
  for (const folder of folders.filter((one) => isWithin(roots, one))) {
    make(join(folder, HOOKS), mkdirSync);
    make(join(folder, CONFIG), (path) => writeFileSync(path, '', { flag: 'wx' }));
  }
}

/** What cannot be made here cannot be made by the command either. */
function make(path: string, create: (path: string) => unknown): void {
  try {
    if (!exists(path)) create(path);
  } catch {
    return;
  }
}

const inFolder = (folder: string, names: readonly string[]): string[] =>
  names.map((name) => join(folder, name));

/** Outside of the folders that can be written nothing has to be closed. */
const isWithin = (roots: readonly string[], path: string): boolean =>
  roots.some((root) => isInside(root, path));

function place(path: string, treatment: Treatment): Place[] {
  const real = realPath(path);
  const kind = real === null ? null : kindOf(real);
  if (real === null || kind === null) return [];
  return [{ path: real, source: real, treatment, folder: kind === 'folder' }];
}

const hiddenPlace = (path: string, empty: string): Place[] =>
  place(path, 'hidden').map((one) => (one.folder ? one : { ...one, source: empty }));

/**
 * Some systems and version managers keep programs, or links to them, among the hidden runtime folders. The
 * command looks for them under the name in PATH, so that is where they are shown.
 */
function shownFolder(path: string): Place[] {
  const clean = normalize(path).replace(/\/$/, '');
  const real = realPath(clean);
  if (real === null || kindOf(real) !== 'folder') return [];
  return [{ path: clean, source: real, treatment: 'shown', folder: true }];
}
