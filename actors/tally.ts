/** What an agent's calls have added up to: files written, calls denied, work submitted. Fed in call order. */
import type { ToolCall } from '../messages/conversation.js';
import type { Denial } from '../messages/result.js';
import type { ToolOutcome } from '../messages/tools.js';

/** The tool with which a model says that it is finished. */
const SUBMIT = 'submit';

/** Tools that change the file named by their `path`. */
const WRITERS: readonly string[] = ['write_file', 'edit_file'];

/** Denials are shown one line each; the whole call is in the journal. */
const SUMMARY_CHARS = 200;

export interface Submission {
  readonly summary: string;
  readonly outcome: 'done' | 'partial' | 'blocked';
}

/** `written` and `denials` only grow. */
export interface TallyState {
  readonly written: readonly string[];
  readonly unresolved: readonly string[];
  readonly denials: readonly Denial[];
  readonly submission: Submission | null;
}

export const NO_TALLY: TallyState = { written: [], unresolved: [], denials: [], submission: null };

export class Tally {
  readonly #written: Set<string>;
  readonly #unresolved: Set<string>;
  readonly #denials: Denial[];
  #submission: Submission | null;

  constructor({ written, unresolved, denials, submission }: TallyState = NO_TALLY) {
    this.#written = new Set(written);
    this.#unresolved = new Set(unresolved);
    this.#denials = [...denials];
    this.#submission = submission;
  }

  get state(): TallyState {
    const { written, unresolved, denials, submission } = this;
    return { written, unresolved, denials, submission };
  }

  /** What `submit` said, until somebody says something new. */
  get submission(): Submission | null {
    return this.#submission;
  }

  /** Tools whose newest call was denied: work that was wanted and not done. */
  get unresolved(): readonly string[] {
    return [...this.#unresolved];
  }

  get denials(): readonly Denial[] {
    return this.#denials;
  }

  get written(): readonly string[] {
    return [...this.#written];
  }

  reopen(): void {
    this.#submission = null;
  }

  count({ name, args }: ToolCall, outcome: ToolOutcome): void {
    if (outcome.status === 'denied') {
      this.#unresolved.add(name);
      const summary = JSON.stringify(args).slice(0, SUMMARY_CHARS);
      this.#denials.push({ tool: name, summary, rule: outcome.rule });
    }
    if (outcome.status !== 'ok') return;
    this.#unresolved.delete(name);
    const path = field(args, 'path');
    if (WRITERS.includes(name) && path !== null) this.#written.add(path);
    if (name === SUBMIT) this.#submission = submissionOf(args);
  }
}

/** The tool has checked these arguments; what is missing nevertheless counts as plain success. */
function submissionOf(args: unknown): Submission {
  const outcome = field(args, 'outcome');
  return {
    summary: field(args, 'summary') ?? '',
    outcome: outcome === 'partial' || outcome === 'blocked' ? outcome : 'done',
  };
}

function field(args: unknown, key: string): string | null {
  const value: unknown = (args as Readonly<Record<string, unknown>> | null)?.[key];
  return typeof value === 'string' ? value : null;
}
