/** What a seed decides about long conversations: windows, how much is said, and how servers count it. */
import type { Chance } from './chance.js';

export interface Talk {
  /** Tokens, as configured; null: as the model's name says, which no history here fills. */
  readonly window: number | null;
  readonly replyTokens: number;
  /** Of the window that is configured, what the server really has. */
  readonly served: number;
  /** Longest result of a call, in characters. */
  readonly resultChars: number;
  /** Tokens that the server counts for each that its estimate would. */
  readonly counts: number;
  /** Share of answers for which it reports no tokens, or some that cannot be. */
  readonly silent: number;
  /** Share of answers that are longer than a request without a limit is expected to bring. */
  readonly endless: number;
  /** Share of summaries that cannot be used. */
  readonly badSummaries: number;
}

export function talkOf(chance: Chance): Talk {
  const isTight = chance.happens(0.5);
  return {
    window: isTight ? chance.pick([5_000, 8_000, 16_000]) : null,
    replyTokens: chance.pick([500, 8_192]),
    served: chance.weighted([
      [1, 5],
      [0.6, 1],
    ]),
    resultChars: isTight ? chance.pick([400, 6_000, 20_000]) : 100,
    counts: chance.weighted([
      [1, 4],
      [0.7, 1],
      [1.6, 1],
    ]),
    silent: chance.pick([0, 0.1, 1]),
    endless: chance.pick([0, 0.05]),
    badSummaries: chance.pick([0, 0.3, 1]),
  };
}
