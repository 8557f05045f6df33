/** What replays come to: rows with targets for the table of the benchmark, and a table of all strategies. */
import { metIf, single, summarise, type Row, type Unit } from '../figures.js';
import { AGES, retentionOf, type Retention } from './needles.js';
import { PRICE_MODELS } from './provider.js';
import type { Replayed } from './replay.js';
import { STRATEGIES, type StrategyName } from './strategies.js';
import { NEEDLE_CLASSES, type Trace } from './trace.js';

export type Replays = ReadonlyMap<StrategyName, Replayed>;

/** What a session does when a model makes summaries; and when it gives none. */
const OURS: readonly StrategyName[] = ['mask', 'mask + summary'];
const KEPT_LIMIT = 0.95;
/** A request of a long session may take this much longer for each of its tokens. */
const FLAT_LIMIT = 1.5;

/** Rounds at which the time to make a request is taken: about the 50th, and the last. */
const EARLY = { from: 40, to: 60 };
const LATE_ROUNDS = 20;

export function rowsOf({ name, needles, rounds }: Trace, replays: Replays): Row[] {
  return OURS.flatMap((strategy) => {
    const ours = replays.get(strategy);
    if (ours === undefined) return [];
    const found = retentionOf(needles, rounds.length, ours);
    const label = (what: string): string => `${name}, ${strategy}: ${what}`;
    return [
      keptRow(label('prefix kept, no compaction'), ours),
      ...PRICE_MODELS.map(({ name: maker }, i) =>
        costRow(label(`cost, ${maker}`), ours.dollars[i] ?? 0, replays, i),
      ),
      wordsRow(label("a person's words, verbatim"), found),
      withinReachRow(label('all needles, there or one call away'), found),
      shareRow(label('resumes to the same bytes'), ours.resumesSame === true ? 1 : 0, 1),
      ...timeRows(label, ours),
    ];
  });
}

function keptRow(name: string, { sent }: Replayed): Row {
  const kept = sent.flatMap((each) => (each.compacted || each.kept === null ? [] : [each.kept]));
  const worst = Math.min(...kept);
  return {
    ...shareRow(name, summarise(kept).p50, KEPT_LIMIT),
    floor: { what: 'worst round', p50: 100 * worst },
    verdict: metIf(worst >= KEPT_LIMIT),
  };
}

const row = (name: string, unit: Unit, value: number, target: string): Row => ({
  ...{ name, unit, floor: null, measured: single(value), compared: '', target },
  verdict: { kind: 'no target' },
});

const shareRow = (name: string, share: number, least: number): Row => ({
  ...row(name, '%', 100 * share, `≥ ${100 * least} %`),
  verdict: metIf(share >= least),
});

/** Against the cheaper of doing nothing and of masking each result by itself. */
function costRow(name: string, dollars: number, replays: Replays, model: number): Row {
  const others = (['none', 'mask each round'] as const).map((what) => {
    return { what, p50: replays.get(what)?.dollars[model] ?? Infinity };
  });
  const [none, each] = others;
  const floor = none !== undefined && each !== undefined && none.p50 < each.p50 ? none : each;
  const least = floor?.p50 ?? Infinity;
  return {
    ...row(name, '$', dollars, `< ${floor?.what ?? ''}`),
    floor: floor ?? null,
    compared: `${(dollars / least).toFixed(2)} ×`,
    verdict: metIf(dollars < least),
  };
}

function wordsRow(name: string, found: readonly Retention[]): Row {
  const words = found.filter(({ kind }) => kind === 'words');
  const planted = words.reduce((sum, each) => sum + each.planted, 0);
  const verbatim = words.reduce((sum, each) => sum + each.verbatim, 0);
  return shareRow(name, planted === 0 ? 1 : verbatim / planted, 1);
}

/** Of paths, identifiers and errors of any age. */
function withinReachRow(name: string, found: readonly Retention[]): Row {
  const others = found.filter(({ kind }) => kind !== 'words');
  const sum = (of: (each: Retention) => number): number =>
    others.reduce((total, each) => total + of(each), 0);
  const planted = sum((each) => each.planted);
  const there = sum(({ verbatim, oneCall, oneSearch }) => verbatim + oneCall + oneSearch);
  return shareRow(name, planted === 0 ? 1 : there / planted, 1);
}

function timeRows(label: (what: string) => string, { sent }: Replayed): Row[] {
  const compactions = sent.filter(({ compacted }) => compacted).map(({ ms }) => ms);
  const rows: Row[] = [];
  if (compactions.length > 0) {
    const p95 = [...compactions].sort((a, b) => a - b)[Math.floor(0.95 * compactions.length)] ?? 0;
    const measured = summarise(compactions);
    rows.push({
      ...row(label('a compaction'), 'ms', 0, ''),
      measured,
      compared: `p95 ${p95.toFixed(1)} ms`,
    });
  }
  const quiet = sent.filter(({ compacted }) => !compacted);
  const early = quiet.filter(({ round }) => round >= EARLY.from && round <= EARLY.to);
  const late = quiet.slice(-LATE_ROUNDS);
  if (early.length === 0 || late.length === 0) return rows;
  const perToken = (from: typeof quiet): number =>
    summarise(from.map((each) => each.ms / each.tokens)).p50;
  const ratio = perToken(late) / perToken(early);
  const before = summarise(early.map(({ ms }) => ms)).p50;
  rows.push({
    ...row(
      label(`request of round ${late.at(-1)?.round ?? 0}`),
      'ms',
      0,
      `≤ ${FLAT_LIMIT} × a token`,
    ),
    floor: { what: 'round 50', p50: before },
    measured: summarise(late.map(({ ms }) => ms)),
    compared: `${ratio.toFixed(2)} × a token`,
    verdict: metIf(ratio <= FLAT_LIMIT),
  });
  return rows;
}

const HEADINGS = [
  ...[
    'strategy',
    'sent',
    'peak',
    'compactions',
    'prefix kept',
    ...PRICE_MODELS.map(({ name }) => name),
  ],
  ...NEEDLE_CLASSES,
];

/** All strategies beside each other; needles as verbatim + one call + one search, of the newest, older and oldest. */
export function strategyTable({ needles, rounds }: Trace, replays: Replays): string {
  const lines = STRATEGIES.flatMap((name) => {
    const replayed = replays.get(name);
    if (replayed === undefined) return [];
    const found = retentionOf(needles, rounds.length, replayed);
    return [[name, ...figuresOf(replayed), ...NEEDLE_CLASSES.map((kind) => retained(found, kind))]];
  });
  const rule = HEADINGS.map(() => '---');
  return [HEADINGS, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function figuresOf({ sent, dollars, summaries, restarts }: Replayed): string[] {
  const sum = sent.reduce((total, { tokens }) => total + tokens, 0);
  const peak = sent.reduce((most, { tokens }) => Math.max(most, tokens), 0);
  const compactions = sent.filter(({ compacted }) => compacted).length;
  const kept = sent.flatMap((each) => (each.kept === null ? [] : [each.kept]));
  const mean = kept.reduce((total, each) => total + each, 0) / kept.length;
  return [
    `${(sum / 1e6).toFixed(1)} M`,
    `${Math.round(peak / 1000)} k`,
    `${compactions} (${summaries} summaries, ${restarts} restarts)`,
    `${(100 * mean).toFixed(1)} %`,
    ...dollars.map((each) => `$${each.toFixed(2)}`),
  ];
}

const retained = (found: readonly Retention[], kind: string): string =>
  AGES.map((age) => {
    const group = found.find((each) => each.kind === kind && each.age === age);
    if (group === undefined) return '–';
    const share = (count: number): string => `${Math.round((100 * count) / group.planted)}`;
    const { verbatim, oneCall, oneSearch } = group;
    const ways = oneSearch > 0 ? [verbatim, oneCall, oneSearch] : [verbatim, oneCall];
    return oneCall + oneSearch === 0 ? share(verbatim) : ways.map(share).join('+');
  }).join(' / ');
