/**
 * How a verb speaks and fails. Promise: stdout carries results alone, as lines for people or as versioned
 * JSON, also when it fails; the reason of a failure is on stderr either way; a reader that goes away is no
 * error; when `runVerb` resolves, everything has left the process.
 */
import { EXIT_WAIT_TIMEOUT } from '../../messages/session.js';
import { LineSink } from '../../tui/line-sink.js';
import { jsonLine } from '../../tui/text/json.js';
import { stripControls } from '../../tui/text/sanitise.js';
import type { VerbContext } from './verb-context.js';

/** Version of what `--json` prints; it changes when a reader of the old form would be misled. */
export const JSON_VERSION = 1;

export const EXIT_DONE = 0;
export const EXIT_NOT_POSSIBLE = 1;
export const EXIT_USAGE = 2;

export type FailureCode =
  /** The command line was wrong. */
  | 'usage'
  /** More than one session could be meant. */
  | 'ambiguous'
  | 'unknown_session'
  | 'not_running'
  /** The session's process is there and does not answer. */
  | 'no_answer'
  /** The session, or the system, refused. */
  | 'not_possible'
  | 'timeout';

export interface VerbFailure {
  readonly code: FailureCode;
  /** What was wrong, and what to do. */
  readonly message: string;
  /** Stands beside the error in JSON. */
  readonly details?: object;
}

export const usage = (message: string): VerbFailure => ({ code: 'usage', message });

export class VerbOutput {
  readonly json: boolean;
  readonly #out: LineSink;
  readonly #err: LineSink;

  constructor({ out, err }: Pick<VerbContext, 'out' | 'err'>, json: boolean) {
    this.json = json;
    this.#out = new LineSink(out);
    this.#err = new LineSink(err);
  }

  /** False: nobody reads stdout any more. */
  get isRead(): boolean {
    return this.#out.open;
  }

  /** To stdout, for people; nothing when JSON was asked for. */
  line(text: string): void {
    if (!this.json) this.#out.write(`${text}\n`);
  }

  /** To stdout as it is, without a line end. */
  raw(text: string): void {
    this.#out.write(text);
  }

  /** To stdout when JSON was asked for. */
  data(value: object): void {
    if (this.json) this.#out.write(`${jsonLine({ v: JSON_VERSION, ...value })}\n`);
  }

  /** To stderr. It may quote foreign text. */
  note(text: string): void {
    this.#err.write(`${stripControls(text)}\n`);
  }

  /** Says why it was not possible; returns the exit code for it. */
  fail({ code, message, details }: VerbFailure): number {
    this.note(message);
    this.data({ ok: false, error: { code, message }, ...details });
    return exitOf(code);
  }

  async flushed(): Promise<void> {
    await Promise.all([this.#out.flushed(), this.#err.flushed()]);
  }
}

function exitOf(code: FailureCode): number {
  switch (code) {
    case 'usage':
    case 'ambiguous':
      return EXIT_USAGE;
    case 'timeout':
      return EXIT_WAIT_TIMEOUT;
    case 'unknown_session':
    case 'not_running':
    case 'no_answer':
    case 'not_possible':
      return EXIT_NOT_POSSIBLE;
  }
}

/** The exit code of the verb. What the disk or the system refused is told as a reason; a defect is thrown. */
export async function runVerb(
  context: Pick<VerbContext, 'out' | 'err'>,
  { json = false }: { readonly json?: boolean | undefined },
  work: (output: VerbOutput) => Promise<number> | number,
): Promise<number> {
  const output = new VerbOutput(context, json);
  try {
    return await work(output);
  } catch (error) {
    if (!(error instanceof Error) || isDefect(error)) throw error;
    return output.fail({ code: 'not_possible', message: error.message });
  } finally {
    await output.flushed();
  }
}

const isDefect = (error: Error): boolean =>
  [TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind);
