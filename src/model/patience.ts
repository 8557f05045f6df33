/** How long a model may be silent, given how much it has to read first. */
import type { ModelRequest } from '../../messages/model.js';
import type { SilenceLimits } from './watchdog.js';

/** The limits as they are configured hold for a prompt of this length. */
const COVERED_TOKENS = 16_000;
/** Of prose, code and JSON alike, and rather too few, which waits rather too long. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Once the prompt is read its length hardly counts: each token looks back at it. */
const SILENCE_SHARE = 0.1;

export interface PatientLimits extends SilenceLimits {
  /** What the server reads in a second; left out: its limits hold for every prompt. */
  readonly promptTokensPerSecond?: number;
}

/** Messages and lists of tools never change, so each is measured once. */
const measured = new WeakMap<object, number>();

function charactersOf(sent: object): number {
  const known = measured.get(sent);
  if (known !== undefined) return known;
  const characters = JSON.stringify(sent).length;
  measured.set(sent, characters);
  return characters;
}

const lengthOf = ({ messages, tools }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + charactersOf(message), charactersOf(tools));

/** The limits for this request: longer by the time that reading the rest of a long prompt takes. */
export function limitsFor(limits: PatientLimits, request: ModelRequest): SilenceLimits {
  const { firstTokenTimeoutMs, silenceTimeoutMs, promptTokensPerSecond } = limits;
  if (promptTokensPerSecond === undefined) return limits;
  const tokens = lengthOf(request) / CHARACTERS_PER_TOKEN;
  const readingMs = (Math.max(0, tokens - COVERED_TOKENS) / promptTokensPerSecond) * 1000;
  return {
    firstTokenTimeoutMs: Math.round(firstTokenTimeoutMs + readingMs),
    silenceTimeoutMs: Math.round(silenceTimeoutMs + readingMs * SILENCE_SHARE),
  };
}
