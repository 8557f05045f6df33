/**
 * What the journal knows of the answers to calls that were cut off. A person who was told that an answer is
 * accepted is not asked again: the call that runs again is given it. An answer belongs to one question of one
 * call, so that a call that asks for something else has to ask.
 */
import type { ActionRequest } from '../messages/actions.js';
import type { CallId } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import type { Answer, Question, QuestionBody } from '../messages/questions.js';
import { answerTo } from './coordinator-questions.js';

interface Answered {
  readonly callId: CallId;
  readonly body: QuestionBody;
  readonly answer: Answer;
}

export interface AnswersState {
  readonly open: readonly Question[];
  /** By the question's id. */
  readonly answered: readonly (readonly [string, Answered])[];
}

export class RecoveredAnswers {
  readonly #open: Map<string, Question>;
  readonly #answered: Map<string, Answered>;

  constructor({ open, answered }: AnswersState = { open: [], answered: [] }) {
    this.#open = new Map(open.map((question) => [question.id, question]));
    this.#answered = new Map(answered);
  }

  get state(): AnswersState {
    return { open: [...this.#open.values()], answered: [...this.#answered] };
  }

  /** Null: nobody has answered this question of the call. */
  of(callId: CallId, body: QuestionBody): Answer | null {
    const asked = JSON.stringify(body);
    for (const known of this.#answered.values()) {
      if (known.callId === callId && JSON.stringify(known.body) === asked) return known.answer;
    }
    return null;
  }

  /** The answer to a question that is not on record as closed; null: there is none. */
  ofQuestion(id: string): Answer | null {
    return this.#answered.get(id)?.answer ?? null;
  }

  apply(row: JournalRow): void {
    switch (row.kind) {
      case 'question.opened':
        this.#open.set(row.body.question.id, row.body.question);
        return;
      case 'question.answered':
        this.#answer(row.body.id, row.body.answer);
        this.#open.delete(row.body.id);
        return;
      case 'user.action':
        this.#hear(row.body.action);
        return;
      case 'tool.outcome':
        for (const [id, { callId }] of this.#answered)
          if (callId === row.body.callId) this.#answered.delete(id);
        return;
      default:
    }
  }

  /** On disk before it is carried out: the process may have died in between. */
  #hear(action: ActionRequest): void {
    if (action.do !== 'answer' && action.do !== 'approve' && action.do !== 'deny') return;
    const question = this.#open.get(action.question);
    // The first one counts, as it did then.
    if (question === undefined || this.#answered.has(question.id)) return;
    const answer = answerTo(action, question);
    if (typeof answer !== 'string') this.#answer(question.id, answer);
  }

  #answer(id: string, answer: Answer): void {
    const question = this.#open.get(id);
    if (question === undefined) return;
    const { callId, body } = question;
    if (answer.status === 'withdrawn') this.#answered.delete(id);
    else this.#answered.set(id, { callId, body, answer });
  }
}
