/**
 * Questions on their way: numbered when they are asked, kept until they are answered, and answered by
 * default when their time is over. The asking agent is held meanwhile; the others go on. Pure.
 */
import type { ActionRequest, ActionResult } from '../messages/actions.js';
import type { Letter } from '../messages/coordinator.js';
import { shortId, type AgentId, type CallId, type Millis } from '../messages/ids.js';
import type { Hold } from '../messages/pause.js';
import {
  promptOf,
  type Answer,
  type Question,
  type QuestionFact,
  type QuestionRequest,
} from '../messages/questions.js';
import { entriesOf } from './coordinator-log.js';
import { withLog, type State } from './coordinator-state.js';

type Step = [State, Letter[]];
type AnsweringAction = Extract<ActionRequest, { do: 'answer' | 'approve' | 'deny' }>;

/** Closed questions that are remembered, to tell who answers late what became of them. */
const MAX_CLOSED = 100;

export function askQuestion(state: State, request: QuestionRequest): Step {
  const { agent, callId, body, until, at } = request;
  const asked = state.asked + 1;
  const question: Question = { id: `q${asked}`, agent, callId, body, since: at, until };
  const fact: QuestionFact = { type: 'question.opened', question, at };
  const questions = [...state.questions, question];
  const next = withLog({ ...state, asked, questions }, ...entriesOf(fact));
  return [next, [{ to: 'observers', message: fact }, ...questionHold(next, agent, at)]];
}

/** The call that asked needs no answer any more. */
export function withdrawQuestion(state: State, callId: CallId, at: Millis): Step {
  const question = state.questions.find((open) => open.callId === callId);
  return question === undefined
    ? [state, []]
    : closeQuestion(state, question, { status: 'withdrawn' }, at);
}

/** Answers by default what has waited long enough. */
export function answerOverdue(state: State, at: Millis): Step {
  const overdue = state.questions.filter(({ until }) => until !== null && until <= at);
  return overdue.reduce<Step>(
    ([current, letters], question) => {
      const [next, more] = closeQuestion(current, question, defaultAnswer(question), at);
      return [next, [...letters, ...more]];
    },
    [state, []],
  );
}

/** What a question is answered with when nobody does. */
export const defaultAnswer = ({ body }: Pick<Question, 'body'>): Answer =>
  body.kind === 'choice'
    ? { status: 'timed_out' }
    : { status: 'denied', reason: 'nobody answered in time' };

/** A person's answer; refused, with the reason, when it does not fit the question. */
export function answerByPerson(
  state: State,
  action: AnsweringAction,
  at: Millis,
): [State, Letter[], ActionResult] {
  const question = state.questions.find(({ id }) => id === action.question);
  if (question === undefined)
    return [state, [], { ok: false, message: notOpen(state, action.question) }];
  const answer = answerTo(action, question);
  if (typeof answer === 'string') return [state, [], { ok: false, message: answer }];
  const [next, letters] = closeQuestion(state, question, answer, at);
  return [next, letters, { ok: true, changed: true, message: `${question.id}: ${answer.status}` }];
}

function notOpen({ closed }: State, id: string): string {
  const known = closed.find((question) => question.id === id);
  return known === undefined
    ? `there is no question ${id}; list the open ones: ouro questions`
    : `${id} is closed: ${known.status}`;
}

/** A text says why the action does not fit. */
export function answerTo(action: AnsweringAction, { id, body }: Question): Answer | string {
  switch (action.do) {
    case 'approve':
      return body.kind === 'approval'
        ? { status: 'approved', scope: action.scope }
        : `${id} asks for a choice, not for an approval: ouro answer ${id} TEXT|N`;
    case 'deny':
      if (body.kind === 'choice') return { status: 'skipped' };
      return { status: 'denied', reason: action.reason };
    case 'answer': {
      if (body.kind === 'approval') {
        return `${id} asks for an approval: ouro approve ${id}, or ouro deny ${id} REASON`;
      }
      return action.edits === undefined
        ? choiceOf(action.text, body.choices, body.editable, id)
        : editOf(action.text, action.edits, body, id);
    }
  }
}

/** A number names a choice, counted from 1; so does its exact text. */
function choiceOf(
  text: string,
  choices: readonly string[],
  editable: boolean,
  id: string,
): Answer | string {
  const number = /^\d+$/.test(text.trim()) ? Number(text.trim()) : null;
  const index = number === null ? choices.indexOf(text) : number - 1;
  const choice = choices[index];
  if (choice !== undefined) return { status: 'selected', index, text: choice };
  if (choices.length === 0 || editable) return { status: 'free_text', text };
  return `${id} has the choices 1 to ${choices.length}; "${text}" is none of them`;
}

/** A choice that a person has changed; unchanged, it was simply chosen. */
function editOf(
  text: string,
  edits: number,
  { choices, editable }: Extract<Question['body'], { kind: 'choice' }>,
  id: string,
): Answer | string {
  const index = edits - 1;
  const choice = choices[index];
  if (choice === undefined) return `${id} has no choice ${edits} that could be changed`;
  if (text === choice) return { status: 'selected', index, text };
  if (!editable) return `${id} takes its choices only as they are: ouro answer ${id} ${edits}`;
  return { status: 'edited', index, text };
}

function closeQuestion(state: State, question: Question, answer: Answer, at: Millis): Step {
  const { id, agent, callId } = question;
  const fact: QuestionFact = { type: 'question.answered', question, answer, at };
  const questions = state.questions.filter((open) => open !== question);
  const closed = [...state.closed, { id, status: answer.status }].slice(-MAX_CLOSED);
  const next = withLog({ ...state, questions, closed }, ...entriesOf(fact));
  return [
    next,
    [
      // On record first: the call may go on as soon as it is told.
      { to: 'observers', message: fact },
      { to: 'asker', message: { type: 'question.answer', callId, answer } },
      ...questionHold(next, agent, at),
    ],
  ];
}

/** One hold an agent, for as long as it has a question; it ends when the first of them is overdue. */
export function questionHold(state: State, agent: AgentId, at: Millis): Letter[] {
  const open = state.questions.filter((question) => question.agent === agent);
  const [first] = open;
  if (first === undefined) {
    return [{ to: 'pause', message: { type: 'pause.lift', kinds: ['question'], scope: agent } }];
  }
  const deadlines = open.flatMap(({ until }) => (until === null ? [] : [until]));
  const address = `${shortId(state.spec.id)}/${first.id}`;
  const hold: Hold = {
    kind: 'question',
    scope: agent,
    since: at,
    until: deadlines.length === 0 ? null : Math.min(...deadlines),
    reason: `${first.id}: ${promptOf(first)}`,
    release:
      first.body.kind === 'approval' ? `ouro approve ${address}` : `ouro answer ${address} TEXT`,
  };
  return [{ to: 'pause', message: { type: 'pause.hold', hold } }];
}
