/**
 * Which values the settings take that can be changed while a session is under way. The same as in a file or on
 * the command line that starts one, without what reading files needs.
 */
import type { PermissionMode } from './session.js';

const MAX_ROUNDS = 1_000_000;
const MAX_TOKENS = 1_000_000_000_000;
const MAX_DOLLARS = 1_000_000;
/** A year. */
const MAX_TIME_MS = 366 * 86_400_000;
/** Enough for a list; a longer one is no name. */
export const NAME_CHARS = 200;
/** A chain that is longer is a mistake. */
const MAX_FALLBACKS = 20;

const MODES: Readonly<Record<PermissionMode, true>> = {
  default: true,
  'accept-edits': true,
  plan: true,
  'dont-ask': true,
  bypass: true,
};

const MODEL = /^[^\s\p{Cc}]{1,200}$/u;

export const FORMS = {
  model: 'a model name without spaces, of at most 200 characters',
  fallback: `at most ${MAX_FALLBACKS} model names, separated by commas`,
  rounds: `a whole number from 1 to ${MAX_ROUNDS}`,
  cost: 'a number of dollars above 0 and at most 1,000,000',
  tokens: `a whole number from 1 to ${MAX_TOKENS}`,
  time: 'a duration of at most a year',
  mode: Object.keys(MODES).join(', '),
  name: `a name of 1 to ${NAME_CHARS} characters on one line`,
} as const;

export const isModelName = (value: unknown): value is string =>
  typeof value === 'string' && MODEL.test(value);

export const isFallback = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= MAX_FALLBACKS && value.every(isModelName);

const wholeUpTo =
  (max: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;

export const isRounds = wholeUpTo(MAX_ROUNDS);
export const isTokens = wholeUpTo(MAX_TOKENS);
export const isTimeMs = wholeUpTo(MAX_TIME_MS);

export const isDollars = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_DOLLARS;

export const isPermissionMode = (value: unknown): value is PermissionMode =>
  typeof value === 'string' && Object.hasOwn(MODES, value);

/** One line, with something on it. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= NAME_CHARS &&
  !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value);
