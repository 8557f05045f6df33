/**
 * Takes any text apart the way a shell roughly would, also what the strict parser refuses: in modes that
 * allow everything, a few things stay forbidden and have to be found. Errs towards finding more. Linear time.
 */

export interface LooseCommand {
  /** Quotes removed; the first word that is no assignment is the program. */
  readonly words: readonly string[];
  /** Files behind redirections. */
  readonly targets: readonly string[];
}

const ENDS_COMMAND = '\n;&|()`';
const ENDS_WORD = ' \t\r';

export function looseCommands(source: string): readonly LooseCommand[] {
  return new LooseReader(source).read();
}

class LooseReader {
  readonly #text: string;
  /** A substitution inside double quotes runs, so then their text is read like any other. */
  readonly #looksIntoQuotes: boolean;
  readonly #commands: LooseCommand[] = [];
  #words: string[] = [];
  #targets: string[] = [];
  #word: string | null = null;
  #isTarget = false;
  #quoted = false;

  constructor(source: string) {
    this.#text = source.replace(/\\\n/g, '').replace(/\$(IFS\b|\{IFS[^}]{0,20}\})/g, ' ');
    this.#looksIntoQuotes = /\$\(|`/.test(this.#text);
  }

  read(): readonly LooseCommand[] {
    for (let at = 0; at < this.#text.length; at += 1) at = this.#step(at);
    this.#endCommand();
    return this.#commands;
  }

  /** Returns where the last character that it took stands. */
  #step(at: number): number {
    const character = this.#text[at] ?? '';
    const next = this.#text[at + 1] ?? '';
    if (this.#quoted && character !== '"') {
      const escaped = character === '\\' && '"\\$`'.includes(next);
      this.#add(escaped ? next : character);
      return escaped ? at + 1 : at;
    }
    if (character === '"') {
      if (!this.#looksIntoQuotes) this.#quoted = !this.#quoted;
      this.#add('');
    } else if (character === "'") return this.#single(at);
    else if (character === '\\') {
      this.#add(next);
      return at + 1;
    } else if (ENDS_COMMAND.includes(character)) this.#endCommand();
    else if (ENDS_WORD.includes(character)) this.#endWord();
    else if (character === '<' || character === '>') {
      this.#endWord();
      this.#isTarget = true;
    } else this.#add(character);
    return at;
  }

  #single(at: number): number {
    const close = this.#text.indexOf("'", at + 1);
    const end = close < 0 ? this.#text.length : close;
    this.#add(this.#text.slice(at + 1, end));
    return end;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #endWord(): void {
    if (this.#word === null) return;
    (this.#isTarget ? this.#targets : this.#words).push(this.#word);
    this.#word = null;
    this.#isTarget = false;
  }

  #endCommand(): void {
    this.#endWord();
    this.#isTarget = false;
    if (this.#words.length + this.#targets.length > 0)
      this.#commands.push({ words: this.#words, targets: this.#targets });
    this.#words = [];
    this.#targets = [];
  }
}
