/**
 * What a person calls a session: a name and tags, in its own folder, so that they outlive the index. They may
 * be given while it runs. A tag is an empty file of that name: two that are given at once are both kept.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../messages/ids.js';
import { writeFileAtomic } from './atomic-file.js';
import { sessionDir } from './layout.js';

/** Names of files on every system; what else people write is refused rather than changed. */
const TAG = /^[a-z0-9][a-z0-9._-]{0,39}$/;

export const TAG_FORM = 'small letters, digits, dots, dashes and underlines, 40 at most';

export const isTag = (text: string): boolean => TAG.test(text);

const tagsDir = (home: string, id: SessionId): string => join(sessionDir(home, id), 'tags');
const nameFile = (home: string, id: SessionId): string => join(sessionDir(home, id), 'name');

/** In alphabetical order. */
export function tagsOf(home: string, id: SessionId): readonly string[] {
  const dir = tagsDir(home, id);
  return existsSync(dir) ? readdirSync(dir).filter(isTag).sort() : [];
}

/** False: it had it. The session's folder must be there. */
export function addTag(home: string, id: SessionId, tag: string): boolean {
  const file = join(tagsDir(home, id), tag);
  if (existsSync(file)) return false;
  mkdirSync(tagsDir(home, id), { recursive: true, mode: 0o700 });
  writeFileAtomic(file, '');
  return true;
}

/** False: it did not have it. */
export function removeTag(home: string, id: SessionId, tag: string): boolean {
  const file = join(tagsDir(home, id), tag);
  if (!existsSync(file)) return false;
  rmSync(file, { force: true });
  return true;
}

/** Null: nobody gave it another name than it was started with. */
export function givenName(home: string, id: SessionId): string | null {
  const file = nameFile(home, id);
  if (!existsSync(file)) return null;
  const name = readFileSync(file, 'utf8').trim();
  return name === '' ? null : name;
}

export function giveName(home: string, id: SessionId, name: string): void {
  writeFileAtomic(nameFile(home, id), `${name}\n`);
}
