/**
 * The text of a command and how far it has been read. Takes what stands between the parts (blanks, comments,
 * ends of lines, here-documents, keywords, operators) and remembers the first reason why it cannot be read.
 */
import type { HereDoc } from 'unbash';
import { HereDocuments } from './here-document.js';

export const UNCERTAIN = 'cannot be read with certainty';

/** A continued line counts only behind a blank: elsewhere it could join two words. */
const BLANKS = /(?:[ \t](?:[ \t]|\\\n)*)?/y;
const COMMENT = /#[^\n]*/y;

export class ShellText {
  readonly source: string;
  readonly #isSubstituted: boolean;
  readonly #documents = new HereDocuments();
  at = 0;
  why: string | null = null;

  /** In a substitution, what could hide the end of it is refused. */
  constructor(source: string, isSubstituted: boolean) {
    this.source = source;
    this.#isSubstituted = isSubstituted;
  }

  /** The first reason is the one that is told. */
  refuse(why: string): void {
    this.why ??= why;
  }

  blanks(): void {
    this.#skip(BLANKS);
  }

  /** Blanks, ends of lines, comments, and the here-documents that begin behind an end of line. */
  lines(): void {
    for (;;) {
      this.blanks();
      if (this.source[this.at] === '#') {
        if (this.#isSubstituted) this.refuse('has a comment in a substitution');
        this.#skip(COMMENT);
      }
      if (this.source[this.at] !== '\n') return;
      this.at += 1;
      const behind = this.#documents.take(this.source, this.at);
      if (typeof behind === 'string') {
        this.refuse(behind);
        return;
      }
      this.at = behind;
    }
  }

  /** A keyword has to end where it ends. */
  take(text: string): void {
    const next = this.source[this.at + text.length] ?? '';
    const isWhole = !/\w$/.test(text) || !/[\w-]/.test(next);
    if (isWhole && this.source.startsWith(text, this.at)) this.at += text.length;
    else this.refuse(UNCERTAIN);
  }

  keyword(text: string): void {
    this.lines();
    this.take(text);
  }

  /** Whether there was one. */
  semicolon(): boolean {
    if (this.source[this.at] !== ';') return false;
    this.at += 1;
    return true;
  }

  /** Two statements need something between them. */
  separator(isLast: boolean): void {
    const endsLine = '\n#'.includes(this.source[this.at] ?? ' ');
    if (!this.semicolon() && !isLast && !endsLine) this.refuse(UNCERTAIN);
  }

  /** Reads the delimiter of a here-document; its text follows behind the line. */
  announce(item: HereDoc): void {
    if (this.#isSubstituted) this.refuse('has a here-document in a substitution');
    const end = this.#documents.announce(item, this.source, this.at);
    if (typeof end === 'string') this.refuse(end);
    else this.at = end;
  }

  /** Nothing may be left. */
  end(): void {
    if (this.at !== this.source.length || this.#documents.areWaiting) this.refuse(UNCERTAIN);
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.source)?.[0].length ?? 0;
  }
}
