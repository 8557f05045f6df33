/** Wires a recorder between a session and its model server. */
import type { ModelClient } from '../actors/ports.js';
import type { Environment } from '../config/home.js';
import { openRecorder } from './rehearsal/recorder.js';
import { redactor } from './tools/redaction.js';

export interface RecordOptions {
  readonly file: string;
  /** Null: the recording begins in the middle of a session. */
  readonly goal: string | null;
  readonly model: string;
  readonly baseUrl: string;
  readonly env: Environment;
}

type RecordedAnswers =
  | { readonly ok: true; readonly client: ModelClient; readonly close: () => void }
  | { readonly ok: false; readonly reason: string };

/** What a rehearsal of a session without a goal of its own is asked. */
const NO_GOAL = 'Go on.';

/** The same client, whose answers are written into the file; refused where the file cannot be made. */
export function recordAnswers(
  client: ModelClient,
  { file, goal, model, baseUrl, env }: RecordOptions,
): RecordedAnswers {
  const redact = redactor({ ...env });
  const now = (): number => Date.now();
  const opened = openRecorder({ file, goal: goal ?? NO_GOAL, model, baseUrl, redact, now });
  if (!opened.ok) return opened;
  const { recorder } = opened;
  return { ok: true, client: recorder.listenTo(client), close: () => recorder.close() };
}
