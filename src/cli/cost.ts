/**
 * `ouro cost`: what was spent, from the index that all sessions write to. A request whose price is not known
 * is counted and named; it is never taken for free.
 */
import { parseClock, parseDuration } from '../../config/duration.js';
import { shortId, type SessionId } from '../../messages/ids.js';
import { count, dollars, plural } from '../../tui/text/amounts.js';
import { cutWidth, fitWidth, sanitiseLine } from '../../tui/text/sanitise.js';
import { localDay, monthOf } from '../../messages/calendar.js';
import type { SpendingRow } from '../store/spending-store.js';
import { withIndex } from './open-home.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage, type VerbFailure } from './verb-output.js';

export interface CostOptions {
  readonly id?: string | undefined;
  readonly by?: 'session' | 'day' | 'month' | 'model' | undefined;
  /** A duration back from now, or a date; whole days. */
  readonly since?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Before every day there is. */
const ALWAYS = '';

interface Line {
  readonly key: string;
  requests: number;
  usd: number;
  unpriced: number;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
}

export const cost = (options: CostOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const since = firstDay(options.since, context);
    if (typeof since !== 'string') return output.fail(since);
    const session = only(options.id, context);
    if (typeof session === 'object' && session !== null) return output.fail(session);
    const by = options.by ?? (session === null ? 'session' : 'model');
    const found = withIndex(context, NOTHING, (index) => ({
      rows: index.spending
        .since(since)
        .filter((row) => session === null || row.session === session),
      open: [...index.spending.openBySession()].filter(
        ([id]) => session === null || id === session,
      ),
      names: new Map(index.list({ all: true }).map(({ id, name }) => [id, name] as const)),
    }));
    const lines = summed(found.rows, (row) => keyOf(row, by));
    const total = summed(found.rows, () => 'total')[0] ?? newLine('total');
    const reserved = found.open.reduce((sum, [, usd]) => sum + usd, 0);
    for (const line of lines) output.line(textOf(line, titleOf(line.key, by, found.names)));
    output.line(lines.length === 0 ? 'nothing was asked of a model' : textOf(total, 'total'));
    if (reserved > 0)
      output.line(`set aside for requests under way or cut off: ${dollars(reserved)}`);
    output.data({
      ok: true,
      by,
      lines: lines.map(jsonOf),
      total: jsonOf(total),
      reserved_usd: reserved,
    });
    return EXIT_DONE;
  });

const NOTHING: {
  readonly rows: readonly SpendingRow[];
  readonly open: readonly (readonly [SessionId, number])[];
  readonly names: ReadonlyMap<SessionId, string>;
} = { rows: [], open: [], names: new Map() };

function firstDay(since: string | undefined, context: VerbContext): string | VerbFailure {
  if (since === undefined) return ALWAYS;
  const now = context.now();
  const ms = parseDuration(since);
  const at = ms === null ? parseClock(since, 0) : now - ms;
  return at === null || at > now
    ? usage(`--since ${since}: expected a duration such as 7d, or a date such as 2030-01-31`)
    : localDay(at);
}

/** Null: all sessions. One whose folder is gone is known by nothing but its whole id. */
function only(id: string | undefined, context: VerbContext): SessionId | VerbFailure | null {
  if (id === undefined) return null;
  const selected = selectSession({ id, fitting: 'any' }, context);
  return selected.ok ? selected.session.id : selected.failure;
}

function keyOf(row: SpendingRow, by: NonNullable<CostOptions['by']>): string {
  switch (by) {
    case 'session':
      return row.session;
    case 'day':
      return row.day;
    case 'month':
      return monthOf(row.day);
    case 'model':
      return row.model;
  }
}

const newLine = (key: string): Line => ({
  key,
  requests: 0,
  usd: 0,
  unpriced: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
});

/** The dearest first; days and months in their order. */
function summed(rows: readonly SpendingRow[], key: (row: SpendingRow) => string): readonly Line[] {
  const lines = new Map<string, Line>();
  for (const row of rows) {
    const name = key(row);
    const line = lines.get(name) ?? newLine(name);
    lines.set(name, line);
    line.requests += row.requests;
    line.usd += row.usd;
    line.unpriced += row.unpriced;
    line.prompt_tokens += row.promptTokens;
    line.completion_tokens += row.completionTokens;
    line.cached_tokens += row.cachedTokens;
  }
  const isDate = (text: string): boolean => /^\d{4}-\d\d/.test(text);
  return [...lines.values()].sort((a, b) =>
    isDate(a.key) && isDate(b.key) ? a.key.localeCompare(b.key) : b.usd - a.usd,
  );
}

const TITLE_CELLS = 40;
const COST_CELLS = 20;

function titleOf(key: string, by: string, names: ReadonlyMap<SessionId, string>): string {
  if (by !== 'session') return key;
  const id = key as SessionId;
  return `${shortId(id)}  ${names.get(id) ?? '(removed)'}`;
}

function textOf(line: Line, title: string): string {
  const shown = fitWidth(cutWidth(sanitiseLine(title), TITLE_CELLS), TITLE_CELLS);
  const tokens = `${count(line.prompt_tokens)} tokens in, ${count(line.completion_tokens)} out`;
  return `${shown}  ${priceText(line).padEnd(COST_CELLS)}  ${plural(line.requests, 'request')}, ${tokens}`;
}

/** `$1.20`, `unknown`, or `$1.20 + unknown`. */
const priceText = ({ usd, unpriced, requests }: Line): string => {
  if (unpriced === 0) return dollars(usd);
  return unpriced === requests ? dollars(null) : `${dollars(usd)} + ${dollars(null)}`;
};

/** `cost_usd` null: it is not known of any request; `unpriced_requests`: it is not known of these. */
const jsonOf = ({ key, usd, unpriced, requests, ...tokens }: Line): object => ({
  key,
  cost_usd: requests > 0 && unpriced === requests ? null : usd,
  requests,
  unpriced_requests: unpriced,
  ...tokens,
});
