/**
 * Boxes of styled lines, laid out cell by cell. Promise: no character reaches beyond its box, a character of
 * two cells is either there whole or not at all, and no control character gets through, so that a grid row is
 * exactly as wide as the terminal shows it.
 */
import type { Box, Colour, Frame, Line, Rect, Size, Style } from '../picture.js';
import { displayWidth } from '../text/sanitise.js';

/** Follows a character of two cells: the terminal has moved past it already. */
export const FILLER = '';

/** The screen library's form of a cell: attribute bits and a character. */
export type Cell = [attribute: number, character: string];
export type CellRow = Cell[] & { dirty?: boolean };

const COLOURS: Readonly<Record<Colour, number>> = {
  red: 1,
  green: 2,
  yellow: 3,
  blue: 4,
  magenta: 5,
  cyan: 6,
  grey: 8,
};
/** Bits of a cell: 9 of background, 9 of foreground, then flags. */
const DEFAULT_COLOUR = 0x1ff;
const BOLD = 1 << 18;
const INVERSE = 8 << 18;
const DEFAULT_ATTRIBUTE = (DEFAULT_COLOUR << 9) | DEFAULT_COLOUR;

/** Below it every printable character takes one cell. */
const FIRST_WIDE = 0x1100;

function attributeOf(style: Style, colour: boolean): number {
  const fg = colour && style.fg !== undefined ? COLOURS[style.fg] : DEFAULT_COLOUR;
  const flags = (style.bold === true ? BOLD : 0) | (style.inverse === true ? INVERSE : 0);
  return flags | (fg << 9) | DEFAULT_COLOUR;
}

function widthOf(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  return code < FIRST_WIDE ? 1 : displayWidth(char);
}

const isControl = (char: string): boolean => char < ' ' || (char >= '\x7f' && char <= '\x9f');

export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #attributes: Int32Array;
  readonly #characters: string[];
  readonly #colour: boolean;

  constructor(size: Size, colour: boolean) {
    this.width = size.width;
    this.height = size.height;
    this.#attributes = new Int32Array(size.width * size.height);
    this.#characters = new Array<string>(size.width * size.height).fill(' ');
    this.#colour = colour;
  }

  /** Replaces everything that was there. */
  paint(boxes: readonly Box[]): void {
    this.#attributes.fill(DEFAULT_ATTRIBUTE);
    this.#characters.fill(' ');
    for (const box of boxes) this.#paintBox(box);
  }

  /** Changes only the cells that differ, and marks the rows that hold any. */
  copyTo(rows: readonly CellRow[]): void {
    for (let y = 0; y < Math.min(this.height, rows.length); y += 1) {
      const row = rows[y] ?? [];
      for (let x = 0; x < Math.min(this.width, row.length); x += 1) {
        const cell = row[x];
        const at = y * this.width + x;
        const attribute = this.#attributes[at] ?? DEFAULT_ATTRIBUTE;
        const character = this.#characters[at] ?? ' ';
        if (cell === undefined || (cell[0] === attribute && cell[1] === character)) continue;
        cell[0] = attribute;
        cell[1] = character;
        row.dirty = true;
      }
    }
  }

  /** The characters of a row, for tests and for copying. */
  text(y: number): string {
    return this.#characters.slice(y * this.width, (y + 1) * this.width).join('');
  }

  #paintBox({ rect, frame, lines }: Box): void {
    const inset = frame === null ? 0 : 1;
    if (frame !== null) this.#paintFrame(rect, frame);
    const right = rect.left + rect.width - inset;
    for (let row = 0; row < rect.height - 2 * inset; row += 1) {
      this.#paintLine(lines[row] ?? [], rect.left + inset, right, rect.top + inset + row);
    }
  }

  #paintFrame(rect: Rect, frame: Frame): void {
    const style: Style = frame.focused ? { fg: 'cyan', bold: true } : { fg: 'grey' };
    const right = rect.left + rect.width;
    const bottom = rect.top + rect.height - 1;
    const bar = '─'.repeat(Math.max(0, rect.width - 2));
    this.#paintLine([{ text: `┌${bar}┐`, style }], rect.left, right, rect.top);
    this.#paintLine([{ text: `└${bar}┘`, style }], rect.left, right, bottom);
    for (let y = rect.top + 1; y < bottom; y += 1) {
      this.#put(rect.left, y, '│', attributeOf(style, this.#colour));
      this.#put(right - 1, y, '│', attributeOf(style, this.#colour));
    }
    // A bold label marks the panel with the focus where there are no colours.
    const label: Line = [{ text: ` ${frame.label} `, style: { ...style, inverse: frame.focused } }];
    this.#paintText(label, rect.left + 2, right - 1, rect.top);
  }

  /** The line, and spaces up to the edge. */
  #paintLine(line: Line, left: number, right: number, y: number): void {
    for (let x = this.#paintText(line, left, right, y); x < right; x += 1) {
      this.#put(x, y, ' ', DEFAULT_ATTRIBUTE);
    }
  }

  /** Returns the column after the last character. */
  #paintText(line: Line, left: number, right: number, y: number): number {
    let x = left;
    for (const { text, style } of line) {
      const attribute = attributeOf(style, this.#colour);
      for (const char of text) {
        const width = widthOf(char);
        if (x + width > right) return x;
        const whole = x >= 0 && x + width <= this.width;
        this.#put(x, y, isControl(char) || !whole ? ' ' : char, attribute);
        if (width === 2) this.#put(x + 1, y, whole ? FILLER : ' ', attribute);
        x += width;
      }
    }
    return x;
  }

  #put(x: number, y: number, character: string, attribute: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = y * this.width + x;
    // Half of a wide character cannot stay.
    if (this.#characters[at] === FILLER && character !== FILLER && x > 0) {
      this.#characters[at - 1] = ' ';
    }
    if (this.#characters[at + 1] === FILLER && x + 1 < this.width) this.#characters[at + 1] = ' ';
    this.#characters[at] = character;
    this.#attributes[at] = attribute;
  }
}
