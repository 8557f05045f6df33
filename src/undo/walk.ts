/**
 * Everything that is in a workspace, but for what is not kept: folders of version control and of ouro itself,
 * and those that a program can make again and says so. Links are listed and never followed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NotCovered } from '../../messages/changes.js';
import { look, type Seen } from './file-state.js';

/** Not ours to change: what is in them belongs to git, and to ouro. */
const OTHERS_OWN: ReadonlyMap<string, string> = new Map([
  ['.git', 'version control looks after itself'],
  ['.ouro', "ouro's own"],
]);
/** Many files that an installation makes again. */
const MADE_AGAIN = new Set(['node_modules', '__pycache__']);
/** A file by which a folder says that it can be made again: a cache, a Python environment. */
const MARKERS = ['CACHEDIR.TAG', 'pyvenv.cfg'];
/** Stands for what was no text in a name. */
const NO_TEXT = '\uFFFD';

export interface Walked {
  readonly entries: ReadonlyMap<string, Seen>;
  readonly notCovered: readonly NotCovered[];
}

export interface WalkLimits {
  readonly maxEntries: number;
  /** A real path that is left out. */
  readonly leftOut: string;
}

/** Null: nothing speaks against keeping it. `path`: from the workspace. */
export function othersOwn(path: string): string | null {
  for (const part of path.split('/')) {
    const reason = OTHERS_OWN.get(part);
    if (reason !== undefined) return reason;
  }
  return null;
}

/** Null: there is more than the limit. Paths are from the workspace; a folder comes before what it holds. */
export function walk(workspace: string, { maxEntries, leftOut }: WalkLimits): Walked | null {
  const entries = new Map<string, Seen>();
  const notCovered: NotCovered[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const names = namesIn(join(workspace, folder));
    const refused = names === null ? 'it cannot be read' : reasonAgainst(folder, names);
    if (names === null || refused !== null) {
      notCovered.push({ place: folder === '' ? '.' : folder, reason: refused ?? '' });
      continue;
    }
    for (const name of names) {
      if (OTHERS_OWN.has(name)) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const absolute = `${workspace}/${path}`;
      if (absolute === leftOut) continue;
      if (name.includes(NO_TEXT)) notCovered.push({ place: path, reason: 'its name is no text' });
      const seen = look(absolute);
      if (seen === null) continue;
      if (entries.size >= maxEntries) return null;
      entries.set(path, seen);
      if (seen.kind === 'folder') folders.push(path);
    }
  }
  return { entries, notCovered };
}

function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    return null;
  }
}

function reasonAgainst(folder: string, names: readonly string[]): string | null {
  if (folder === '') return null;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  if (MADE_AGAIN.has(name)) return 'an installation makes it again';
  const marker = MARKERS.find((each) => names.includes(each));
  return marker === undefined ? null : `${marker} says that it can be made again`;
}
