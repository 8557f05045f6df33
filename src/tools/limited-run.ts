/** Runs one tool until it ends, its time is over, or it is cancelled, and says which of them it was. */
import type { Time, Timers } from '../../actors/ports.js';
import { hasSideEffects, type ToolOutcome } from '../../messages/tools.js';
import { fileProblem, isFileError } from './file-errors.js';
import { failed, NOT_STARTED } from './outcomes.js';
import type { Tool, ToolResult } from './tool.js';

export interface Limits {
  readonly tool: Tool;
  /** Null: no limit. */
  readonly limitMs: number | null;
  readonly time: Time;
  readonly signal: AbortSignal;
  /** Left out: the system's own. */
  readonly timers?: Timers | undefined;
}

const SYSTEM_TIMERS: Timers = {
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** A tool ends its processes and returns well within this once it is told to stop. */
const STOP_GRACE_MS = 6_000;

/** Why a call is told to stop. */
const OVER_TIME = 'over time';
const CANCELLED = 'cancelled';

/** Must not reject. */
export async function runWithin(
  limits: Limits,
  execute: (signal: AbortSignal) => Promise<ToolResult>,
): Promise<ToolOutcome> {
  const { tool, limitMs, time, signal, timers = SYSTEM_TIMERS } = limits;
  if (signal.aborted) return NOT_STARTED;
  const began = time.now();
  const stop = new AbortController();
  const onCancel = (): void => stop.abort(CANCELLED);
  signal.addEventListener('abort', onCancel, { once: true });
  const timer =
    limitMs === null ? undefined : timers.setTimeout(() => stop.abort(OVER_TIME), limitMs);
  const overdue = afterStop(stop.signal, timers);
  const end = (): End => ({
    afterMs: stop.signal.reason === OVER_TIME ? time.now() - began : null,
    limitMs,
  });
  try {
    const result = await Promise.race([execute(stop.signal), overdue.passed]);
    if (result === 'overdue') return unfinished(tool, end());
    return result.status === 'stopped' ? stopped(tool, end(), result.text) : result;
  } catch (error) {
    return stop.signal.aborted ? stopped(tool, end(), '') : crashed(tool, error);
  } finally {
    timers.clearTimeout(timer);
    overdue.release();
    signal.removeEventListener('abort', onCancel);
  }
}

interface End {
  /** Null: it was cancelled. */
  readonly afterMs: number | null;
  readonly limitMs: number | null;
}

function afterStop(
  signal: AbortSignal,
  timers: Timers,
): { passed: Promise<'overdue'>; release(): void } {
  let timer: unknown;
  const passed = new Promise<'overdue'>((resolve) => {
    const start = (): void => {
      timer = timers.setTimeout(() => resolve('overdue'), STOP_GRACE_MS);
    };
    signal.addEventListener('abort', start, { once: true });
  });
  return { passed, release: () => timers.clearTimeout(timer) };
}

function stopped(tool: Tool, { afterMs, limitMs }: End, text: string): ToolOutcome {
  const soFar = text === '' ? '' : `\n${text}`;
  if (afterMs === null) {
    return { status: 'cancelled', text: `Error: the call was cancelled while it ran.${soFar}` };
  }
  const what = tool.effect === 'execute' ? 'command' : `tool '${tool.name}'`;
  const message = `Error: ${what} timed out after ${(limitMs ?? afterMs) / 1000} seconds`;
  return { status: 'timeout', afterMs, text: `${message}${soFar}` };
}

/** It was told to stop and did not answer: nobody knows how far it came. */
function unfinished(tool: Tool, end: End): ToolOutcome {
  if (!hasSideEffects(tool.effect)) return stopped(tool, end, '');
  const text =
    `Error: '${tool.name}' was told to stop and did not answer. It may or may not have taken ` +
    'effect: check before you repeat it.';
  return { status: 'unknown', text };
}

function crashed(tool: Tool, error: unknown): ToolOutcome {
  if (isFileError(error)) return failed(`${tool.name}: a file ${fileProblem(error)}`);
  const text = `Error: '${tool.name}' failed inside: ${String(error)}`;
  return { status: 'failed', reason: 'crashed', text };
}
