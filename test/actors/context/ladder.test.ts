import { expect, test } from 'vitest';
import { nextRung, type Fullness, type Rung } from '../../../actors/context/ladder.js';

const half: Fullness = {
  usedTokens: 500,
  windowTokens: 1_000,
  maskableTokens: 100,
  caches: false,
  middle: 8,
  roundsSinceSummary: 10,
  summaryFailures: 0,
  taken: new Set(),
};
const taken = (...rungs: Rung[]) => new Set(rungs);

const cases: readonly (readonly [string, Partial<Fullness>, Rung | null])[] = [
  ['half full: nothing', {}, null],
  ['just below four fifths: nothing', { usedTokens: 799 }, null],
  ['four fifths: the oldest results are masked', { usedTokens: 800 }, 'mask'],
  ['the server caches and little can be masked: nothing', { caches: true }, null],
  [
    'the server caches and much can be masked: all of it at once',
    { caches: true, maskableTokens: 20_000 },
    'mask-all',
  ],
  ['it does not cache: much that can be masked waits', { maskableTokens: 20_000 }, null],
  ['nothing to mask: a summary', { usedTokens: 800, maskableTokens: 0 }, 'summarise'],
  ['masked and still full: a summary', { usedTokens: 850, taken: taken('mask') }, 'summarise'],
  [
    'a summary two rounds ago: it can wait',
    { usedTokens: 850, maskableTokens: 0, roundsSinceSummary: 2 },
    null,
  ],
  [
    'above nine tenths: it cannot wait',
    { usedTokens: 901, maskableTokens: 0, roundsSinceSummary: 0 },
    'summarise',
  ],
  [
    'no middle, below nine tenths: nothing',
    { usedTokens: 850, maskableTokens: 0, middle: 0 },
    null,
  ],
  [
    'no middle, above: recent results too',
    { usedTokens: 950, maskableTokens: 0, middle: 0 },
    'free',
  ],
  [
    'summarised and still full: recent results too',
    { usedTokens: 850, taken: taken('mask', 'summarise') },
    'free',
  ],
  [
    'and then the conversation begins anew',
    { usedTokens: 850, taken: taken('mask', 'summarise', 'free') },
    'restart',
  ],
  [
    'one summary failed, below nine tenths: it can wait',
    { usedTokens: 850, summaryFailures: 1, taken: taken('mask', 'summarise') },
    null,
  ],
  [
    'three summaries failed: no more of them',
    { usedTokens: 850, maskableTokens: 0, summaryFailures: 3 },
    'free',
  ],
  [
    'all was done: the request is sent as it is',
    { usedTokens: 990, taken: taken('mask', 'summarise', 'free', 'restart') },
    null,
  ],
  ['no room at all', { windowTokens: -5 }, 'mask'],
];

test.each(cases)('%s', (_name, change, rung) => {
  expect(nextRung({ ...half, ...change })).toBe(rung);
});
