/**
 * The terminal itself; the only file that imports blessed, which is used for the alternate screen, terminfo,
 * and drawing only the cells that changed. Promise: whatever way the process ends, short of SIGKILL, the
 * terminal is as it was before.
 *
 * Blessed's own widgets are not used: they count UTF-16 units where cells are meant, and so lose the end of
 * lines with rare characters. Nor are its keys: they break pastes and characters outside the basic plane.
 */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import blessed from 'blessed';
import { Canvas, type CellRow } from './terminal/canvas.js';
import { readKeys, type Input } from './terminal/key-input.js';
import type { Picture, Size } from './picture.js';

export type TerminalInput = Readable & {
  readonly isRaw?: boolean;
  setRawMode?(raw: boolean): unknown;
};
export type TerminalOutput = Writable & { readonly columns?: number; readonly rows?: number };

export interface ScreenOptions {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  /** The terminal's type, as in TERM. */
  readonly term: string;
  readonly colour: boolean;
}

export interface ScreenReports {
  onInput(input: Input): void;
  onResize(size: Size): void;
  /** The terminal is gone; said at most once. */
  onLost(): void;
}

export interface Screen {
  readonly size: Size;
  /** The terminal has not taken what was drawn before; drawing more would only pile up. */
  readonly busy: boolean;
  draw(picture: Picture): void;
  /** The next `draw` draws every cell. */
  forget(): void;
  /** Gives the terminal back for a while. */
  leave(): void;
  enter(): void;
  /** Gives it back for good. Harmless when done before. */
  close(): void;
}

/** Their own descriptions are right; everything else is taken for an xterm, which all others imitate. */
const KNOWN_AS_THEMSELVES = ['linux', 'vt100', 'vt220', 'dumb'];

const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';
/** Window titles are kept on a stack of the terminal's. */
const TITLE_KEEP = '\x1b[22;0t';
const TITLE_BACK = '\x1b[23;0t';

/** What the declared type of a blessed screen leaves out. */
interface Undeclared {
  readonly lines: readonly CellRow[];
  readonly program: { isAlt: boolean; readonly cursorHidden: boolean };
  enter(): void;
  leave(): void;
}

class BlessedScreen implements Screen {
  readonly #options: ScreenOptions;
  readonly #reports: ScreenReports;
  readonly #screen: blessed.Widgets.Screen;
  /** The same object. */
  readonly #inside: Undeclared;
  readonly #imitatesXterm: boolean;
  readonly #wasRaw: boolean;
  readonly #lost = (): void => this.#onLost();
  #stopKeys: (() => void) | null = null;
  #canvas: Canvas;
  #title = '';
  #state: 'shown' | 'left' | 'closed' = 'left';
  #isLost = false;

  constructor(options: ScreenOptions, reports: ScreenReports) {
    this.#options = options;
    this.#reports = reports;
    this.#wasRaw = options.input.isRaw ?? false;
    this.#imitatesXterm = !KNOWN_AS_THEMSELVES.includes(options.term);
    this.#watchStreams();
    this.#screen = this.#open();
    this.#inside = this.#screen as unknown as Undeclared;
    this.#canvas = new Canvas(this.size, options.colour);
    this.#takeInput();
  }

  get size(): Size {
    return { width: this.#screen.cols, height: this.#screen.rows };
  }

  get busy(): boolean {
    return this.#options.output.writableNeedDrain;
  }

  draw(picture: Picture): void {
    if (this.#state !== 'shown') return;
    this.#canvas.paint(picture.boxes);
    this.#canvas.copyTo(this.#inside.lines);
    this.#screen.draw(0, this.#inside.lines.length - 1);
    this.#showCursor(picture.cursor);
    if (this.#imitatesXterm && picture.title !== this.#title) {
      this.#title = picture.title;
      this.#screen.program.write(`\x1b]2;${picture.title}\x07`);
    }
  }

  forget(): void {
    this.#screen.alloc();
  }

  leave(): void {
    if (this.#state !== 'shown') return;
    this.#inside.leave();
    this.#releaseInput();
    this.#state = 'left';
  }

  enter(): void {
    if (this.#state === 'closed') return;
    // Whoever had the terminal meanwhile may have changed its modes: everything is set anew.
    this.#inside.program.isAlt = false;
    this.#releaseInput();
    this.#inside.enter();
    this.#title = '';
    this.#takeInput();
  }

  close(): void {
    if (this.#state !== 'closed') this.#screen.destroy();
  }

  #open(): blessed.Widgets.Screen {
    // Borders as characters: the alternate character set is drawn as letters by some terminals.
    process.env['NCURSES_NO_UTF8_ACS'] = '1';
    const screen = blessed.screen({
      // Keys are read here; blessed gets a stream that never says anything.
      input: new PassThrough(),
      output: this.#options.output,
      terminal: this.#imitatesXterm ? 'xterm-256color' : this.#options.term,
      fullUnicode: true,
      forceUnicode: true,
    } as unknown as blessed.Widgets.IScreenOptions);
    screen.on('resize', () => this.#onResize());
    // Also when blessed closes it by itself: at the exit of the process, or an exception nobody caught.
    screen.on('destroy', () => this.#onDestroyed());
    return screen;
  }

  #watchStreams(): void {
    const { input, output } = this.#options;
    for (const event of ['end', 'close', 'error']) input.on(event, this.#lost);
    for (const event of ['close', 'error']) output.on(event, this.#lost);
  }

  #onLost(): void {
    if (this.#isLost || this.#state === 'closed') return;
    this.#isLost = true;
    this.#reports.onLost();
  }

  #onResize(): void {
    this.#canvas = new Canvas(this.size, this.#options.colour);
    if (this.#state === 'shown') this.#reports.onResize(this.size);
  }

  #takeInput(): void {
    const { input, output } = this.#options;
    this.#setRaw(true);
    this.#stopKeys = readKeys(input, (key) => this.#reports.onInput(key));
    input.resume();
    output.write(this.#imitatesXterm ? PASTE_ON + TITLE_KEEP : '');
    this.#state = 'shown';
  }

  #releaseInput(): void {
    if (this.#stopKeys === null) return;
    const { input, output } = this.#options;
    this.#stopKeys();
    this.#stopKeys = null;
    if (this.#imitatesXterm && output.writable) output.write(PASTE_OFF + TITLE_BACK);
    this.#setRaw(this.#wasRaw);
    input.pause();
  }

  #setRaw(raw: boolean): void {
    try {
      this.#options.input.setRawMode?.(raw);
    } catch {
      // The terminal is gone; there is nothing left to restore.
    }
  }

  #onDestroyed(): void {
    if (this.#state === 'closed') return;
    this.#releaseInput();
    this.#state = 'closed';
    const { input, output } = this.#options;
    for (const event of ['end', 'close', 'error']) input.off(event, this.#lost);
    // A lost terminal still reports failed writes; unheard they would end the process.
    if (this.#isLost) return;
    for (const event of ['close', 'error']) output.off(event, this.#lost);
  }

  #showCursor(cursor: Picture['cursor']): void {
    const { program } = this.#screen;
    const { cursorHidden } = this.#inside.program;
    if (cursor !== null) program.cursorPos(cursor.y, cursor.x);
    if (cursor === null && !cursorHidden) program.hideCursor();
    if (cursor !== null && cursorHidden) program.showCursor();
  }
}

export const openScreen = (options: ScreenOptions, reports: ScreenReports): Screen =>
  new BlessedScreen(options, reports);
