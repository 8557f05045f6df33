/**
 * Reads one word of a shell command, by its own rules and not the parser's, so that two readings have to
 * agree on where it ends and what it says. Bash and POSIX sh agree on all that is accepted here.
 */
import type { ShellWord } from './shell-tree.js';

export interface WordReading {
  readonly ok: true;
  readonly word: ShellWord;
  readonly end: number;
  /** Where each `$(` in it begins. */
  readonly substitutions: readonly number[];
}
interface Refused {
  readonly ok: false;
  readonly why: string;
}

/** Where the `$(…)` that begins here ends; null: none is known to begin here. */
export type SubstitutionEnd = (at: number) => number | null;

const ENDS_WORD = ' \t\n;&|<>()';
/** A parameter by name or sign, whole or in braces; in braces with a plain default or alternative. */
const PARAMETER =
  /\$(?:[A-Za-z_]\w*|[\d@*#?$!-]|\{(?:#?[A-Za-z_]\w*|[\d@*#?!-])(?::?[-+][\w./:@%+, -]*)?\})/y;

export function readWord(
  source: string,
  at: number,
  substitutionEnd: SubstitutionEnd,
): WordReading | Refused {
  return new WordReader(source, at, substitutionEnd).read();
}

class WordReader {
  readonly #source: string;
  readonly #start: number;
  readonly #substitutionEnd: SubstitutionEnd;
  readonly #substitutions: number[] = [];
  #at: number;
  #text = '';
  #kind: ShellWord['kind'] = 'literal';
  #why: string | null = null;

  constructor(source: string, at: number, substitutionEnd: SubstitutionEnd) {
    this.#source = source;
    this.#start = at;
    this.#at = at;
    this.#substitutionEnd = substitutionEnd;
  }

  read(): WordReading | Refused {
    while (this.#why === null && this.#at < this.#source.length) {
      if (ENDS_WORD.includes(this.#character())) break;
      this.#step();
    }
    if (this.#why !== null) return { ok: false, why: this.#why };
    const written = this.#source.slice(this.#start, this.#at);
    // A bracket that nothing closes stands for itself; it is a program's name.
    if (written === '[') this.#kind = 'literal';
    const text = this.#kind === 'literal' ? this.#text : written;
    const word = { kind: this.#kind, text };
    return { ok: true, word, end: this.#at, substitutions: this.#substitutions };
  }

  #character = (offset = 0): string => this.#source[this.#at + offset] ?? '';

  #step(): void {
    const character = this.#character();
    if (character === "'") this.#single();
    else if (character === '"') this.#double();
    else if (character === '\\') this.#escaped();
    else if (character === '$') this.#dollar(false);
    else if (character === '`') this.#refuse(BACKTICKS);
    else if (character === '{' && this.#character(1) === '}') this.#keep('{}');
    else if (character === '{' || character === '}') this.#refuse('uses braces');
    else {
      if (this.#isReplaced(character) && this.#kind === 'literal') this.#kind = 'pattern';
      this.#keep(character);
    }
  }

  #keep(text: string): void {
    this.#text += text;
    this.#at += text.length;
  }

  #refuse(why: string): void {
    this.#why = why;
  }

  /** A tilde counts where the shell may read it as a home folder: first, or after what could be an assignment. */
  #isReplaced(character: string): boolean {
    if (character !== '~') return '*?['.includes(character);
    const before = this.#at === this.#start ? '' : this.#character(-1);
    return before === '' || before === '=' || before === ':';
  }

  #escaped(): void {
    const next = this.#character(1);
    if (next === '\n' || next === '') {
      this.#refuse(CONTINUED);
      return;
    }
    this.#text += next;
    this.#at += 2;
  }

  #single(): void {
    const close = this.#source.indexOf("'", this.#at + 1);
    if (close < 0) {
      this.#refuse(UNBALANCED);
      return;
    }
    this.#text += this.#source.slice(this.#at + 1, close);
    this.#at = close + 1;
  }

  #double(): void {
    this.#at += 1;
    while (this.#why === null) {
      const character = this.#character();
      if (character === '') this.#refuse(UNBALANCED);
      else if (character === '"') {
        this.#at += 1;
        return;
      } else if (character === '$') this.#dollar(true);
      else if (character === '`') this.#refuse(BACKTICKS);
      else if (character === '\\') this.#escapedInDouble();
      else this.#keep(character);
    }
  }

  #escapedInDouble(): void {
    const next = this.#character(1);
    if (next === '\n') {
      this.#refuse(CONTINUED);
      return;
    }
    // Before any other character the backslash itself is text.
    if (next === '' || !'"\\$`'.includes(next)) {
      this.#keep('\\');
      return;
    }
    this.#text += next;
    this.#at += 2;
  }

  #dollar(quoted: boolean): void {
    const next = this.#character(1);
    if (next === '' || ' \t\n'.includes(next) || (quoted && next === '"')) {
      this.#keep('$');
      return;
    }
    if (next === '(') {
      this.#substitution();
      return;
    }
    PARAMETER.lastIndex = this.#at;
    const parameter = PARAMETER.exec(this.#source)?.[0];
    if (parameter === undefined) {
      this.#refuse('uses a form of $ whose value cannot be known before it runs');
      return;
    }
    this.#kind = 'unknown';
    this.#keep(parameter);
  }

  #substitution(): void {
    const end = this.#substitutionEnd(this.#at);
    if (end === null || this.#source[end - 1] !== ')') {
      this.#refuse('computes a value, or substitutes in a way that cannot be read');
      return;
    }
    this.#kind = 'unknown';
    this.#substitutions.push(this.#at);
    this.#at = end;
  }
}

const BACKTICKS = 'substitutes with backticks; write $( ) instead';
const CONTINUED = 'continues a line inside a word';
const UNBALANCED = 'has an unbalanced quote';
