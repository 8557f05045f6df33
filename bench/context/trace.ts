/** A session as the replay needs it: what was said and done in each round, and what must not get lost of it. */
import { callIdOf, MAIN_AGENT, type CallId } from '../../messages/ids.js';

export interface TraceCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** As the model was shown it. */
  readonly result: string;
}

export interface TraceRound {
  /** What a person said before the round; null: nothing. */
  readonly heard: string | null;
  /** What the model said beside its calls. */
  readonly text: string;
  readonly calls: readonly TraceCall[];
}

export const NEEDLE_CLASSES = ['words', 'path', 'identifier', 'error'] as const;
export type NeedleClass = (typeof NEEDLE_CLASSES)[number];

/** Something that is said once, and is looked for when all is over. */
export interface Needle {
  readonly kind: NeedleClass;
  readonly round: number;
  /** Holds `code`, and is looked for letter by letter. */
  readonly text: string;
  /** Occurs nowhere but with this needle. */
  readonly code: string;
  /** The call whose result holds it; null: a person said it. */
  readonly callId: CallId | null;
  /** The file that `read_file` finds it in; null: it is in none. */
  readonly path: string | null;
}

export interface Trace {
  readonly name: string;
  readonly goal: string;
  readonly rounds: readonly TraceRound[];
  readonly needles: readonly Needle[];
}

/** What codes of needles look like. */
export const CODE = /k[0-9a-f]{8}z/g;

export const codeOf = (n: number): string =>
  `k${(Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}z`;

export const callOf = (round: number, position: number): CallId =>
  callIdOf(MAIN_AGENT, round, position);
