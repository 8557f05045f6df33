/**
 * The here-documents of a command. They stand behind the line that announces them, away from the command
 * they belong to; one at a time, and only those whose text is text.
 */
import type { HereDoc } from 'unbash';

interface Announced {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly stripsTabs: boolean;
  readonly closingEnd: number;
}

const UNCERTAIN = 'has a here-document that cannot be read with certainty';
const DELIMITER = /(?:'(\w+)'|"(\w+)"|(\w+))(?=[ \t\n;&|<>)]|$)/y;

export class HereDocuments {
  #waiting: Announced | null = null;

  get areWaiting(): boolean {
    return this.#waiting !== null;
  }

  /** Reads the delimiter at `at`. The position behind it, or why it is refused. */
  announce(item: HereDoc, source: string, at: number): number | string {
    DELIMITER.lastIndex = at;
    const match = DELIMITER.exec(source);
    const delimiter = match?.[1] ?? match?.[2] ?? match?.[3];
    const { closing } = item;
    if (match === null || delimiter === undefined || closing === undefined) return UNCERTAIN;
    const quoted = match[3] === undefined;
    if (delimiter !== item.delimiter?.value || quoted !== item.delimiter.quoted) return UNCERTAIN;
    if (this.#waiting !== null) return 'has two here-documents on one line';
    const stripsTabs = item.operator === '<<-';
    this.#waiting = { delimiter, quoted, stripsTabs, closingEnd: closing.end };
    return at + match[0].length;
  }

  /** `at` begins a line. The position behind what was announced, or why it is refused. */
  take(source: string, at: number): number | string {
    const announced = this.#waiting;
    if (announced === null) return at;
    this.#waiting = null;
    for (let start = at; start <= source.length;) {
      const newline = source.indexOf('\n', start);
      const end = newline < 0 ? source.length : newline;
      const line = source.slice(start, end);
      if ((announced.stripsTabs ? line.replace(/^\t+/, '') : line) === announced.delimiter)
        return this.#checked(announced, source.slice(at, start), end);
      start = end + 1;
    }
    return 'has a here-document without an end';
  }

  #checked({ quoted, closingEnd }: Announced, body: string, end: number): number | string {
    // Some count the end of its last line to it.
    if (closingEnd !== end && closingEnd !== end + 1) return UNCERTAIN;
    if (!quoted && /[$`\\]/.test(body))
      return 'substitutes in a here-document; put quotes around its delimiter to make it text';
    return end;
  }
}
