/**
 * The morning report: a fold over the rows of a session's journal. Pure; any beginning of a journal gives a
 * report too, of what had happened until then. What a branch has from its origin counts as said, not as done.
 */
import { MAIN_AGENT, shortId, type Millis, type Seq } from '../../messages/ids.js';
import type { JournalRow, RowBodies } from '../../messages/journal.js';
import { answerText, promptOf, type Question } from '../../messages/questions.js';
import type { SessionSpec } from '../../messages/session.js';
import { CallLedger, textIn } from './call-ledger.js';
import { SideWork } from './side-work.js';
import { HoldSpans } from './hold-spans.js';
import { iso } from './iso.js';
import {
  REPORT_SCHEMA_VERSION,
  type AskedQuestion,
  type ModelFailure,
  type Outcome,
  type SessionReport,
} from './report.js';
import { SpendingFold, type Sums } from './spending.js';
import { WorkDone } from './work-done.js';

export interface ReportWish {
  /** What happened before is left out; null: nothing is. */
  readonly since: Millis | null;
  readonly now: Millis;
  /** Its process lives. */
  readonly isLive: boolean;
  readonly sums: Sums;
  /** Whether a command changes nothing. */
  readonly onlyLooks: (command: string) => boolean;
}

/** Null: the rows do not say what the session is. */
export function reportOn(rows: Iterable<JournalRow>, wish: ReportWish): SessionReport | null {
  const fold = new ReportFold(wish);
  for (const row of rows) fold.apply(row);
  return fold.report();
}

class ReportFold {
  readonly #wish: ReportWish;
  readonly #calls = new CallLedger();
  readonly #holds = new HoldSpans();
  readonly #sideWork = new SideWork();
  readonly #spending: SpendingFold;
  readonly #work: WorkDone;
  readonly #goals: { goal: string; at: string }[] = [];
  readonly #failures: ModelFailure[] = [];
  readonly #discoveries: RowBodies['discovery.added'][] = [];
  readonly #open = new Map<string, Question>();
  readonly #closed: SessionReport['questions']['closed'][number][] = [];
  #todos: RowBodies['todo.set']['todos'] = [];
  #spec: SessionSpec | null = null;
  #ended: RowBodies['session.ended'] | null = null;
  #resumed = 0;
  #lastWords = '';
  #lastTs: Millis = 0;
  /** The newest row that is not the session's own work, or lies before the period. */
  #before: Seq = 0;

  constructor(wish: ReportWish) {
    this.#wish = wish;
    this.#spending = new SpendingFold(wish.sums);
    this.#work = new WorkDone(wish.onlyLooks);
  }

  apply(row: JournalRow): void {
    const { since } = this.#wish;
    const isInherited = row.seq <= 1 + (this.#spec?.forkedFrom?.rows ?? 0);
    if (isInherited || (since !== null && row.ts < since)) this.#before = row.seq;
    this.#lastTs = Math.max(this.#lastTs, row.ts);
    this.#holds.apply(row);
    this.#sideWork.apply(row);
    this.#applyState(row);
    if (this.#before !== row.seq) this.#applyEvent(row);
    const ended = this.#calls.apply(row);
    if (ended === null) return;
    if (ended.call.name === 'submit' && ended.outcome.status === 'ok' && row.agent === MAIN_AGENT)
      this.#lastWords = textIn(ended.call.args, 'summary') || this.#lastWords;
    if (this.#before !== row.seq) this.#work.add(ended);
  }

  /** How things stand: told whatever the period is. */
  #applyState(row: JournalRow): void {
    switch (row.kind) {
      case 'session.started':
      case 'session.resumed':
        this.#spec = row.body.spec;
        this.#work.workspace = this.#spec.workspace;
        this.#ended = null;
        if (row.kind === 'session.resumed') this.#resumed += 1;
        return;
      case 'session.ended':
        this.#ended = row.body;
        return;
      case 'user.action':
        if (row.body.action.do === 'set' && this.#spec !== null)
          this.#spec = { ...this.#spec, model: row.body.action.change.model ?? this.#spec.model };
        return;
      case 'goal.set':
        this.#goals.push({ goal: row.body.goal, at: iso(row.ts) });
        this.#work.beginGoal();
        return;
      case 'message.added': {
        const { message } = row.body;
        const isWords = message.role === 'assistant' && message.text.trim() !== '';
        if (isWords && row.agent === MAIN_AGENT) this.#lastWords = message.text;
        return;
      }
      case 'todo.set':
        this.#todos = row.body.todos;
        return;
      case 'question.opened':
        this.#open.set(row.body.question.id, row.body.question);
        return;
      case 'question.answered':
        this.#close(row.seq, row.body);
        return;
      default:
    }
  }

  #close(seq: Seq, { id, answer }: RowBodies['question.answered']): void {
    const question = this.#open.get(id);
    this.#open.delete(id);
    if (question === undefined || seq === this.#before) return;
    this.#closed.push({ ...askedOf(question), answer: answerText(answer) });
  }

  /** What happened in the period. */
  #applyEvent(row: JournalRow): void {
    this.#spending.apply(row, this.#spec);
    if (row.kind === 'discovery.added') this.#discoveries.push(row.body);
    // An attempt that is made again has such a row too.
    if (row.kind !== 'model.outcome' || row.body.status !== 'failed') return;
    const { agent, round } = row;
    const { kind, message } = row.body.error;
    this.#failures.push({ agent, round, kind, message, at: iso(row.ts) });
  }

  report(): SessionReport | null {
    const spec = this.#spec;
    if (spec === null) return null;
    const { since, now, isLive } = this.#wish;
    const first = this.#before + 1;
    const { forkedFrom: fork } = spec;
    const outcome = this.#outcome();
    return {
      schema_version: REPORT_SCHEMA_VERSION,
      session_id: spec.id,
      name: spec.name,
      workspace: spec.workspace,
      model: spec.model,
      scripted: spec.rehearsal !== null,
      since: since === null ? null : iso(since),
      started_at: iso(spec.startedAt),
      last_heard_at: iso(this.#lastTs),
      forked_from: fork === undefined ? null : { session_id: fork.session, round: fork.round },
      ...(spec.worktree === undefined ? {} : { worktree: spec.worktree }),
      goals: this.#goals,
      outcome,
      usage: this.#spending.usage,
      models: this.#spending.models,
      files: this.#work.files,
      commands: this.#work.commands,
      processes: this.#sideWork.processes(first, isLive),
      sub_agents: this.#sideWork.subAgents(first),
      denials: this.#work.denials,
      unknown_calls: this.#work.unknown,
      model_errors: this.#failures,
      holds: this.#holds.spans(since ?? 0, isLive ? now : this.#lastTs),
      questions: { open: [...this.#open.values()].map(askedOf), closed: this.#closed },
      discoveries: this.#discoveries.map(({ title, description }) => ({ title, description })),
      todos: {
        open: this.#todos.filter(({ done }) => !done).map(({ task }) => task),
        done: this.#todos.filter(({ done }) => done).length,
      },
      unverified: this.#work.unverified(outcome.text),
      go_on: this.#goOn(spec, outcome),
    };
  }

  #outcome(): Outcome {
    const resumed = this.#resumed;
    if (this.#ended !== null) {
      const { status, reason, text } = this.#ended;
      return { status, reason, text: text === '' ? this.#lastWords : text, resumed };
    }
    const { isLive } = this.#wish;
    const held = this.#holds.open.map(({ kind }) => kind);
    const waits = held.length === 0 ? '' : `, held (${held.join(', ')})`;
    const reason = isLive ? `it is at work${waits}` : 'its process ended without a word';
    return { status: isLive ? 'running' : null, reason, text: this.#lastWords, resumed };
  }

  #goOn({ id }: SessionSpec, { status }: Outcome): string[] {
    const short = shortId(id);
    const look = [`ouro show ${short}`, `ouro logs ${short}`];
    if (status === 'done') return [`ouro run -r ${short} "a further goal"`, ...look];
    if (status !== 'running') return [`ouro resume ${short}`, ...look];
    const releases = new Set(this.#holds.open.map(({ release }) => release));
    const questions = this.#open.size > 0 ? ['ouro questions'] : [];
    return [...questions, ...releases, `ouro attach ${short}`, ...look];
  }
}

const askedOf = (question: Question): AskedQuestion => ({
  id: question.id,
  agent: question.agent,
  prompt: promptOf(question),
  asked_at: iso(question.since),
});
