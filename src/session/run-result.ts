/** Builds the result that ends every run: the `result` line, `--output-format json`, and `ouro wait`. Pure. */
import { resolve } from 'node:path';
import type { Tally } from '../../actors/tally.js';
import { shortId } from '../../messages/ids.js';
import { STREAM_SCHEMA_VERSION, type RunResult } from '../../messages/result.js';
import { EXIT_CODES } from '../../messages/session.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { isRetryable, type Ending, type JudgedEnding } from './ending.js';

export interface RunFacts {
  readonly ending: JudgedEnding;
  readonly durationMs: number;
  readonly snapshot: Snapshot;
  readonly tally: Tally;
  /** Files that were written by sub-agents, by commands, or by any. */
  readonly written?: readonly string[];
}

export function runResult({
  ending,
  durationMs,
  snapshot,
  tally,
  written = [],
}: RunFacts): RunResult {
  const { status, reason, text } = ending;
  const { totals } = snapshot;
  const resumable = status !== 'done';
  return {
    ...emptyResult(ending),
    status,
    reason,
    text,
    structured_output: ending.structured ?? null,
    session_id: snapshot.session,
    rounds: totals.rounds,
    duration_ms: durationMs,
    usage: {
      prompt_tokens: totals.promptTokens,
      completion_tokens: totals.completionTokens,
      cached_tokens: totals.cachedTokens,
    },
    cost_usd: totals.costUsd,
    files_changed: distinct(snapshot.workspace, [...tally.written, ...written]),
    denials: tally.denials,
    holds: snapshot.holds,
    resume_command: resumable
      ? `ouro resume ${shortId(snapshot.session)} ${ending.resumeFlags ?? ''}`.trimEnd()
      : null,
  };
}

/** As they were first named: calls may spell one file in several ways. */
function distinct(workspace: string, paths: readonly string[]): readonly string[] {
  const byPlace = new Map<string, string>();
  for (const path of paths) {
    const place = resolve(workspace, path);
    if (!byPlace.has(place)) byPlace.set(place, path);
  }
  return [...byPlace.values()];
}

/** The result of a run that ended before there was a session. */
export const emptyResult = ({ status, reason, text }: Ending): RunResult => ({
  type: 'result',
  schema_version: STREAM_SCHEMA_VERSION,
  status,
  exit_code: EXIT_CODES[status],
  is_error: status !== 'done',
  reason,
  session_id: null,
  rounds: 0,
  duration_ms: 0,
  usage: { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0 },
  cost_usd: null,
  text,
  structured_output: null,
  files_changed: [],
  verify: [],
  denials: [],
  holds: [],
  artifacts: null,
  retryable: isRetryable(status),
  resume_command: null,
});
