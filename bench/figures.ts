/** What the benchmark reports: samples boiled down to figures, and figures held against a floor and a target. */

/** Samples of one thing, in the unit of the row. */
export interface Summary {
  readonly p50: number;
  /** Null: it was measured once. */
  readonly p99: number | null;
  /** Distance between the quartiles, as a share of the median; null: it was measured once. */
  readonly spread: number | null;
  readonly samples: number;
}

export type Unit = 'ms' | 'MB' | 'KB' | '%' | 's' | 'tokens' | '×' | 'B' | '$';

export interface Floor {
  /** What it is that cannot be beaten, in a few words. */
  readonly what: string;
  readonly p50: number;
}

export type Verdict =
  | { readonly kind: 'met' }
  | { readonly kind: 'not met' }
  /** A figure that other rows refer to, or one nobody has set a target for. */
  | { readonly kind: 'no target' }
  | { readonly kind: 'not measured'; readonly why: string };

export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly floor: Floor | null;
  readonly measured: Summary | null;
  /** The figure against its floor: `1.3 ×`, `+0.8 ms`; empty when there is none. */
  readonly compared: string;
  readonly target: string;
  readonly verdict: Verdict;
}

/** A wider spread than this between the quartiles means that the machine was busy with something else. */
export const NOISY_SPREAD = 0.3;

export function summarise(samples: readonly number[]): Summary {
  if (samples.length === 0) throw new Error('nothing was sampled');
  const sorted = [...samples].sort((a, b) => a - b);
  const p50 = quantile(sorted, 0.5);
  const width = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  return {
    p50,
    p99: quantile(sorted, 0.99),
    spread: p50 === 0 ? 0 : width / p50,
    samples: sorted.length,
  };
}

export const single = (value: number): Summary => ({
  p50: value,
  p99: null,
  spread: null,
  samples: 1,
});

export const median = (samples: readonly number[]): number => summarise(samples).p50;

/** The nearest rank: a figure that was really measured. */
function quantile(sorted: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** Slope of the line that fits the points best, in units of y for one of x. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** How far above the floor, or below it. */
export const difference = (value: number, floor: number, unit: Unit, digits: number): string =>
  `${value < floor ? '−' : '+'}${Math.abs(value - floor).toFixed(digits)} ${unit}`;

export const metIf = (met: boolean): Verdict => ({ kind: met ? 'met' : 'not met' });

interface RatioRow {
  readonly name: string;
  readonly unit: Unit;
  readonly floor: Floor;
  readonly measured: Summary;
  /** The ratio of the medians may be this high. */
  readonly limit: number;
  /** On top of that, in the unit of the row. */
  readonly plus?: number;
}

export function ratioRow({ name, unit, floor, measured, limit, plus = 0 }: RatioRow): Row {
  const more = plus === 0 ? '' : ` + ${plus} ${unit}`;
  return {
    name,
    unit,
    floor,
    measured,
    compared: `${(measured.p50 / floor.p50).toFixed(2)} ×`,
    target: `≤ ${limit} ×${more}`,
    verdict: metIf(measured.p50 <= floor.p50 * limit + plus),
  };
}

export const notMeasured = (name: string, target: string, why: string): Row => ({
  name,
  unit: 'ms',
  floor: null,
  measured: null,
  compared: '',
  target,
  verdict: { kind: 'not measured', why },
});
