/** Where the lines of `ouro logs` come from: the journal, or the daemon's own log file. */
import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import type { Seq } from '../../messages/ids.js';
import { stripControls } from '../../tui/text/sanitise.js';
import { openJournalReader } from '../store/journal-store.js';
import type { JournalView } from '../store/journal-store.js';
import { daemonLog, sessionDir } from '../store/layout.js';
import { olderLog } from './daemon-log-writer.js';
import type { StandingSession } from './liveness.js';
import type { RowText } from './log-selection.js';

export interface LogSource {
  /** What has come since the last call; the first time everything. Throws `JournalDamage` where that ends. */
  lines(): Iterable<string> | AsyncIterable<string>;
  close(): Promise<void>;
}

export function journalSource(home: string, { id }: StandingSession, text: RowText): LogSource {
  return new JournalSource(openJournalReader({ dir: sessionDir(home, id), session: id }), text);
}

class JournalSource implements LogSource {
  readonly #view: JournalView;
  readonly #text: RowText;
  #last: Seq = 0;

  constructor(view: JournalView, text: RowText) {
    this.#view = view;
    this.#text = text;
  }

  *lines(): Generator<string> {
    const rows = this.#last === 0 ? this.#view.rows() : this.#view.rowsAfter(this.#last);
    for (const row of rows) {
      this.#last = row.seq;
      const text = this.#text(row);
      if (text !== null) yield text;
    }
  }

  close(): Promise<void> {
    this.#view.close();
    return Promise.resolve();
  }
}

/** Null: the session never ran in the background. */
export function daemonLogSource(home: string, { id }: StandingSession): LogSource | null {
  const file = daemonLog(home, id);
  return existsSync(file) ? new FileSource(file) : null;
}

const CHUNK_BYTES = 64 * 1024;

/** The older file first. Follows a file that begins anew without losing what it had until then. */
class FileSource implements LogSource {
  readonly #file: string;
  readonly #decoder = new StringDecoder('utf8');
  /** Read of the present file so far; null: nothing was read yet. */
  #position: number | null = null;
  /** The beginning of a line whose end is not written yet. */
  #begun = '';

  constructor(file: string) {
    this.#file = file;
  }

  async *lines(): AsyncGenerator<string> {
    const before = this.#position;
    const isNew = before !== null && sizeOf(this.#file) < before;
    if (before === null || isNew) {
      yield* this.#read(olderLog(this.#file), before ?? 0);
      this.#position = 0;
    }
    yield* this.#read(this.#file, this.#position ?? 0);
  }

  async *#read(file: string, from: number): AsyncGenerator<string> {
    if (!existsSync(file)) return;
    const handle = await open(file, 'r');
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      for (let position = from; ;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
        if (bytesRead === 0) return;
        position += bytesRead;
        if (file === this.#file) this.#position = position;
        const text = this.#begun + this.#decoder.write(buffer.subarray(0, bytesRead));
        const lines = text.split('\n');
        this.#begun = lines.pop() ?? '';
        for (const line of lines) yield stripControls(line);
      }
    } finally {
      await handle.close();
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
