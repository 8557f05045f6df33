/**
 * The way of a call: looked up, checked, judged, put on record, run within its limits, cut to size, put on
 * record again. The one place where what goes wrong in a tool becomes an outcome; `run` never rejects.
 */
import type { CallContext, CallPlan, FinishedCall, Journal, Time } from '../../actors/ports.js';
import type { PermissionJudge } from '../../actors/ports.js';
import type { ToolCall } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import { factOf } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { runWithin } from './limited-run.js';
import { NOT_STARTED } from './outcomes.js';
import { resolveTarget, workspaceTarget, type Boundary, type Target } from './paths.js';
import type { Redact } from './redaction.js';
import { cutText, listed } from './shown.js';
import type { BoundCall, Tool } from './tool.js';
import type { ToolShelf } from './shelf.js';
import { truncate } from './truncate.js';

export interface DispatchParts {
  readonly boundary: Boundary;
  readonly journal: Journal;
  readonly time: Time;
  readonly judge: PermissionJudge;
  readonly shelf: ToolShelf;
  readonly redact: Redact;
  readonly toolTimeoutMs: number;
  readonly maxResultBytes: number;
}

const MAX_SUMMARY = 160;

/** A call that may run. */
interface Ready {
  readonly tool: Tool;
  readonly bound: BoundCall;
  readonly target: Target;
  readonly cwd: string;
}

type Checked =
  | { readonly ok: true; readonly ready: Ready }
  | { readonly ok: false; readonly outcome: ToolOutcome };

export class Dispatch {
  readonly #parts: DispatchParts;
  /** Aborted when no call may run any more. */
  readonly #closing = new AbortController();

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Cancels what runs and refuses what comes. */
  close(): void {
    this.#closing.abort();
  }

  plan(agent: AgentId, call: ToolCall): CallPlan {
    const found = this.#parts.shelf.find(agent, call);
    if (!found.ok) {
      return { effect: found.effect, locks: [], waits: false, summary: summaryOf(call.name, '') };
    }
    const { tool, bound } = found;
    const located = this.#locate(bound);
    const summary = this.#parts.redact(summaryOf(tool.name, bound.about));
    if (!located.ok) return { effect: tool.effect, locks: [], waits: false, summary };
    const locks = bound.locks(located.target, agent);
    return { effect: tool.effect, locks, waits: tool.waits, summary };
  }

  async run(call: ToolCall, context: CallContext): Promise<FinishedCall> {
    const signal = AbortSignal.any([context.signal, this.#closing.signal]);
    if (signal.aborted) return this.#finish(call, context, NOT_STARTED);
    const checked = this.#check(call, context.agent);
    if (!checked.ok) return this.#finish(call, context, checked.outcome);
    const { tool } = checked.ready;
    const body = { callId: call.id, name: call.name, effect: tool.effect };
    try {
      await this.#parts.journal.append([factOf('tool.intent', context.agent, context.round, body)]);
    } catch {
      return this.#finish(call, context, UNRECORDED);
    }
    const outcome = await this.#execute(checked.ready, { ...context, signal });
    return this.#finish(call, context, this.#tidy(outcome, tool));
  }

  #check(call: ToolCall, agent: AgentId): Checked {
    const found = this.#parts.shelf.find(agent, call);
    if (!found.ok) return found;
    const { tool, bound } = found;
    if (bound.refusal !== null) {
      const text = `Error: ${bound.refusal}`;
      return { ok: false, outcome: { status: 'failed', reason: 'refused', text } };
    }
    const located = this.#locate(bound);
    if (!located.ok) return located;
    const { target } = located;
    const cwd = bound.cwd(target, agent) ?? this.#parts.boundary.workspace;
    const subject = bound.subject ?? target.relative;
    const verdict = this.#parts.judge.judge({ tool: tool.name, effect: tool.effect, subject, cwd });
    if (verdict.allowed) return { ok: true, ready: { tool, bound, target, cwd } };
    return { ok: false, outcome: { status: 'denied', rule: verdict.rule, text: verdict.text } };
  }

  #locate({ path }: BoundCall): ReturnType<typeof resolveTarget> {
    const { boundary } = this.#parts;
    if (path === null) return { ok: true, target: workspaceTarget(boundary) };
    return resolveTarget(boundary, path.path, path.access);
  }

  #execute({ tool, bound, target, cwd }: Ready, context: CallContext): Promise<ToolOutcome> {
    const { time, toolTimeoutMs, maxResultBytes: maxBytes } = this.#parts;
    const limitMs = tool.waits ? null : (bound.limitMs ?? toolTimeoutMs);
    return runWithin({ tool, limitMs, time, signal: context.signal }, (signal) =>
      bound.execute({ ...context, signal, target, cwd, maxBytes }),
    );
  }

  /** Secrets go first: a cut could leave half of one. */
  #tidy(outcome: ToolOutcome, tool: Tool): ToolOutcome {
    const { redact, maxResultBytes } = this.#parts;
    const { text, truncated } = truncate(redact(outcome.text), tool.truncation, maxResultBytes);
    if (outcome.status !== 'ok') return { ...outcome, text };
    return { ...outcome, text, truncated: outcome.truncated || truncated };
  }

  #finish(call: ToolCall, { agent, round }: CallContext, outcome: ToolOutcome): FinishedCall {
    const body = { callId: call.id, name: call.name, outcome };
    return {
      outcome,
      committed: this.#parts.journal.append([factOf('tool.outcome', agent, round, body)]),
    };
  }
}

const UNRECORDED: ToolOutcome = {
  status: 'failed',
  reason: 'crashed',
  text: 'Error: the journal could not be written, so nothing was run.',
};

/** One line, whatever the arguments hold. */
function summaryOf(tool: string, about: string): string {
  const text = `${listed(tool)} ${about}`.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return cutText(text, MAX_SUMMARY, '…');
}
