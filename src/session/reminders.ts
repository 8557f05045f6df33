/**
 * What an agent is reminded of with one request only: rounds that are left, open tasks that nobody works on,
 * limits that are nearly reached. Asked again for the same round it says the same, so that a request that is
 * repeated is the same request.
 */
import type { BudgetLine } from '../../messages/budget.js';
import { MAIN_AGENT, type AgentId } from '../../messages/ids.js';
import type { TodoItem } from '../../messages/journal.js';

/** The request that is about to be sent. */
export interface Moment {
  readonly round: number;
  /** How full the window is. */
  readonly share: number;
  /** The last round there will be; null: no limit. */
  readonly lastRound: number | null;
}

export interface Surroundings {
  readonly todos: readonly TodoItem[];
  readonly budget: readonly BudgetLine[];
}

/** Enough rounds to bring the work to an end that can be left like that. */
const ROUNDS_BEFORE_LIMIT = 2;

/** An agent that finishes tasks needs no reminder; one that does not has lost sight of them by then. */
const TASK_ROUNDS = 10;

/** Open tasks named in a reminder; how many there are is said in any case. */
const NAMED_TASKS = 5;

/** Shares of a limit at which an agent is told; the person is told at 50 % too. */
const BUDGET_SHARES: readonly number[] = [0.95, 0.8];

/** What one agent was told last, and in which round. */
interface Told {
  share: number;
  round: number;
}

export class Reminders {
  readonly #budget = new Map<AgentId, Told>();
  /** The round of the newest progress with the tasks. */
  #progress: { round: number; done: number } | null = null;

  of(agent: AgentId, { round, lastRound }: Moment, about: Surroundings): readonly string[] {
    return [
      lastRound === null ? null : roundsText(lastRound - round),
      this.#budgetText(agent, round, about.budget),
      agent === MAIN_AGENT ? this.#tasksText(round, about.todos) : null,
    ].filter((text) => text !== null);
  }

  #budgetText(agent: AgentId, round: number, lines: readonly BudgetLine[]): string | null {
    const [fullest] = lines.toSorted((a, b) => usedOf(b) - usedOf(a));
    if (fullest === undefined) return null;
    const share = BUDGET_SHARES.find((each) => usedOf(fullest) >= each) ?? 0;
    const told = this.#budget.get(agent) ?? { share: 0, round: 0 };
    // A limit that was raised is reached again.
    if (share !== told.share)
      this.#budget.set(agent, { share, round: share > told.share ? round : 0 });
    if (this.#budget.get(agent)?.round !== round) return null;
    const { scope, unit } = fullest;
    const what = `the ${scope}'s limit of ${unit === 'usd' ? 'cost' : 'tokens'}`;
    return `[Budget notice: ${Math.round(usedOf(fullest) * 100)} % of ${what} is used. ${adviceAt(share)}]`;
  }

  #tasksText(round: number, todos: readonly TodoItem[]): string | null {
    const open = todos.filter(({ done }) => !done);
    const done = todos.length - open.length;
    if (open.length === 0) this.#progress = null;
    else if (this.#progress === null || done !== this.#progress.done)
      this.#progress = { round, done };
    const since = this.#progress === null ? 0 : round - this.#progress.round;
    if (since === 0 || since % TASK_ROUNDS !== 0) return null;
    const named = open.slice(0, NAMED_TASKS).map(({ task }) => `- ${task}`);
    const more = open.length > NAMED_TASKS ? [`- and ${open.length - NAMED_TASKS} more`] : [];
    return (
      [`[Open tasks, none done in the last ${since} rounds:`, ...named, ...more].join('\n') + ']'
    );
  }
}

const usedOf = ({ spent, limit }: BudgetLine): number => (limit > 0 ? spent / limit : 0);

const adviceAt = (share: number): string =>
  share >= 0.95 ? 'Finish now, with what is there.' : 'Prefer finishing to exploring.';

const roundsText = (left: number): string | null =>
  left === ROUNDS_BEFORE_LIMIT
    ? `[Round notice: after this round there are ${left} more. Bring the work to an end, and say what is left undone.]`
    : null;
