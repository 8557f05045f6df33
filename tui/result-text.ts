/** How a run ended, for a person: what came of it, what it cost, and the commands to go on. */
import type { RunResult } from '../messages/result.js';
import { holdText } from './waiting.js';
import { count, dollars, duration, plural } from './text/amounts.js';
import { paint, type Tone } from './text/colour.js';
import { reveal, sanitiseLine } from './text/sanitise.js';
import { shortId, type SessionId } from '../messages/ids.js';

/** More names than this are a number. */
const LISTED = 5;

const listed = (items: readonly string[]): string => {
  const rest = items.length - LISTED;
  return [...items.slice(0, LISTED), ...(rest > 0 ? [`and ${count(rest)} more`] : [])].join(', ');
};

function toneOf(result: RunResult): Tone {
  if (result.status === 'done') return 'good';
  return result.is_error ? 'bad' : 'warn';
}

function amounts(result: RunResult): string {
  const { usage } = result;
  const cached = usage.cached_tokens > 0 ? ` (${count(usage.cached_tokens)} cached)` : '';
  return [
    plural(result.rounds, 'round'),
    `${count(usage.prompt_tokens)} tokens in${cached}, ${count(usage.completion_tokens)} out`,
    `cost ${dollars(result.cost_usd)}`,
    duration(result.duration_ms),
  ].join(', ');
}

/** In one line: `done: 4 rounds, 1,200 tokens in, 300 out, cost unknown, 37s`. */
export const resultLine = (result: RunResult): string => {
  const reason = sanitiseLine(result.reason);
  const why = reason === '' || reason === result.status ? '' : ` (${reason})`;
  return `${result.status}${why}: ${amounts(result)}`;
};

/** The lines below the first, by label; what has nothing to say is left out. */
function details(result: RunResult): [string, string][] {
  const denials = result.denials.map((one) => `${one.tool} ${reveal(one.summary)} (${one.rule})`);
  const session = result.session_id as SessionId | null;
  const lines: [string, readonly string[]][] = [
    [
      'reason',
      result.status === 'done' || result.reason === '' ? [] : [sanitiseLine(result.reason)],
    ],
    [
      'changed',
      result.files_changed.length === 0 ? [] : [listed(result.files_changed.map(reveal))],
    ],
    ['denied', denials.length === 0 ? [] : [listed(denials.map(sanitiseLine))]],
    ['hold', result.holds.map(holdText)],
    ['go on', result.resume_command === null ? [] : [sanitiseLine(result.resume_command)]],
    ['look', session === null ? [] : [`ouro logs ${shortId(session)}`]],
  ];
  return lines.flatMap(([label, texts]) => texts.map((text): [string, string] => [label, text]));
}

const LABEL_CELLS = 9;

/** Several lines, without the result's own text and without a line end after the last. */
export function resultText(result: RunResult, { colour = false } = {}): string {
  const status = paint(result.status.replaceAll('_', ' '), toneOf(result), colour);
  const lines = details(result).map(
    ([label, text]) => `${paint(`  ${label.padEnd(LABEL_CELLS)}`, 'dim', colour)} ${text}`,
  );
  return [`${status}: ${amounts(result)}`, ...lines].join('\n');
}
