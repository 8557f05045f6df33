/** `--add-cost`, `--add-tokens`, `--add-time`: read, and as a request to a session that runs. */
import { DURATION_FORM, parseDuration } from '../../config/duration.js';
import type { Raise } from '../../messages/budget.js';
import type { ControlArgs } from '../../messages/control.js';
import { usage, type VerbFailure } from './verb-output.js';

export interface AddedFlags {
  readonly addCost?: string | undefined;
  readonly addTokens?: string | undefined;
  readonly addTime?: string | undefined;
}

/** More than anybody adds at once; a slip of the keyboard. */
const MAX_DOLLARS = 1_000_000;
const MAX_TOKENS = 1_000_000_000_000;

const inRange = (text: string, max: number): number | null => {
  const amount = text.trim() === '' ? NaN : Number(text);
  return amount > 0 && amount <= max ? amount : null;
};

export function readRaise({ addCost, addTokens, addTime }: AddedFlags): Raise | VerbFailure {
  const usd = addCost === undefined ? undefined : inRange(addCost, MAX_DOLLARS);
  const tokens = addTokens === undefined ? undefined : inRange(addTokens, MAX_TOKENS);
  const timeMs = addTime === undefined ? undefined : parseDuration(addTime);
  if (usd === null) return usage(`--add-cost ${addCost ?? ''}: expected dollars, such as 2.50`);
  if (tokens === null || (tokens !== undefined && !Number.isInteger(tokens))) {
    return usage(`--add-tokens ${addTokens ?? ''}: expected a whole number of tokens`);
  }
  if (timeMs === null) return usage(`--add-time ${addTime ?? ''}: expected ${DURATION_FORM}`);
  return {
    ...(usd === undefined ? {} : { usd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(timeMs === undefined ? {} : { timeMs }),
  };
}

export const resumeRequest = ({ usd, tokens, timeMs }: Raise, force: boolean): ControlArgs => {
  const args = {
    ...(usd === undefined ? {} : { add_cost: usd }),
    ...(tokens === undefined ? {} : { add_tokens: tokens }),
    ...(timeMs === undefined ? {} : { add_time_ms: timeMs }),
    ...(force ? { force } : {}),
  };
  return Object.keys(args).length === 0 ? { do: 'resume' } : { do: 'resume', args };
};
