/**
 * Keeps the output of a command within a fixed amount of memory: all of it while it is short, else its
 * beginning and its end. All of it goes into a file too, up to a cap, while the command runs: should this
 * process die, that is what is known of the command. A file that says no more than the result is removed.
 */
import { sizeText } from './shown.js';
import { SpillFile } from './spill-file.js';
import { headOf, tailOf } from './truncate.js';

/** Kept of the beginning and of the end of long output. */
const KEPT_BYTES = 12 * 1024;

export interface Captured {
  readonly text: string;
  readonly truncated: boolean;
  /** All of it can be read from the file. */
  readonly isKept: boolean;
}

export class ShellOutput {
  readonly #wholeBytes: number;
  readonly #keptBytes: number;
  readonly #spillFile: string;
  #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;
  #spill: SpillFile | null = null;

  /** `wholeBytes`: output of up to so many bytes is kept as it is. */
  constructor(wholeBytes: number, spillFile: string) {
    this.#wholeBytes = wholeBytes;
    this.#keptBytes = Math.min(KEPT_BYTES, Math.floor(wholeBytes / 2));
    this.#spillFile = spillFile;
  }

  /** Resolves when there is room for more. */
  take(chunk: Buffer): Promise<void> | undefined {
    this.#spill ??= new SpillFile(this.#spillFile);
    const wasWhole = this.#total <= this.#wholeBytes;
    this.#total += chunk.length;
    if (wasWhole) this.#head.push(chunk);
    else this.#keepTail(chunk);
    if (wasWhole && this.#total > this.#wholeBytes) this.#overflow();
    return this.#spill.write(chunk);
  }

  /** The file, if it is kept, is complete when this resolves. */
  async finish(): Promise<Captured> {
    await this.#spill?.close();
    const head = Buffer.concat(this.#head);
    if (this.#total <= this.#wholeBytes) {
      await this.#spill?.remove();
      return { text: head.toString(), truncated: false, isKept: false };
    }
    const tail = tailOf(Buffer.concat(this.#tail), this.#keptBytes);
    const notice =
      `... [truncated: ${sizeText(this.#total)} total, ` +
      `showing first and last ${sizeText(this.#keptBytes)}] ...`;
    const first = head.toString();
    const separator = first.endsWith('\n') ? '' : '\n';
    const text = `${first}${separator}${notice}\n${tail.toString()}`;
    return { text, truncated: true, isKept: this.#spill?.hasFailed === false };
  }

  #keepTail(chunk: Buffer): void {
    // A copy of the end only: a chunk's memory is much larger than what is kept of it.
    const end = Buffer.from(chunk.subarray(Math.max(0, chunk.length - this.#keptBytes)));
    this.#tail.push(end);
    this.#tailBytes += end.length;
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailBytes - first.length < this.#keptBytes) return;
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }

  /** It has become too long to be kept whole: from here on there is a beginning and an end. */
  #overflow(): void {
    const all = Buffer.concat(this.#head);
    const head = headOf(all, this.#keptBytes);
    this.#head = [Buffer.from(head)];
    this.#keepTail(all.subarray(head.length));
  }
}
