/**
 * Reads a shell command only as far as its meaning is certain: plain commands joined by `|`, `&&` and `||`.
 * Everything else the shell could do with a text (substitute, redirect, assign, define, expand braces, run in
 * the background) makes it unproven. Bash and POSIX sh agree on all that is accepted here.
 */
import { tokensOf, type Token, type Word } from './shell-words.js';

export interface PlainCommand {
  readonly words: readonly Word[];
  /** The command in one fixed spelling: single spaces, quotes only where needed. Rules are matched on it. */
  readonly text: string;
}

type Parsed =
  | { readonly ok: true; readonly commands: readonly PlainCommand[] }
  /** `why` completes "this cannot be judged because it …". */
  | { readonly ok: false; readonly why: string };

/** Longer commands are programs; they belong into a file, where they can be read. */
const MAX_COMMAND_BYTES = 64 * 1024;
/** A person checks that many parts at a glance, and a model needs no more. */
const MAX_PARTS = 32;
/** Each of them may have to be looked up on the disk, while an agent waits. */
const MAX_WORDS = 1000;

const RESERVED = new Set(
  'if then elif else fi time for in until while do done case esac coproc select function [[ ]] !'.split(
    ' ',
  ),
);
const ASSIGNMENT = /^[A-Za-z_]\w*(\[.*\])?\+?=/s;

export function parsePlainCommands(text: string): Parsed {
  if (Buffer.byteLength(text) > MAX_COMMAND_BYTES)
    return { ok: false, why: `is longer than ${MAX_COMMAND_BYTES / 1024} KB` };
  const tokens = tokensOf(text);
  if (!tokens.ok) return tokens;
  if (tokens.tokens.length > MAX_WORDS)
    return { ok: false, why: `has more than ${MAX_WORDS} words` };
  const parts = split(tokens.tokens);
  if (parts.length > MAX_PARTS) return { ok: false, why: `has more than ${MAX_PARTS} parts` };
  const commands: PlainCommand[] = [];
  for (const words of parts) {
    const why = objectionTo(words);
    if (why !== null) return { ok: false, why };
    commands.push({ words, text: words.map(spelled).join(' ') });
  }
  return { ok: true, commands };
}

function split(tokens: readonly Token[]): readonly (readonly Word[])[] {
  const parts: Word[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'join') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function objectionTo(words: readonly Word[]): string | null {
  const program = words[0];
  if (program === undefined) return 'has an empty part';
  if (program.text === '') return 'runs a program without a name';
  if (program.expands) return 'leaves the name of the program to the shell';
  if (RESERVED.has(program.text)) return `uses the shell keyword ${program.text}`;
  if (ASSIGNMENT.test(program.text)) return 'assigns a variable';
  return null;
}

const NEEDS_QUOTES = /[\s'"\\$`|&;<>(){}*?[\]#~!]/;

function spelled(word: Word): string {
  if (word.expands || (word.text !== '' && !NEEDS_QUOTES.test(word.text))) return word.text;
  return `'${word.text.replaceAll("'", `'\\''`)}'`;
}
