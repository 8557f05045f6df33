/** Lays the rows out as one table of plain text, for a terminal and for the documentation alike. */
import { NOISY_SPREAD, type Row, type Summary, type Unit, type Verdict } from './figures.js';

const HEADINGS = ['what', 'floor', 'p50', 'p99', 'spread', 'against', 'target', 'verdict'];

/** Markdown, with the columns lined up so that it reads well unrendered too. */
export function table(rows: readonly Row[]): string {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  const lines = cells.map((line) => lineOf(line, widths));
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

const lineOf = (line: readonly string[], widths: readonly number[]): string =>
  `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;

function cellsOf({ name, unit, floor, measured, compared, target, verdict }: Row): string[] {
  return [
    name,
    floor === null ? '' : `${floor.what}: ${figure(floor.p50, unit)}`,
    measured === null ? '' : figure(measured.p50, unit),
    orNothing(measured?.p99, (p99) => figure(p99, unit)),
    orNothing(measured?.spread, (spread) => `${Math.round(spread * 100)} %`),
    compared,
    target,
    verdictText(verdict, measured),
  ];
}

const orNothing = (value: number | null | undefined, text: (value: number) => string): string =>
  value === null || value === undefined ? '' : text(value);

function verdictText(verdict: Verdict, measured: Summary | null): string {
  switch (verdict.kind) {
    case 'not measured':
      return `not measured: ${verdict.why}`;
    case 'no target':
      return '';
    case 'met':
    case 'not met': {
      const noisy = (measured?.spread ?? 0) > NOISY_SPREAD;
      return noisy ? `${verdict.kind} (noisy)` : verdict.kind;
    }
  }
}

/** Three digits that count; whole bytes and tokens. */
export function figure(value: number, unit: Unit): string {
  const rounded = unit === 'B' || unit === 'tokens' ? Math.round(value) : value;
  const size = Math.abs(rounded);
  const digits = Number.isInteger(rounded) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return `${rounded.toFixed(digits)} ${unit}`;
}
