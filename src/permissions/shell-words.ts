/** Splits a shell command into words and joins, refusing whatever has a meaning beyond that. Linear time. */

export interface Word {
  readonly kind: 'word';
  /** Quotes removed. */
  readonly text: string;
  /** The shell will replace it: it has an unquoted pattern character or tilde, and no quotes. */
  readonly expands: boolean;
}
export type Token = Word | { readonly kind: 'join' };

type Tokens =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly why: string };

/** Tab and newline are text inside quotes and refused outside; every other one is refused everywhere. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
const JOIN = /&&|\|\||\|(?!&)/y;
/** The two redirections that touch no file: errors into the output, and output thrown away. */
const HARMLESS_REDIRECTION = /(?:2>&1|[12]?>[ \t]?\/dev\/null)(?=[ \t|&]|$)/y;

const REFUSED: Readonly<Record<string, string>> = {
  '\\': 'uses a backslash outside quotes',
  $: 'substitutes a variable or a command',
  '`': 'substitutes a command',
  '{': 'uses braces',
  '}': 'uses braces',
  '(': 'uses a subshell or defines a function',
  ')': 'uses a subshell or defines a function',
  ';': 'joins commands with ";"',
  '&': 'runs something in the background',
  '|': 'pipes errors with "|&"',
  '<': 'redirects input',
  '>': 'redirects output',
  '\n': 'has more than one line',
};

export function tokensOf(text: string): Tokens {
  if (CONTROL.test(text)) return { ok: false, why: 'contains control characters' };
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    const skipped = matchAt(HARMLESS_REDIRECTION, text, at);
    const join = matchAt(JOIN, text, at);
    if (character === ' ' || character === '\t') at += 1;
    else if (skipped > 0) at += skipped;
    else if (join > 0) {
      tokens.push({ kind: 'join' });
      at += join;
    } else if (character === '#') return { ok: false, why: 'contains a comment' };
    else {
      const word = wordAt(text, at);
      if ('why' in word) return { ok: false, why: word.why };
      tokens.push(word.word);
      at = word.end;
    }
  }
  return { ok: true, tokens };
}

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

type Refused = { readonly why: string };
type Piece = { readonly text: string; readonly end: number };

/** A word ends at a blank or a join. `at` is not a blank. */
function wordAt(text: string, at: number): { readonly word: Word; readonly end: number } | Refused {
  let read = '';
  let expands = false;
  let quoted = false;
  let end = at;
  while (end < text.length) {
    const character = text[end] ?? '';
    if (character === ' ' || character === '\t' || matchAt(JOIN, text, end) > 0) break;
    if (character === "'" || character === '"') {
      const piece = character === "'" ? singleQuoted(text, end) : doubleQuoted(text, end);
      if ('why' in piece) return piece;
      quoted = true;
      read += piece.text;
      end = piece.end;
      continue;
    }
    const why = REFUSED[character];
    if (why !== undefined) return { why };
    expands ||= isExpanded(character, text[end - 1], end === at);
    read += character;
    end += 1;
  }
  if (expands && quoted) return { why: 'mixes quotes and pattern characters in one word' };
  return { word: { kind: 'word', text: read, expands }, end };
}

/** A tilde counts where the shell may read it as a home folder: first, or after what could be an assignment. */
function isExpanded(character: string, before: string | undefined, first: boolean): boolean {
  if (character === '~') return first || before === '=' || before === ':';
  return character === '*' || character === '?' || character === '[';
}

function singleQuoted(text: string, at: number): Piece | Refused {
  const close = text.indexOf("'", at + 1);
  if (close < 0) return { why: 'has an unbalanced quote' };
  return { text: text.slice(at + 1, close), end: close + 1 };
}

function doubleQuoted(text: string, at: number): Piece | Refused {
  let read = '';
  for (let end = at + 1; end < text.length; end += 1) {
    const character = text[end] ?? '';
    if (character === '"') return { text: read, end: end + 1 };
    if (character === '$' || character === '`') return { why: REFUSED[character] ?? '' };
    if (character !== '\\') {
      read += character;
      continue;
    }
    const next = text[end + 1] ?? '';
    if (next === '\n') return { why: 'continues a line with a backslash' };
    // Before any other character the backslash itself is text.
    read += '"\\$`'.includes(next) && next !== '' ? next : `\\${next}`;
    end += 1;
  }
  return { why: 'has an unbalanced quote' };
}
