/**
 * The planning phase of a session: which calls have to wait for the plan, when it is over and what the agent
 * is told then. It begins with the session and ends once, with a plan or when its rounds are used up; no later
 * run of the session plans again.
 */
import type { PlanPhase } from '../../actors/ports.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { hasSideEffects, type Effect } from '../../messages/tools.js';

/** Enough to look around; an agent that knows too little by then finds out more by trying. */
const PLANNING_ROUNDS = 10;

const OVER = 'Planning is over: all tools may be used now.';

/** The rounds after which an agent that has not submitted a plan begins all the same. */
export const planningRounds = (maxRounds: number | null): number =>
  Math.min(PLANNING_ROUNDS, Math.floor((maxRounds ?? Infinity) / 2));

export class Planning implements PlanPhase {
  readonly #rounds: number;
  #plan: string | null = null;
  #isAnnounced = false;
  #isReminded = false;

  /** `rows`: what the session's journal holds. */
  constructor(maxRounds: number | null, rows: Iterable<JournalRow> = []) {
    this.#rounds = planningRounds(maxRounds);
    const plans = new Map<string, string>();
    for (const row of rows) if (row.agent === MAIN_AGENT) this.#recall(row, plans);
  }

  /** The plan that was submitted; null: none was. */
  get plan(): string | null {
    return this.#plan;
  }

  get isPlanning(): boolean {
    return this.#plan === null && !this.#isAnnounced;
  }

  /** False: planning is over already, and the plan stays what it was. */
  submit(plan: string): boolean {
    if (!this.isPlanning) return false;
    this.#plan = plan;
    return true;
  }

  /** Why a call has to wait for the plan; null: it need not. */
  refusal(tool: { readonly name: string; readonly effect: Effect }, args: unknown): string | null {
    if (!this.isPlanning) return null;
    const isWork = hasSideEffects(tool.effect) || (tool.name === 'delegate' && forWorker(args));
    return isWork
      ? `${tool.name} changes things or runs commands, and this session is still planning. Look around with the tools that read, then call submit_plan.`
      : null;
  }

  before(round: number): string | null {
    if (this.#isAnnounced || (this.#plan === null && round < this.#rounds)) return null;
    this.#isAnnounced = true;
    return this.#plan === null
      ? `${OVER} There is no plan, and the rounds for it (${this.#rounds}) are used up: begin with what you know.`
      : `${OVER} Carry out your plan, step by step, and check each step:\n\n${this.#plan}`;
  }

  remind(): string | null {
    if (!this.isPlanning || this.#isReminded) return null;
    this.#isReminded = true;
    return 'You are still planning, and nothing was changed yet. Call submit_plan with your plan to begin the work, or, if the goal asks for no change, submit.';
  }

  #recall(row: JournalRow, plans: Map<string, string>): void {
    if (row.kind === 'message.added') {
      const { message } = row.body;
      if (message.role === 'user' && message.origin === 'harness')
        this.#isAnnounced ||= message.text.startsWith(OVER);
      if (message.role !== 'assistant') return;
      for (const { id, name, args } of message.calls)
        if (name === 'submit_plan') plans.set(id, summaryOf(args));
    }
    if (row.kind !== 'tool.outcome' || row.body.outcome.status !== 'ok') return;
    this.#plan ??= plans.get(row.body.callId) ?? null;
  }
}

const forWorker = (args: unknown): boolean =>
  typeof args === 'object' && args !== null && 'type' in args && args.type === 'worker';

const summaryOf = (args: unknown): string =>
  typeof args === 'object' && args !== null && 'summary' in args ? String(args.summary) : '';
