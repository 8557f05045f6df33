/**
 * Whether a call may run: looked up and checked, judged, where the rules leave it open put to a person, and
 * shown to the operator's hooks. What a hook has changed is checked and judged like a call of its own.
 */
import type {
  Approver,
  CallContext,
  HookVerdict,
  PermissionJudge,
  ToolHooks,
} from '../../actors/ports.js';
import type { ToolCall } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { NOT_STARTED } from './outcomes.js';
import { resolveTarget, workspaceTarget, type Boundary, type Target } from './paths.js';
import type { Redact } from './redaction.js';
import type { ToolShelf } from './shelf.js';
import { cutText, listed } from './shown.js';
import type { PlanDesk } from './submit-plan.js';
import type { BoundCall, Tool } from './tool.js';

export interface AdmissionParts {
  readonly boundary: Boundary;
  readonly judge: PermissionJudge;
  /** Null: what the rules leave open is refused. */
  readonly approver: Approver | null;
  readonly hooks: ToolHooks | null;
  readonly shelf: ToolShelf;
  readonly redact: Redact;
  /** Null or left out: the session does not plan. */
  readonly planning?: Pick<PlanDesk, 'refusal'> | null;
}

/** A call that makes sense; whether it may run is another question. */
export interface Prepared {
  readonly tool: Tool;
  readonly bound: BoundCall;
  readonly target: Target;
  readonly cwd: string;
}

type Refusal = { readonly ok: false; readonly outcome: ToolOutcome };

/** `note`: what a hook wants the model to be told. */
export type Admitted =
  { readonly ok: true; readonly ready: Prepared; readonly note: string | null } | Refusal;

const MAX_SUMMARY = 160;

/** Of what a hook says. */
const MAX_REASON = 2_000;

export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Waits for nothing. */
  prepare(agent: AgentId, call: ToolCall): ({ readonly ok: true } & Prepared) | Refusal {
    const { shelf, boundary, planning } = this.#parts;
    const found = shelf.find(agent, call);
    if (!found.ok) return found;
    const { tool, bound } = found;
    const refusal = planning?.refusal(tool, bound.args) ?? bound.refusal;
    if (refusal !== null) {
      const text = `Error: ${refusal}`;
      return { ok: false, outcome: { status: 'failed', reason: 'refused', text } };
    }
    const located = this.locate(bound);
    if (!located.ok) return located;
    const { target } = located;
    const cwd = bound.cwd(target, agent) ?? boundary.workspace;
    return { ok: true, tool, bound, target, cwd };
  }

  locate({ path }: BoundCall): ReturnType<typeof resolveTarget> {
    const { boundary } = this.#parts;
    if (path === null) return { ok: true, target: workspaceTarget(boundary) };
    return resolveTarget(boundary, path.path, path.access);
  }

  /** One line for people. */
  summaryOf(tool: Tool, bound: BoundCall): string {
    return this.#parts.redact(summaryText(tool.name, bound.about));
  }

  async admit(call: ToolCall, prepared: Prepared, context: CallContext): Promise<Admitted> {
    const refusal = await this.#permit(prepared, context);
    if (refusal !== null) return { ok: false, outcome: refusal };
    const { hooks } = this.#parts;
    if (hooks === null) return { ok: true, ready: prepared, note: null };
    const { agent, round, callId, signal } = context;
    const { tool, bound } = prepared;
    const verdict = await hooks.before(
      { callId, agent, round, tool: tool.name, args: bound.args },
      signal,
    );
    if (signal.aborted) return { ok: false, outcome: NOT_STARTED };
    return this.#heed(verdict, call, prepared, context);
  }

  async #heed(
    verdict: HookVerdict,
    call: ToolCall,
    prepared: Prepared,
    context: CallContext,
  ): Promise<Admitted> {
    switch (verdict.decision) {
      case 'go':
        return { ok: true, ready: prepared, note: verdict.message };
      case 'block':
        return { ok: false, outcome: this.#blocked(prepared.tool, verdict.reason) };
      case 'change': {
        const changed: ToolCall = { id: call.id, name: prepared.tool.name, args: verdict.args };
        const ready = this.prepare(context.agent, changed);
        if (!ready.ok) return { ok: false, outcome: causedByHook(ready.outcome) };
        const refusal = await this.#permit(ready, context);
        if (refusal !== null) return { ok: false, outcome: causedByHook(refusal) };
        return { ok: true, ready, note: verdict.message ?? 'A hook changed the arguments.' };
      }
    }
  }

  /** Null: it may run. */
  async #permit(prepared: Prepared, context: CallContext): Promise<ToolOutcome | null> {
    const { judge, approver } = this.#parts;
    const { tool, bound, target, cwd } = prepared;
    const { name, effect } = tool;
    const subject = bound.subject ?? target.relative;
    let verdict = judge.judge({ tool: name, effect, subject, cwd });
    if (!verdict.allowed && verdict.ask === true && approver !== null) {
      const { rule } = verdict;
      const summary = this.summaryOf(tool, bound);
      const request = { tool: name, effect, subject, summary, rule };
      // A person may take hours: whoever waits for the same place goes first.
      verdict = await context.parked(() => approver.approve(request, context));
      if (context.signal.aborted) return NOT_STARTED;
    }
    return verdict.allowed ? null : { status: 'denied', rule: verdict.rule, text: verdict.text };
  }

  #blocked(tool: Tool, reason: string): ToolOutcome {
    const said = cutText(this.#parts.redact(reason.trim()), MAX_REASON, '…');
    const text =
      `Denied: a hook of the operator blocked this call of ${tool.name}: ` +
      `${said || 'it gave no reason.'}\nDo not repeat it unchanged.`;
    return { status: 'denied', rule: 'hook PreToolUse', text };
  }
}

const causedByHook = (outcome: ToolOutcome): ToolOutcome => ({
  ...outcome,
  text: `A hook of the operator changed the arguments, and so they were not accepted.\n${outcome.text}`,
});

/** One line, whatever the arguments hold. */
export function summaryText(tool: string, about: string): string {
  const text = `${listed(tool)} ${about}`.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return cutText(text, MAX_SUMMARY, '…');
}
