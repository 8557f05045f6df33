import { expect, test } from 'vitest';
import { initialState, type State } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import { changeHolds } from '../../actors/pause-controller.js';
import type { ActionRequest } from '../../messages/actions.js';
import type { CoordinatorMessage, Letter } from '../../messages/coordinator.js';
import type { AgentId } from '../../messages/ids.js';
import type { QuestionBody } from '../../messages/questions.js';
import { callId, MAIN, specOf, START, SUB } from '../support/session-samples.js';
import { deepFreeze } from '../support/deep-freeze.js';

const working: State = { ...initialState(specOf(), 'count'), life: 'working' };
const CHOICE: QuestionBody = {
  kind: 'choice',
  prompt: 'Which folder?',
  choices: ['src', 'test'],
  editable: false,
};
const OPEN: QuestionBody = { ...CHOICE, choices: [] };
const APPROVAL: QuestionBody = {
  kind: 'approval',
  tool: 'shell',
  subject: 'make',
  summary: 'shell make',
  rule: 'default',
};

const ask = (
  call: string,
  body: QuestionBody = CHOICE,
  agent: AgentId = MAIN,
  until: number | null = null,
): CoordinatorMessage => ({
  type: 'question.ask',
  agent,
  callId: callId(call),
  body,
  until,
  at: START,
});

/** Takes the messages one after the other; holds are changed as the pause controller does it. */
function hear(...messages: readonly CoordinatorMessage[]) {
  let state = working;
  const letters: Letter[] = [];
  const take = (message: CoordinatorMessage): void => {
    const [next, sent] = step(deepFreeze(state), message);
    state = next;
    letters.push(...sent);
    for (const { to, message: command } of sent) {
      if (to !== 'pause') continue;
      const { holds } = changeHolds(state.holds, command, START);
      take({ type: 'pause.changed', holds, at: START });
    }
  };
  for (const message of messages) take(message);
  return { state, letters, told: told(letters) };
}

/** What each waiting call is told. */
const told = (letters: readonly Letter[]): [string, unknown][] =>
  letters.flatMap((letter) =>
    letter.to === 'asker' ? [[letter.message.callId, letter.message.answer]] : [],
  );

let actions = 0;
const act = (action: ActionRequest): CoordinatorMessage => ({
  type: 'user.action',
  id: `action-${(actions += 1)}`,
  seq: 1,
  action,
  at: START,
});
const answer = (question: string, text: string): CoordinatorMessage =>
  act({ do: 'answer', question, text });
const resultsIn = (letters: readonly Letter[]) =>
  letters.flatMap(({ message }) => (message.type === 'action.done' ? [message.result] : []));

test('a question is numbered, shown, and holds the agent that asked it', () => {
  const { state, letters } = hear(ask('c1'), ask('c2', OPEN, SUB));
  expect(state.questions).toMatchObject([
    { id: 'q1', agent: MAIN, callId: 'c1', body: CHOICE, since: START, until: null },
    { id: 'q2', agent: SUB, callId: 'c2' },
  ]);
  expect(state.holds).toMatchObject([
    { kind: 'question', scope: MAIN, reason: 'q1: Which folder?' },
    { kind: 'question', scope: SUB, release: 'ouro answer 3f0c2a9e/q2 TEXT' },
  ]);
  const observed = letters.filter(({ message }) => message.type === 'question.opened');
  expect(observed).toHaveLength(2);
});

test('a choice that a person has changed counts as edited, where that is allowed', () => {
  const edit = (body: QuestionBody, text: string, edits: number) =>
    hear(ask('c1', body), act({ do: 'answer', question: 'q1', text, edits }));
  const editable: QuestionBody = { ...CHOICE, editable: true };
  const edited = { status: 'edited', index: 1, text: 'tests' };
  expect(edit(editable, 'tests', 2).told).toEqual([['c1', edited]]);
  const selected = { status: 'selected', index: 1, text: 'test' };
  expect(edit(editable, 'test', 2).told).toEqual([['c1', selected]]);
  for (const refused of [edit(CHOICE, 'tests', 2), edit(editable, 'x', 3), edit(OPEN, 'x', 1)]) {
    expect(refused.told).toEqual([]);
    expect(resultsIn(refused.letters)).toMatchObject([{ ok: false }]);
  }
});

test('an answer goes to the call that asked, and lifts the hold', () => {
  const { state, told: heard } = hear(ask('c1'), answer('q1', '2'));
  expect(heard).toEqual([['c1', { status: 'selected', index: 1, text: 'test' }]]);
  expect(state).toMatchObject({ questions: [], holds: [] });
  expect(state.closed).toEqual([{ id: 'q1', status: 'selected' }]);
});

test.each([
  ['its number', CHOICE, '1', { status: 'selected', index: 0, text: 'src' }],
  ['its text', CHOICE, 'test', { status: 'selected', index: 1, text: 'test' }],
  ['any text where there is no choice', OPEN, 'lib', { status: 'free_text', text: 'lib' }],
  [
    'another text where that is allowed',
    { ...CHOICE, editable: true } as const,
    'lib',
    { status: 'free_text', text: 'lib' },
  ],
])('a choice is answered with %s', (_, body, text, expected) => {
  expect(hear(ask('c1', body), answer('q1', text)).told).toEqual([['c1', expected]]);
});

test.each(['0', '3', 'lib', '-1', ''])('%j is none of two choices', (text) => {
  const { state, letters, told: heard } = hear(ask('c1'), answer('q1', text));
  expect(heard).toEqual([]);
  expect(state.questions).toHaveLength(1);
  expect(resultsIn(letters)).toMatchObject([{ ok: false }]);
});

test.each<[ActionRequest, object]>([
  [
    { do: 'approve', question: 'q1', scope: 'session' },
    { status: 'approved', scope: 'session' },
  ],
  [
    { do: 'deny', question: 'q1', reason: 'not now' },
    { status: 'denied', reason: 'not now' },
  ],
])('an approval is answered by %j', (action, expected) => {
  expect(hear(ask('c1', APPROVAL), act(action)).told).toEqual([['c1', expected]]);
});

test('an answer that does not fit the question is refused with the command that does', () => {
  const refused = (body: QuestionBody, action: CoordinatorMessage): string => {
    const [result] = resultsIn(hear(ask('c1', body), action).letters);
    return result?.ok === false ? result.message : '';
  };
  const approve = act({ do: 'approve', question: 'q1', scope: 'once' });
  expect(refused(CHOICE, approve)).toContain('ouro answer q1 TEXT|N');
  expect(refused(APPROVAL, answer('q1', 'yes'))).toContain('ouro approve q1');
});

test('a choice can be left open by denying it', () => {
  const deny = act({ do: 'deny', question: 'q1', reason: '' });
  expect(hear(ask('c1'), deny).told).toEqual([['c1', { status: 'skipped' }]]);
});

test('a question is answered once; who comes late is told what became of it', () => {
  const { letters, told: heard } = hear(ask('c1'), answer('q1', '1'), answer('q1', '2'));
  expect(heard).toHaveLength(1);
  expect(resultsIn(letters)).toMatchObject([
    { ok: true },
    { ok: false, message: 'q1 is closed: selected' },
  ]);
  const [unknown] = resultsIn(hear(answer('q9', '1')).letters);
  expect(unknown).toMatchObject({ ok: false, message: expect.stringContaining('q9') as string });
});

test('what nobody answers in time is answered by default, and nothing else is', () => {
  const due = START + 50;
  const { told: heard, state } = hear(
    ask('c1', CHOICE, MAIN, due),
    ask('c2', APPROVAL, SUB, due),
    ask('c3', CHOICE, SUB, due + 1),
    { type: 'pause.changed', holds: [], at: due },
  );
  expect(heard).toEqual([
    ['c1', { status: 'timed_out' }],
    ['c2', { status: 'denied', reason: 'nobody answered in time' }],
  ]);
  expect(state.questions.map(({ id }) => id)).toEqual(['q3']);
});

test('a call that needs no answer any more takes its question back', () => {
  const withdraw = { type: 'question.withdraw', callId: callId('c1'), at: START } as const;
  const { state, told: heard } = hear(ask('c1'), withdraw, withdraw);
  expect(heard).toEqual([['c1', { status: 'withdrawn' }]]);
  expect(state).toMatchObject({ questions: [], holds: [] });
});

test('an agent stays held until its last question is answered', () => {
  const { state } = hear(ask('c1'), ask('c2'), answer('q1', '1'));
  expect(state.holds).toMatchObject([{ kind: 'question', scope: MAIN }]);
  expect(hear(ask('c1'), ask('c2'), answer('q2', '1'), answer('q1', '1')).state.holds).toEqual([]);
});

test('a hold for questions names one that is open, and the command that answers it', () => {
  const { state } = hear(ask('c1'), ask('c2', APPROVAL), answer('q1', '1'));
  expect(state.holds).toMatchObject([
    { reason: 'q2: may it run shell make?', release: 'ouro approve 3f0c2a9e/q2' },
  ]);
});

test('numbers are not given twice, also after a resume', () => {
  const [state] = step({ ...working, asked: 7 }, ask('c1'));
  expect(state.questions[0]?.id).toBe('q8');
});
