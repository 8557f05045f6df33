/** Which step frees room next. Pure: each step is measured before the next one is chosen. */

export type Rung =
  /** All that may be masked, at once: where a server keeps prefixes, one at a time costs more than none. */
  | 'mask-all'
  /** The oldest results that may be masked, down to the target. */
  | 'mask'
  | 'summarise'
  /** Results among the recent messages too, except those of the newest turn. */
  | 'free'
  | 'restart';

/** Shares of the effective window. */
export const ADVISE_AT = 0.6;
export const ACT_AT = 0.8;
export const FORCE_ABOVE = 0.9;
/** Masking goes down to this, so that it is not needed again in the next round. */
export const TARGET = 0.6;

/** What is worth giving up a server's cached prefix for. */
export const MASK_ALL_TOKENS = 20_000;

/** Rounds between two summaries, unless it cannot wait. */
export const COOLDOWN_ROUNDS = 3;

/** After so many summaries in a row that failed or were refused, the conversation begins anew. */
export const MAX_SUMMARY_FAILURES = 3;

export interface Fullness {
  readonly usedTokens: number;
  /** Tokens that messages may take: window less reply and tool definitions. */
  readonly windowTokens: number;
  /** What masking all that may be masked would free. */
  readonly maskableTokens: number;
  /** The server keeps prefixes. */
  readonly caches: boolean;
  /** Messages in the middle zone. */
  readonly middle: number;
  readonly roundsSinceSummary: number;
  readonly summaryFailures: number;
  /** Steps already taken in this round. */
  readonly taken: ReadonlySet<Rung>;
}

export const shareOf = ({ usedTokens, windowTokens }: Fullness): number =>
  windowTokens <= 0 ? Infinity : usedTokens / windowTokens;

/** What is summarised now is so full that it cannot wait: each piece of work is condensed by itself. */
export const isForced = (fullness: Fullness): boolean => shareOf(fullness) > FORCE_ABOVE;

/** Null: nothing needs to be done, or nothing can be. */
export function nextRung(fullness: Fullness): Rung | null {
  const { taken, maskableTokens, caches } = fullness;
  const isNew = (rung: Rung): boolean => !taken.has(rung);
  if (caches && maskableTokens >= MASK_ALL_TOKENS && isNew('mask-all')) return 'mask-all';
  const share = shareOf(fullness);
  if (share < ACT_AT) return null;
  if (maskableTokens > 0 && isNew('mask')) return 'mask';
  if (maySummarise(fullness, share)) return 'summarise';
  // It can wait: there is room for another round.
  if (share <= FORCE_ABOVE && !hasGivenUp(fullness)) return null;
  if (isNew('free')) return 'free';
  return isNew('restart') ? 'restart' : null;
}

function maySummarise(fullness: Fullness, share: number): boolean {
  const { middle, taken, roundsSinceSummary } = fullness;
  if (middle === 0 || taken.has('summarise') || hasGivenUp(fullness)) return false;
  return share > FORCE_ABOVE || roundsSinceSummary >= COOLDOWN_ROUNDS;
}

/** Summaries keep failing, or one was made just now and it was not enough. */
const hasGivenUp = ({ summaryFailures, taken }: Fullness): boolean =>
  summaryFailures >= MAX_SUMMARY_FAILURES || (taken.has('summarise') && summaryFailures === 0);
