/**
 * Bytes from the terminal, as keys and pastes. A paste is one event however long it is, so that pasted text
 * can never be taken for commands.
 */
import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';

export type Input =
  /** `name` as in the key table; `text` is what a text field would insert, empty for other keys. */
  | { readonly type: 'key'; readonly name: string; readonly text: string }
  | { readonly type: 'paste'; readonly text: string };

/** How long an ESC waits for the rest of a key: terminals send a key's bytes at once, links may split them. */
const ESCAPE_WAIT_MS = 50;
/** Longer pastes are cut: what a person says to an agent is sent in one line of the control protocol. */
export const PASTE_LIMIT = 100_000;

const NAMES: Readonly<Record<string, string>> = { return: 'enter' };

/** `C-c`, `M-enter`, `S-tab`, `pageup`; a printable character is its own name. Null: no key we know. */
function nameOf(text: string | undefined, key: Key): string | null {
  const printable = text !== undefined && key.ctrl !== true && key.meta !== true && text >= ' ';
  if (printable && text !== '\x7f') return text === ' ' ? 'space' : text;
  if (key.name === undefined || key.name === 'undefined') return null;
  // A lone ESC is reported as the meta form of itself.
  if (key.name === 'escape') return 'escape';
  const ctrl = key.ctrl === true ? 'C-' : '';
  const meta = key.meta === true ? 'M-' : '';
  const shift = key.shift === true ? 'S-' : '';
  return ctrl + meta + shift + (NAMES[key.name] ?? key.name);
}

class KeyReader {
  readonly #report: (input: Input) => void;
  #paste: string | null = null;

  constructor(report: (input: Input) => void) {
    this.#report = report;
  }

  onKey(text: string | undefined, key: Key): void {
    if (key.name === 'paste-start') this.#paste = '';
    else if (key.name === 'paste-end') this.#endPaste();
    else if (this.#paste !== null) this.#collect(key.sequence ?? '');
    else this.#key(text, key);
  }

  #key(text: string | undefined, key: Key): void {
    const name = nameOf(text, key);
    if (name === null) return;
    const typed = text !== undefined && (name === text || name === 'space') ? text : '';
    this.#report({ type: 'key', name, text: typed });
    // ESC pressed twice quickly comes as one key.
    if (key.sequence === '\x1b\x1b') this.#report({ type: 'key', name, text: typed });
  }

  #collect(sequence: string): void {
    if (this.#paste !== null && this.#paste.length < PASTE_LIMIT) this.#paste += sequence;
  }

  #endPaste(): void {
    const text = (this.#paste ?? '').slice(0, PASTE_LIMIT).replace(/\r\n?/g, '\n');
    this.#paste = null;
    if (text !== '') this.#report({ type: 'paste', text });
  }
}

/** Reports until the returned function is called. */
export function readKeys(source: Readable, report: (input: Input) => void): () => void {
  const bytes = new PassThrough();
  const reader = new KeyReader(report);
  // The one setting that counts here is not in the declared type of the parameter.
  const settings = { escapeCodeTimeout: ESCAPE_WAIT_MS } as unknown as Interface;
  emitKeypressEvents(bytes, settings);
  bytes.on('keypress', (text: string | undefined, key: Key) => reader.onKey(text, key));
  const forward = (chunk: Buffer): void => void bytes.write(chunk);
  source.on('data', forward);
  return () => {
    source.off('data', forward);
    bytes.destroy();
  };
}
