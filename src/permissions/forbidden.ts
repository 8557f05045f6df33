/**
 * What no mode and no rule allows a tool: to run `ouro`, which could approve, resume or stop its own session,
 * and to touch `$OURO_HOME`, where the journal, the keys and the control tokens lie. Found by reading the
 * command: a program that the command starts can still do it, which only a sandbox prevents.
 */
import { basename } from 'node:path';
import type { LooseCommand } from './loose-words.js';
import { couldBecome, type NamedPath } from './named-paths.js';
import { isInside, realPathOf } from './real-path.js';
import { reachedCommands } from './starters.js';

export type Forbidden = 'forbidden:ouro' | 'forbidden:ouro-home' | 'forbidden:too-long';

export interface Home {
  /** As configured, and with links resolved. */
  readonly named: string;
  readonly real: string;
}

/** The system starts no program with a longer argument, so nothing is lost by not reading it. */
const MAX_BYTES = 128 * 1024;

const OURO = new Set(['ouro', 'ouro.js', 'ouro.cmd']);

export const isTooLong = (command: string): boolean => Buffer.byteLength(command) > MAX_BYTES;

/** Null: nothing forbidden was found in the command. */
export function forbiddenInCommand(
  command: string,
  commands: readonly LooseCommand[],
  named: readonly NamedPath[],
  home: Home,
): Forbidden | null {
  if (commands.some(runsOuro)) return 'forbidden:ouro';
  return touchesHome(command, named, home) ? 'forbidden:ouro-home' : null;
}

export function forbiddenPath(path: string, from: string, home: Home): Forbidden | null {
  return isOfHome(realPathOf(path, from), home) ? 'forbidden:ouro-home' : null;
}

function runsOuro({ words }: LooseCommand): boolean {
  for (const [program] of reachedCommands(words))
    if (OURO.has(basename(program ?? ''))) return true;
  return false;
}

function touchesHome(command: string, named: readonly NamedPath[], home: Home): boolean {
  if (/\$\{?[#!]?OURO_HOME\b/.test(command)) return true;
  return named.some(
    ({ word, real, isValue }) =>
      (!isValue && (mentions(word, home.named) || mentions(word, home.real))) ||
      isOfHome(real, home),
  );
}

/** The folder's whole name, not the beginning of a longer one. */
function mentions(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    if (!/[\w.-]/.test(text[at + folder.length] ?? '')) return true;
  }
  return false;
}

function isOfHome(real: string | null, home: Home): boolean {
  if (real === null) return false;
  if (isInside(real, home.real) || isInside(real, home.named)) return true;
  return /[*?[{]/.test(real) && [home.real, home.named].some((folder) => couldBecome(real, folder));
}
