/**
 * Writes down how every request of a session ended, so that a rehearsal can play it again. Promise: the file
 * is new and for its owner alone, secrets are taken out before anything is written, and a disk that refuses
 * ends the recording and never the session.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import type { ModelClient } from '../../actors/ports.js';
import type { ModelOutcome, ModelRequest } from '../../messages/model.js';
import { RECORDING_VERSION, type RecordingLine } from './recording-form.js';

export interface RecorderOptions {
  readonly file: string;
  readonly goal: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly redact: (text: string) => string;
  readonly now: () => number;
}

export type OpenedRecorder =
  | { readonly ok: true; readonly recorder: Recorder }
  | { readonly ok: false; readonly reason: string };

export function openRecorder(options: RecorderOptions): OpenedRecorder {
  const { file } = options;
  try {
    return { ok: true, recorder: new Recorder(options, openSync(file, 'wx', 0o600)) };
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const why = error instanceof Error ? error.message : String(error);
    const reason = exists
      ? `${file} is there already, and a recording never replaces a file. Give --record another name.`
      : `The recording cannot be written: ${why}. Give --record a file in a folder you can write to.`;
    return { ok: false, reason };
  }
}

export class Recorder {
  readonly #options: RecorderOptions;
  #file: number | null;
  #requests = 0;
  /** Why no more is written; null: all was. To be told once. */
  #failure: string | null = null;

  constructor(options: RecorderOptions, file: number) {
    this.#options = options;
    this.#file = file;
    const { goal, model, baseUrl, now } = options;
    this.#write({
      type: 'recording',
      v: RECORDING_VERSION,
      goal,
      model,
      base_url: baseUrl,
      at: new Date(now()).toISOString(),
    });
  }

  /** The same client, whose answers are written down. */
  listenTo(model: ModelClient): ModelClient {
    return {
      ask: async (request, onDelta, signal) => {
        const began = this.#options.now();
        const outcome = await model.ask(request, onDelta, signal);
        this.#keep(request, outcome, this.#options.now() - began);
        return this.#withNotice(outcome);
      },
    };
  }

  /** A recording of nothing is taken away again. A second call does nothing. */
  close(): void {
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
    if (this.#requests === 0) rmSync(this.#options.file, { force: true });
  }

  #keep(request: ModelRequest, outcome: ModelOutcome, ms: number): void {
    const { agent, round = null, tools } = request;
    const asked = { agent, round, side: tools.length === 0, ms };
    switch (outcome.status) {
      case 'cancelled':
        return;
      case 'failed': {
        const { kind, message, httpStatus: status = null } = outcome.error;
        this.#write({ type: 'failure', ...asked, kind, status, message });
        break;
      }
      case 'ok': {
        const { text, reasoning, calls, usage, finish, model } = outcome.reply;
        const said = calls.map(({ id, name, argumentsText, repairedFrom }) => ({
          id,
          name,
          arguments: repairedFrom ?? argumentsText,
        }));
        this.#write({
          type: 'answer',
          ...asked,
          text,
          reasoning,
          calls: said,
          usage,
          finish,
          model,
        });
      }
    }
    this.#requests += 1;
  }

  #write(line: RecordingLine): void {
    if (this.#file === null || this.#failure !== null) return;
    const { redact, file } = this.#options;
    const safe = JSON.stringify(line, (_key, value: unknown) =>
      typeof value === 'string' ? redact(value) : value,
    );
    try {
      writeSync(this.#file, `${safe}\n`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#failure = `The recording ${file} ends here: ${why}.`;
    }
  }

  #withNotice(outcome: ModelOutcome): ModelOutcome {
    if (this.#failure === null || outcome.status !== 'ok' || this.#file === null) return outcome;
    closeSync(this.#file);
    this.#file = null;
    const notices = [...(outcome.reply.notices ?? []), this.#failure];
    return { status: 'ok', reply: { ...outcome.reply, notices } };
  }
}
