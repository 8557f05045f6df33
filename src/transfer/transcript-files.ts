/**
 * A transcript on its way into files: lines of the main agent, in parts where they would be too long for
 * one, and those of sub-agents in the folder beside. They appear at the end, each of them whole.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { partOf, sideFolder } from './find-source.js';
import { LineFile } from './line-file.js';

export class TranscriptFilesWriter {
  readonly #file: string;
  readonly #partBytes: number;
  readonly #main: LineFile[];
  readonly #side = new Map<string, LineFile>();
  readonly #sideFolder: string;

  /** `partBytes`: Infinity for a reader that knows no parts. */
  constructor(file: string, partBytes: number) {
    this.#file = file;
    this.#partBytes = partBytes;
    this.#sideFolder = sideFolder(file);
    this.#main = [new LineFile(file)];
  }

  main(line: Buffer): void {
    const part = this.#main.at(-1);
    if (part === undefined) return;
    if (part.bytes === 0 || part.bytes + line.length < this.#partBytes) {
      part.write(line);
      return;
    }
    const next = new LineFile(partOf(this.#file, this.#main.length + 1));
    this.#main.push(next);
    next.write(line);
  }

  side(name: string, line: Buffer): void {
    const file = this.#side.get(name) ?? new LineFile(join(this.#sideFolder, name));
    this.#side.set(name, file);
    file.write(line);
  }

  /** Returns their paths. Further parts of a transcript that stood there are no parts of this one. */
  finish(): readonly string[] {
    const all = [...this.#side.values(), ...this.#main];
    for (const file of all) file.finish();
    for (let n = this.#main.length + 1; existsSync(partOf(this.#file, n)); n += 1) {
      rmSync(partOf(this.#file, n));
    }
    return all.map(({ path }) => path).reverse();
  }

  abandon(): void {
    for (const file of [...this.#side.values(), ...this.#main]) file.abandon();
  }
}
