/**
 * The question that stands in front of everything else: which one it is, and what its keys do. It ignores
 * keys at first, so that what was being typed when it opened does not answer it.
 */
import type { ActionRequest } from '../../messages/actions.js';
import type { Millis } from '../../messages/ids.js';
import type { Question } from '../../messages/questions.js';
import type { Input } from '../terminal/key-input.js';
import { edit, editorWith, EMPTY_LINE, textOf, type LineEditor } from './line-editor.js';
import type { OpenModal, Step, ViewState } from './view-model.js';

type Key = Extract<Input, { type: 'key' }>;

const DEAF_MS = 300;

const only = (state: ViewState): Step => [state, []];

/** Opens the oldest question that was not put aside; closes one that was answered elsewhere. */
export function withQuestion(state: ViewState): ViewState {
  const open = state.snapshot?.questions ?? [];
  const kept = open.some(({ id }) => id === state.modal?.question.id) && state.end === null;
  if (kept) return state;
  const next = open.find(({ id }) => !state.putAside.has(id));
  const mayOpen = state.end === null && state.typing === null && !state.confirmingStop;
  return { ...state, modal: next !== undefined && mayOpen ? modalOf(next, state.now) : null };
}

function modalOf(question: Question, openedAt: Millis): OpenModal {
  const { body } = question;
  const free = body.kind === 'choice' && body.choices.length === 0;
  return { question, openedAt, choice: 0, draft: free ? EMPTY_LINE : null };
}

/** Takes the questions out again that were put aside. */
export const reopenQuestions = (state: ViewState): ViewState =>
  withQuestion({ ...state, putAside: new Set() });

const putAside = (state: ViewState, { question }: OpenModal): ViewState =>
  withQuestion({
    ...state,
    modal: null,
    putAside: new Set([...state.putAside, question.id]),
  });

/** What was typed just before it opened is not meant for it. */
export const isDeaf = ({ now }: ViewState, { openedAt }: OpenModal): boolean =>
  now - openedAt < DEAF_MS;

export function onModalKey(state: ViewState, modal: OpenModal, key: Key): Step {
  if (isDeaf(state, modal)) return only(state);
  if (modal.draft !== null) return write(state, modal, modal.draft, key);
  if (key.name === 'escape') return only(putAside(state, modal));
  return modal.question.body.kind === 'approval'
    ? judge(state, modal, key.name)
    : choose(state, modal, key.name);
}

function judge(state: ViewState, modal: OpenModal, key: string): Step {
  const question = modal.question.id;
  switch (key) {
    case 'y':
      return answered(state, modal, { do: 'approve', question, scope: 'once' });
    case 'a':
      return answered(state, modal, { do: 'approve', question, scope: 'session' });
    case 'n':
      return answered(state, modal, { do: 'deny', question, reason: 'denied by the person' });
    default:
      return only(state);
  }
}

function choose(state: ViewState, modal: OpenModal, key: string): Step {
  const { body, id: question } = modal.question;
  if (body.kind !== 'choice') return only(state);
  const last = body.choices.length - 1;
  const to = (choice: number): Step =>
    only({ ...state, modal: { ...modal, choice: Math.max(0, Math.min(last, choice)) } });
  const select = (choice: number): Step =>
    choice > last
      ? only(state)
      : answered(state, modal, { do: 'answer', question, text: String(choice + 1) });
  if (/^[1-9]$/.test(key)) return select(Number(key) - 1);
  switch (key) {
    case 'up':
    case 'k':
      return to(modal.choice - 1);
    case 'down':
    case 'j':
      return to(modal.choice + 1);
    case 'enter':
      return select(modal.choice);
    case 's':
      return answered(state, modal, { do: 'deny', question, reason: '' });
    case 'e': {
      const draft = editorWith(body.choices[modal.choice] ?? '');
      return only(body.editable ? { ...state, modal: { ...modal, draft } } : state);
    }
    default:
      return only(state);
  }
}

function write(state: ViewState, modal: OpenModal, draft: LineEditor, key: Key): Step {
  const { body, id: question } = modal.question;
  const choosing = body.kind === 'choice' && body.choices.length > 0;
  if (key.name === 'escape') {
    return only(choosing ? { ...state, modal: { ...modal, draft: null } } : putAside(state, modal));
  }
  if (key.name !== 'enter') {
    return only({ ...state, modal: { ...modal, draft: edit(draft, key.name, key.text) } });
  }
  const text = textOf(draft).trim();
  if (text === '') return only(state);
  const edits = choosing ? { edits: modal.choice + 1 } : {};
  return answered(state, modal, { do: 'answer', question, text, ...edits });
}

/** It closes when the session says that it is answered; until then it takes no further key. */
const answered = (state: ViewState, modal: OpenModal, action: ActionRequest): Step => [
  putAside(state, modal),
  [{ type: 'act', action }],
];
