/** How far the estimate of tokens is off, by kind of text, once a session's reports have corrected it. */
import { Estimator } from '../../actors/context/estimator.js';
import { measure } from '../../actors/context/text-measure.js';
import { metIf, single, type Row } from '../figures.js';
import { Random } from './random.js';
import * as texts from './texts.js';
import type { CountTokens } from './tokens.js';
import type { Trace } from './trace.js';

const SEED = 77;
const SAMPLES = 30;
const LIMIT_PERCENT = 10;

/** Real code, JSON and listings come from the recorded session, the rest is made up. */
export function estimateRows(recorded: Trace, learnt: Estimator, count: CountTokens): Row[] {
  return [...samples(recorded)].map(([kind, text]) => {
    const real = count(text);
    const off = (estimator: Estimator): number =>
      100 * Math.abs(estimator.tokens({ text: measure(text), fixed: 0 }) / real - 1);
    const error = off(learnt);
    return {
      name: `estimate of tokens, ${kind}`,
      unit: '%',
      floor: { what: 'before any report', p50: off(new Estimator()) },
      measured: single(error),
      compared: '',
      target: `≤ ${LIMIT_PERCENT} %`,
      verdict: metIf(error <= LIMIT_PERCENT),
    };
  });
}

function samples({ rounds }: Trace): Map<string, string> {
  const random = new Random(SEED);
  const made = (make: (random: Random) => string): string =>
    Array.from({ length: SAMPLES }, () => make(random)).join('\n');
  const calls = rounds.flatMap((round) => round.calls);
  const real = (pattern: RegExp): string =>
    calls
      .filter(({ name, args }) => pattern.test(`${name} ${JSON.stringify(args)}`))
      .map(({ result }) => result)
      .join('\n');
  return new Map([
    ['code', real(/^read_file .*\.ts"/)],
    ['JSON', real(/package-lock/)],
    ['ls output', real(/"ls -l [^;]*"/)],
    ['made-up code', made((each) => texts.code(each))],
    ['made-up JSON', made(texts.json)],
    ['made-up ls output', made(texts.listing)],
    ['made-up test logs', made((each) => texts.testLog(each))],
    ['Chinese, Japanese, Korean', made(texts.wide)],
  ]);
}
