/** A terminal emulator on the other end of the streams: what the dashboard writes is what it shows. */
import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import type { TerminalInput, TerminalOutput } from '../../tui/screen.js';

export class FakeTerminal {
  readonly input: TerminalInput & PassThrough;
  readonly output: TerminalOutput & PassThrough;
  /** Everything written so far. */
  written = '';
  raw = false;
  readonly #emulator: xterm.Terminal;

  constructor(columns = 80, rows = 24) {
    this.#emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.input = Object.assign(new PassThrough(), {
      setRawMode: (raw: boolean) => void (this.raw = raw),
    });
    this.output = Object.assign(new PassThrough(), { columns, rows });
    this.output.on('data', (chunk: Buffer) => {
      this.written += chunk.toString();
      this.#emulator.write(chunk);
    });
  }

  press(bytes: string): void {
    this.input.write(bytes);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    Object.assign(this.output, { columns, rows });
    this.output.emit('resize');
  }

  /** The rows as a person sees them, without trailing spaces. */
  async rows(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#emulator.write('', resolve));
    const { active } = this.#emulator.buffer;
    return Array.from({ length: this.#emulator.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  }

  async text(): Promise<string> {
    return (await this.rows()).join('\n');
  }

  /** Column and row of the cursor. */
  get cursor(): readonly [number, number] {
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    return [cursorX, cursorY];
  }

  get onAlternateScreen(): boolean {
    return this.#emulator.buffer.active.type === 'alternate';
  }

  /** Columns whose cell has a colour of its own. */
  colouredCells(): number {
    const { active } = this.#emulator.buffer;
    let coloured = 0;
    for (let row = 0; row < this.#emulator.rows; row += 1) {
      for (let column = 0; column < this.#emulator.cols; column += 1) {
        const cell = active.getLine(row)?.getCell(column);
        if (cell?.isFgDefault() === false || cell?.isBgDefault() === false) coloured += 1;
      }
    }
    return coloured;
  }
}
