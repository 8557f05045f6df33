/** What `ouro ls` and `ouro status` print. Pure: rows or a snapshot in, text out, no line end after the last. */
import { shortId, type Millis, type SessionId } from '../messages/ids.js';
import type { Hold } from '../messages/pause.js';
import { hasEnded, type SessionState } from '../messages/session.js';
import type { AgentView, OpenCall, Snapshot } from '../messages/snapshot.js';
import { budgetText } from './budget-text.js';
import { count, dollars, duration, plural } from './text/amounts.js';
import {
  cutStart,
  cutWidth,
  displayWidth,
  fitWidth,
  reveal,
  sanitiseLine,
} from './text/sanitise.js';
import { holdText } from './waiting.js';

/** A session as `ouro ls` lists it. */
export interface SessionRow {
  readonly id: SessionId;
  readonly name: string;
  readonly state: SessionState;
  readonly holds: readonly Hold[];
  /** Until all of them are over by themselves; null or left out: they are not. */
  readonly heldMs?: number | null;
  readonly rounds: number;
  /** Dollars; null: unknown. */
  readonly costUsd: number | null;
  /** Since it was started. */
  readonly ageMs: number;
  readonly workspace: string;
  /** Null: no process. */
  readonly pid: number | null;
}

/** What waits for a person first, then what runs, then what is over; the youngest first in each. */
export function waitingFirst(rows: readonly SessionRow[]): SessionRow[] {
  const rank = (row: SessionRow): number => {
    if (row.state === 'held' || row.holds.length > 0) return 0;
    return hasEnded(row.state) ? 2 : 1;
  };
  return rows.toSorted((a, b) => rank(a) - rank(b) || a.ageMs - b.ageMs);
}

interface Column {
  readonly title: string;
  readonly cell: (row: SessionRow) => string;
  readonly right?: boolean;
  /** Cells it may shrink to where the terminal is narrow. */
  readonly shrink?: { readonly to: number; readonly keepEnd: boolean };
}

function holdsCell({ holds, heldMs = null }: SessionRow): string {
  if (holds.length === 0) return '-';
  const kinds = holds.map((hold) => hold.kind).join(',');
  return heldMs === null ? kinds : `${kinds} ${duration(Math.max(0, heldMs))}`;
}

const COLUMNS: readonly Column[] = [
  { title: 'ID', cell: (row) => shortId(row.id) },
  { title: 'NAME', cell: (row) => row.name, shrink: { to: 6, keepEnd: false } },
  { title: 'STATE', cell: (row) => row.state },
  {
    title: 'HOLDS',
    cell: holdsCell,
    shrink: { to: 6, keepEnd: false },
  },
  { title: 'ROUNDS', cell: (row) => count(row.rounds), right: true },
  { title: 'COST', cell: (row) => dollars(row.costUsd), right: true },
  { title: 'AGE', cell: (row) => duration(row.ageMs), right: true },
  { title: 'WORKSPACE', cell: (row) => row.workspace, shrink: { to: 10, keepEnd: true } },
  { title: 'PID', cell: (row) => (row.pid === null ? '-' : String(row.pid)), right: true },
];
const GAP = '  ';
/** Shrunk in this order until the table fits. */
const SHRINK_ORDER = ['WORKSPACE', 'NAME', 'HOLDS'] as const;

function columnWidths(cells: readonly (readonly string[])[], width: number): number[] {
  const widths = COLUMNS.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((row) => displayWidth(row[at] ?? ''))),
  );
  const total = widths.reduce((sum, one) => sum + one, GAP.length * (COLUMNS.length - 1));
  let excess = Math.max(0, total - width);
  for (const title of SHRINK_ORDER) {
    const at = COLUMNS.findIndex((column) => column.title === title);
    const now = widths[at] ?? 0;
    const cut = Math.min(excess, Math.max(0, now - (COLUMNS[at]?.shrink?.to ?? now)));
    widths[at] = now - cut;
    excess -= cut;
  }
  return widths;
}

function layCell(text: string, column: Column, cells: number): string {
  const shown = column.shrink?.keepEnd === true ? cutStart(text, cells) : text;
  const padding = ' '.repeat(Math.max(0, cells - displayWidth(shown)));
  return column.right === true ? padding + shown : fitWidth(shown, cells);
}

/** Waiting sessions first. `width`: cells of the terminal; Infinity where there is none. */
export function sessionTable(rows: readonly SessionRow[], width: number): string {
  if (rows.length === 0) return 'no sessions; start one with: ouro start "GOAL"';
  const cells = waitingFirst(rows).map((row) =>
    COLUMNS.map((column) => sanitiseLine(column.cell(row))),
  );
  const widths = columnWidths(cells, width);
  const lines = [COLUMNS.map((column) => column.title), ...cells].map((texts) =>
    COLUMNS.map((column, at) => layCell(texts[at] ?? '', column, widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return lines.map((line) => cutWidth(line, width)).join('\n');
}

const LABEL_CELLS = 11;

function agentLine(agent: AgentView, now: Millis): string {
  const state = agent.end ?? agent.phase;
  const until = agent.until === null ? '' : `, ${duration(agent.until - now)} left`;
  const detail = agent.detail === '' ? '' : `: ${agent.detail}`;
  const context = `${count(agent.contextTokens)} tokens in context`;
  return `${agent.id}  ${state}, round ${agent.round}, ${context}${until}${detail}`;
}

const callLine = (call: OpenCall, now: Millis): string =>
  `${call.agent}  ${duration(now - call.startedAt)}  ${reveal(call.summary)}`;

/** One session, for `ouro status`. */
export function statusText(snapshot: Snapshot, now: Millis): string {
  const { totals } = snapshot;
  const limit = snapshot.maxRounds === null ? '' : ` (limit ${count(snapshot.maxRounds)} of main)`;
  const server = snapshot.scripted ? ' (scripted, no real model)' : ` at ${snapshot.baseUrl}`;
  const lines: [string, readonly string[]][] = [
    ['session', [`${shortId(snapshot.session)}  ${snapshot.name}`]],
    ['state', [`${snapshot.state}, started ${duration(now - snapshot.startedAt)} ago`]],
    ['hold', snapshot.holds.map(holdText)],
    ['goal', [snapshot.goal]],
    ['workspace', [snapshot.workspace]],
    ['model', [`${snapshot.model}${server}`]],
    ['permission', [`mode ${snapshot.permissionMode}, sandbox ${snapshot.sandbox}`]],
    ['agent', snapshot.agents.map((agent) => agentLine(agent, now))],
    ['running', snapshot.calls.map((call) => callLine(call, now))],
    ['rounds', [`${count(totals.rounds)}${limit}, ${plural(totals.toolCalls, 'tool call')}`]],
    [
      'tokens',
      [
        `${count(totals.promptTokens)} in, ${count(totals.completionTokens)} out, ` +
          `${count(totals.cachedTokens)} cached`,
      ],
    ],
    ['cost', [dollars(totals.costUsd)]],
    ['budget', (snapshot.budget ?? []).map(budgetText)],
    ['denied', totals.denials === 0 ? [] : [plural(totals.denials, 'call')]],
    ['found', snapshot.discoveries.map((one) => one.title)],
  ];
  return lines
    .flatMap(([label, texts]) =>
      texts.map((text) => `${fitWidth(label, LABEL_CELLS)}${sanitiseLine(text)}`),
    )
    .join('\n');
}
