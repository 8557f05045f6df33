/**
 * The way of a call: admitted, remembered or put on record and run within its limits, shown to the hooks,
 * cut to size, put on record again. The one place where what goes wrong in a tool becomes an outcome; `run`
 * never rejects.
 */
import type {
  CallContext,
  CallPlan,
  ChangeKeeper,
  FinishedCall,
  Journal,
  Time,
  Timers,
  ToolHooks,
} from '../../actors/ports.js';
import type { ToolCall } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import { factOf } from '../../messages/journal.js';
import { hasSideEffects, type ToolOutcome } from '../../messages/tools.js';
import { summaryText, type Admission, type Prepared } from './admission.js';
import { keepText } from './captured-output.js';
import { runWithin } from './limited-run.js';
import { NOT_STARTED } from './outcomes.js';
import type { Redact } from './redaction.js';
import type { ResultCache } from './result-cache.js';
import { present } from './result-text.js';
import type { ToolShelf } from './shelf.js';
import { Turns } from './turns.js';

export interface DispatchParts {
  readonly admission: Admission;
  readonly shelf: ToolShelf;
  readonly cache: ResultCache;
  readonly hooks: ToolHooks | null;
  readonly instructionsFor: ((agent: AgentId, real: string) => string | null) | null;
  readonly guideFor: ((agent: AgentId, tool: string) => string | null) | null;
  /** Null: what calls change is not kept. */
  readonly changes: ChangeKeeper | null;
  readonly journal: Journal;
  readonly time: Time;
  /** Left out: the system's own. */
  readonly timers?: Timers;
  readonly redact: Redact;
  /** Where results that are too long for a model are kept whole. */
  readonly spillDir: string;
  readonly toolTimeoutMs: number;
  readonly maxResultBytes: number;
}

/** A remark is a few lines; what a hook prints must not push out what the tool has found. */
const MAX_HOOK_BYTES = 2_000;

/** The instructions of a folder and the rules for a file are told once, so they may be longer. */
const MAX_INSTRUCTION_BYTES = 8_000;

/** It is never cut: its end is what it is known again by. */
const MAX_GUIDE_BYTES = Infinity;

export class Dispatch {
  readonly #parts: DispatchParts;
  readonly #turns = new Turns();
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Cancels what runs and refuses what comes. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#running) stop.abort();
  }

  plan(agent: AgentId, call: ToolCall): CallPlan {
    const { shelf, admission } = this.#parts;
    const found = shelf.find(agent, call);
    if (!found.ok) {
      return { effect: found.effect, locks: [], waits: false, summary: summaryText(call.name, '') };
    }
    const { tool, bound } = found;
    const { effect, waits } = tool;
    const located = admission.locate(bound);
    const summary = admission.summaryOf(tool, bound);
    if (!located.ok) return { effect, locks: [], waits: false, summary };
    return { effect, locks: bound.locks(located.target, agent), waits, summary };
  }

  async run(call: ToolCall, context: CallContext): Promise<FinishedCall> {
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    if (context.signal.aborted || this.#isClosed) stop.abort();
    context.signal.addEventListener('abort', onAbort, { once: true });
    this.#running.add(stop);
    try {
      const outcome = await this.#outcomeOf(call, { ...context, signal: stop.signal });
      return this.#finish(call, context, outcome);
    } finally {
      this.#running.delete(stop);
      context.signal.removeEventListener('abort', onAbort);
    }
  }

  async #outcomeOf(call: ToolCall, context: CallContext): Promise<ToolOutcome> {
    if (context.signal.aborted) return NOT_STARTED;
    const prepared = this.#parts.admission.prepare(context.agent, call);
    if (!prepared.ok) return prepared.outcome;
    // Before anything is waited for: a later call must not be told what this one is about to change.
    const changes = [this.#announce(prepared)];
    try {
      const admitted = await this.#parts.admission.admit(call, prepared, context);
      if (!admitted.ok) return admitted.outcome;
      const { ready, note } = admitted;
      if (ready !== prepared) changes.push(this.#announce(ready));
      const outcome = await this.#resultOf(call, ready, context);
      return await this.#tidy(outcome, ready, context, note);
    } finally {
      for (const isOver of changes) isOver();
    }
  }

  #announce({ tool, bound, target }: Prepared): () => void {
    if (!hasSideEffects(tool.effect)) return () => undefined;
    return this.#parts.cache.changing(bound.path?.access === 'write' ? target.real : null);
  }

  /** Already without secrets. */
  async #resultOf(call: ToolCall, ready: Prepared, context: CallContext): Promise<ToolOutcome> {
    if (!ready.tool.isCached) return this.#perform(call, ready, context);
    const { tool, bound, target, cwd } = ready;
    const { agent, round } = context;
    const about = { tool: tool.name, args: bound.args, real: target.real, cwd, agent, round };
    const recalled = this.#parts.cache.recall(about);
    if (recalled.found) return recalled.outcome;
    const outcome = await this.#perform(call, ready, context);
    recalled.keep(outcome);
    return outcome;
  }

  async #perform(call: ToolCall, ready: Prepared, context: CallContext): Promise<ToolOutcome> {
    const { journal, redact } = this.#parts;
    const { tool, bound, target } = ready;
    const finished = await this.#turns.take(bound.locks(target, context.agent));
    try {
      const body = { callId: call.id, name: call.name, effect: tool.effect };
      await journal.append([factOf('tool.intent', context.agent, context.round, body)]);
    } catch {
      finished();
      return UNRECORDED;
    }
    const isOver = await this.#keepBefore(ready, context);
    const outcome = await this.#execute(ready, context);
    const remark = await isOver();
    finished();
    const text = remark === null ? outcome.text : `${outcome.text}\n[${remark}]`;
    // Secrets go first: a cut could leave half of one.
    return { ...outcome, text: redact(text) };
  }

  #keepBefore(ready: Prepared, context: CallContext): Promise<() => Promise<string | null>> {
    const { tool, bound, target, cwd } = ready;
    const { changes } = this.#parts;
    if (changes === null || !hasSideEffects(tool.effect) || context.signal.aborted)
      return Promise.resolve(NOTHING_KEPT);
    const { callId, agent, round } = context;
    const path = bound.path?.access === 'write' ? target.real : null;
    const { signal } = context;
    return changes.before({ callId, agent, round, path, command: bound.subject, cwd, signal });
  }

  #execute({ tool, bound, target, cwd }: Prepared, context: CallContext): Promise<ToolOutcome> {
    const { time, timers, toolTimeoutMs, maxResultBytes: maxBytes } = this.#parts;
    const limitMs = tool.waits ? null : (bound.limitMs ?? toolTimeoutMs);
    return runWithin({ tool, limitMs, time, timers, signal: context.signal }, (signal) =>
      bound.execute({ ...context, signal, target, cwd, maxBytes }),
    );
  }

  /** Cut to size, with what hooks have to say below it. */
  async #tidy(
    outcome: ToolOutcome,
    ready: Prepared,
    context: CallContext,
    note: string | null,
  ): Promise<ToolOutcome> {
    const { hooks, redact, maxResultBytes: maxBytes, spillDir } = this.#parts;
    const { agent, round, callId, signal } = context;
    const { tool, bound } = ready;
    const hooked = { callId, agent, round, tool: tool.name, args: bound.args };
    const said = hooks === null ? null : await hooks.after(hooked, outcome, signal);
    const remarks = [note, said].flatMap((text) =>
      text?.trim() ? [{ text: redact(`[hook: ${text.trim()}]`), maxBytes: MAX_HOOK_BYTES }] : [],
    );
    const instructions = this.#instructions(ready, agent, outcome);
    if (instructions !== null)
      remarks.push({ text: redact(instructions), maxBytes: MAX_INSTRUCTION_BYTES });
    const guide = endedByItself(outcome)
      ? (this.#parts.guideFor?.(agent, tool.name) ?? null)
      : null;
    // Last, where it is known again.
    if (guide !== null) remarks.push({ text: guide, maxBytes: MAX_GUIDE_BYTES });
    const keepWhole = (text: string): Promise<string> => keepText(spillDir, callId, text);
    return present(outcome, { how: tool.truncation, maxBytes, remarks, keepWhole });
  }

  /** What people wrote down about the file or folder that the call was about. */
  #instructions({ bound, target }: Prepared, agent: AgentId, outcome: ToolOutcome): string | null {
    if (outcome.status !== 'ok' || bound.path === null) return null;
    return this.#parts.instructionsFor?.(agent, target.real) ?? null;
  }

  #finish(call: ToolCall, { agent, round }: CallContext, outcome: ToolOutcome): FinishedCall {
    const body = { callId: call.id, name: call.name, outcome };
    return {
      outcome,
      committed: this.#parts.journal.append([factOf('tool.outcome', agent, round, body)]),
    };
  }
}

/** Whoever was cancelled in between has other things to read. */
const endedByItself = ({ status }: ToolOutcome): boolean =>
  status === 'ok' || status === 'failed' || status === 'timeout';

const NOTHING_KEPT = (): Promise<null> => Promise.resolve(null);

const UNRECORDED: ToolOutcome = {
  status: 'failed',
  reason: 'crashed',
  text: 'Error: the journal could not be written, so nothing was run.',
};
