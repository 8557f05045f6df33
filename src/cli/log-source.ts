/** Where the lines of `ouro logs` come from: the journal, or the daemon's own log file. */
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import type { Seq } from '../../messages/ids.js';
import { stripControls } from '../../tui/text/sanitise.js';
import { openJournalReader } from '../store/journal-store.js';
import type { JournalView } from '../store/journal-store.js';
import { daemonLog, sessionDir } from '../store/layout.js';
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

/** Written by a session that runs in the background. */
const CHUNK_BYTES = 64 * 1024;

/** Null: the session never ran in the background. */
export async function daemonLogSource(
  home: string,
  { id }: StandingSession,
): Promise<LogSource | null> {
  try {
    return new FileSource(await open(daemonLog(home, id), 'r'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

class FileSource implements LogSource {
  readonly #file: FileHandle;
  readonly #decoder = new StringDecoder('utf8');
  readonly #buffer = Buffer.alloc(CHUNK_BYTES);
  /** The beginning of a line whose end is not written yet. */
  #begun = '';

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async *lines(): AsyncGenerator<string> {
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      const text = this.#begun + this.#decoder.write(this.#buffer.subarray(0, bytesRead));
      const lines = text.split('\n');
      this.#begun = lines.pop() ?? '';
      for (const line of lines) yield stripControls(line);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
