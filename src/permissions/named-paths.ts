/**
 * The paths that a command names, as a program it starts could take them: whole words, values behind `=` or
 * `@` or an option letter, targets of redirections, with `~` and `$HOME` worked out, seen from each folder
 * the command may have moved to. For finding what must not be touched; errs towards finding more.
 */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import type { LooseCommand } from './loose-words.js';
import { realPathOf } from './real-path.js';

export interface NamedPath {
  /** The word it stands in, home folders worked out. */
  readonly word: string;
  readonly path: string;
  /** Where it leads; null: that cannot be known. */
  readonly real: string | null;
  /** A value inside of a word, which may be no path at all. */
  readonly isValue: boolean;
}

export function namedPaths(commands: readonly LooseCommand[], cwd: string): readonly NamedPath[] {
  const folders = new Folders(cwd);
  const found: NamedPath[] = [];
  const seen = new Set<string>();
  for (const { words, targets } of commands) {
    for (const written of [...words, ...targets]) {
      if (seen.has(written)) continue;
      seen.add(written);
      const word = withHomeFolder(written);
      for (const path of pathsIn(word))
        for (const real of folders.realPathsOf(path))
          found.push({ word, path, real, isValue: path !== word });
    }
    const moves = words[0] === 'cd' || words[0] === 'pushd';
    // What was harmless in the folders before may not be so in this one.
    if (moves && folders.add(withHomeFolder(words[1] ?? '~'))) seen.clear();
  }
  return found;
}

/** More moves than this in one command are noise, and each multiplies the paths to look up. */
const MAX_FOLDERS = 4;

/** The folders that a command may have moved to, each with the links in it; null: it cannot be listed. */
class Folders {
  readonly #known = new Map<string, ReadonlySet<string> | null>();

  constructor(cwd: string) {
    this.#known.set(cwd, linksIn(cwd));
  }

  /** Whether there is a new one. */
  add(target: string): boolean {
    const before = this.#known.size;
    for (const folder of [...this.#known.keys()]) {
      if (this.#known.size >= MAX_FOLDERS) break;
      const moved = realPathOf(target, folder);
      if (moved !== null && !this.#known.has(moved)) this.#known.set(moved, linksIn(moved));
    }
    return this.#known.size > before;
  }

  *realPathsOf(path: string): Generator<string | null> {
    const isName = !path.includes('/') && path !== '..' && path !== '.' && path !== '';
    // A name that is no link needs no look at the disk, and a command can have thousands.
    for (const [folder, links] of this.#known)
      yield isName && links?.has(path) === false && path.length <= MAX_NAME
        ? `${folder}/${path}`
        : realPathOf(path, folder);
  }
}

/** The system's own limit. */
const MAX_NAME = 255;

function linksIn(folder: string): ReadonlySet<string> | null {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return new Set(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? new Set() : null;
  }
}

/** Any user's tilde counts as ours: whose it is cannot be told from the text. */
const withHomeFolder = (word: string): string =>
  word
    .replace(
      /^(--?[\w-]+=|\w+=|@)?~[\w-]*(?=\/|$)/,
      (_, before: string | undefined) => (before ?? '') + homedir(),
    )
    .replace(/\$(HOME\b|\{HOME\})/g, () => homedir());

/** All of the word, a value behind `=` or `@`, `-Xvalue`. */
function pathsIn(word: string): readonly string[] {
  const paths = [word];
  const value = /[=@](.+)$/s.exec(word)?.[1];
  if (value !== undefined) paths.push(value);
  if (/^-[A-Za-z]./.test(word)) paths.push(word.slice(2));
  return paths;
}

/** Whether a path with wildcards can stand for this one or something below it. */
export function couldBecome(pattern: string, path: string): boolean {
  const wanted = path.split('/');
  const given = pattern.split('/');
  return (
    given.length >= wanted.length && wanted.every((name, index) => fits(given[index] ?? '', name))
  );
}

/** Longer than any file name, so it cannot stand for one. */
const MAX_PATTERN = 255;

function fits(pattern: string, name: string): boolean {
  if (!/[*?[{]/.test(pattern)) return pattern === name;
  // Sets and braces are not worked out; whatever they could say counts.
  if (/[[{]/.test(pattern)) return true;
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const source = pattern
    .replace(/\*+/g, '*')
    .replace(/[.+^${}()|\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '.');
  return pattern.length <= MAX_PATTERN && new RegExp(`^${source}$`, 's').test(name);
}
