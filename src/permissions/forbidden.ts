/**
 * What no mode and no rule allows a tool: to run `ouro`, which could approve, resume or stop its own session,
 * and to touch `$OURO_HOME`, where the journal, the keys and the control tokens lie. Found by reading the
 * command: a program that the command starts can still do it, which only a sandbox prevents.
 */
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { looseCommands, type LooseCommand } from './loose-words.js';
import { isInside, realPathOf } from './real-path.js';

export type Forbidden = 'forbidden:ouro' | 'forbidden:ouro-home' | 'forbidden:too-long';

export interface Home {
  /** As configured, and with links resolved. */
  readonly named: string;
  readonly real: string;
}

/** The system starts no program with a longer argument, so nothing is lost by not reading it. */
const MAX_BYTES = 128 * 1024;
/** `bash -c "bash -c …"` deeper than this serves no purpose but hiding. */
const MAX_DEPTH = 4;

const OURO = new Set(['ouro', 'ouro.js', 'ouro.cmd']);
const KEYWORDS = new Set('if then elif else do while until ! { time coproc'.split(' '));
/** Programs that start the one named in their arguments, or take a command as text. */
const STARTERS = new Set(
  'env command exec builtin nohup timeout nice ionice chrt taskset xargs sudo doas su runuser setsid stdbuf unbuffer time strace ltrace watch parallel flock script bash sh dash zsh ksh fish eval source . trap npx npm pnpm yarn bunx node bun deno tsx chroot unshare systemd-run busybox find fd'.split(
    ' ',
  ),
);

/** Null: nothing forbidden was found in the command. */
export function forbiddenInCommand(command: string, cwd: string, home: Home): Forbidden | null {
  if (Buffer.byteLength(command) > MAX_BYTES) return 'forbidden:too-long';
  const commands = looseCommands(command);
  if (commands.some((part) => runsOuro(part, 0))) return 'forbidden:ouro';
  return touchesHome(command, commands, cwd, home) ? 'forbidden:ouro-home' : null;
}

export function forbiddenPath(path: string, from: string, home: Home): Forbidden | null {
  return leadsHome(path, from, home) ? 'forbidden:ouro-home' : null;
}

function runsOuro({ words }: LooseCommand, depth: number): boolean {
  const start = words.findIndex((word) => !/^\w+\+?=/.test(word) && !KEYWORDS.has(word));
  const program = basename(words[start] ?? '');
  if (OURO.has(program)) return true;
  if (!STARTERS.has(program)) return false;
  const args = words.slice(start + 1);
  // The other arguments of a search are names to look for.
  const first =
    program === 'find' || program === 'fd'
      ? args.findIndex((arg) => /^-(exec|ok|x|X)/.test(arg))
      : 0;
  if (first < 0) return false;
  return args.slice(first).some((arg) => OURO.has(basename(arg)) || runsOuroAsText(arg, depth));
}

const runsOuroAsText = (text: string, depth: number): boolean =>
  depth < MAX_DEPTH &&
  /[\s;&|`(]/.test(text) &&
  looseCommands(text).some((part) => runsOuro(part, depth + 1));

function touchesHome(
  command: string,
  commands: readonly LooseCommand[],
  cwd: string,
  home: Home,
): boolean {
  if (/\$\{?[#!]?OURO_HOME\b/.test(command)) return true;
  const folders = new Set([cwd]);
  const seen = new Set<string>();
  for (const { words, targets } of commands) {
    for (const word of [...words, ...targets]) {
      if (seen.has(word)) continue;
      seen.add(word);
      const text = withHomeFolder(word);
      if (mentions(text, home.named) || mentions(text, home.real)) return true;
      for (const path of pathsIn(text))
        for (const folder of folders) if (leadsHome(path, folder, home)) return true;
    }
    if (words[0] === 'cd' || words[0] === 'pushd') {
      addFolder(folders, withHomeFolder(words[1] ?? '~'));
      // What was harmless in the folders before may not be so in this one.
      seen.clear();
    }
  }
  return false;
}

/** More moves than this in one command are noise, and each multiplies the paths to look up. */
const MAX_FOLDERS = 4;

function addFolder(folders: Set<string>, target: string): void {
  for (const folder of [...folders]) {
    const moved = realPathOf(target, folder);
    if (moved !== null && folders.size < MAX_FOLDERS) folders.add(moved);
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

/** The folder's whole name, not the beginning of a longer one. */
function mentions(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    if (!/[\w.-]/.test(text[at + folder.length] ?? '')) return true;
  }
  return false;
}

/** The parts of a word that a program may take for a path: all of it, a value behind `=` or `@`, `-Xvalue`. */
function pathsIn(word: string): readonly string[] {
  const paths = [word];
  const value = /[=@](.+)$/s.exec(word)?.[1];
  if (value !== undefined) paths.push(value);
  if (/^-[A-Za-z]./.test(word)) paths.push(word.slice(2));
  return paths;
}

function leadsHome(path: string, from: string, home: Home): boolean {
  const real = realPathOf(path, from);
  if (real === null) return false;
  if (isInside(real, home.real) || isInside(real, home.named)) return true;
  return /[*?[{]/.test(real) && [home.real, home.named].some((folder) => couldBecome(real, folder));
}

/** Whether a path with wildcards can stand for something in the folder. */
function couldBecome(pattern: string, folder: string): boolean {
  const wanted = folder.split('/');
  const given = pattern.split('/');
  return (
    given.length >= wanted.length && wanted.every((name, index) => fits(given[index] ?? '', name))
  );
}

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

/** Longer than any file name, so it cannot stand for one. */
const MAX_PATTERN = 255;
