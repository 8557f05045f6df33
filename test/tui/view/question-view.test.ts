import { expect, test } from 'vitest';
import type { Question } from '../../../messages/questions.js';
import { textOf } from '../../../tui/view/line-editor.js';
import {
  initialView,
  type Effect,
  type ViewEvent,
  type ViewState,
} from '../../../tui/view/view-model.js';
import { step } from '../../../tui/view/view-state.js';
import { snapshot, START } from '../example-session.js';
import { approval, choice } from '../question-samples.js';

const DEAF_MS = 300;

/** A dashboard to which the test does things, one after the other. */
class Person {
  view: ViewState = initialView('attach', { width: 80, height: 24 }, START);
  readonly effects: Effect[] = [];
  #now = START;
  #version = 0;

  happens(event: ViewEvent): this {
    const [view, effects] = step(this.view, event, this.#now);
    this.view = view;
    this.effects.push(...effects);
    return this;
  }

  /** The session shows which questions are open. */
  sees(...questions: readonly Question[]): this {
    this.#version += 1;
    const shown = snapshot({ version: this.#version, questions });
    return this.happens({ type: 'snapshot', snapshot: shown });
  }

  waits(ms = DEAF_MS): this {
    this.#now += ms;
    return this;
  }

  presses(...names: readonly string[]): this {
    for (const name of names) {
      this.happens({ type: 'key', name, text: name.length === 1 ? name : '' });
    }
    return this;
  }

  get open(): string | null {
    return this.view.modal?.question.id ?? null;
  }

  get actions(): readonly unknown[] {
    return this.effects.map((effect) => (effect.type === 'act' ? effect.action : effect));
  }
}

const facing = (...questions: readonly Question[]): Person =>
  new Person().sees(...questions).waits();

const answer = (text: string, question = 'q1'): object => ({ do: 'answer', question, text });

test('the oldest question opens by itself, and stays while newer ones come', () => {
  const person = new Person().sees(approval('q1'), choice('q2'));
  expect(person.open).toBe('q1');
  expect(person.sees(approval('q1'), choice('q2'), choice('q3')).open).toBe('q1');
});

test('what was being typed when a question opened does not answer it', () => {
  const person = new Person().sees(approval('q1'));
  expect(person.waits(DEAF_MS - 1).presses('y', 'a', 'n', 'escape').actions).toEqual([]);
  expect(person.open).toBe('q1');
  expect(person.waits(1).presses('y').actions).toHaveLength(1);
});

test('the question that comes after an answer is deaf at first, too', () => {
  const person = facing(approval('q1'), approval('q2')).presses('y', 'y');
  expect(person.open).toBe('q2');
  expect(person.actions).toEqual([{ do: 'approve', question: 'q1', scope: 'once' }]);
});

test.each([
  ['y', { do: 'approve', question: 'q1', scope: 'once' }],
  ['a', { do: 'approve', question: 'q1', scope: 'session' }],
  ['n', { do: 'deny', question: 'q1', reason: 'denied by the person' }],
])('%s judges what may be run, once', (key, action) => {
  const person = facing(approval('q1')).presses(key, 'y', 'n');
  expect(person.actions).toEqual([action]);
  expect(person.open).toBeNull();
});

test('no other key judges', () => {
  const person = facing(approval('q1')).presses('Y', 'A', 'enter', ' ', '1', 's', 'e', 'p', 'Q');
  expect(person.actions).toEqual([]);
  expect(person.open).toBe('q1');
});

test.each<[string, string[], string]>([
  ['a number', ['2'], '2'],
  ['Enter at first', ['enter'], '1'],
  ['an arrow and Enter', ['down', 'enter'], '2'],
  ['j, k and Enter', ['j', 'j', 'k', 'enter'], '2'],
  ['arrows that stop at the last', ['down', 'down', 'down', 'down', 'enter'], '3'],
  ['arrows that stop at the first', ['up', 'enter'], '1'],
  ['a number that is no choice, then one that is', ['4', '9', '3'], '3'],
])('%s chooses', (_, keys, text) => {
  expect(facing(choice('q1')).presses(...keys).actions).toEqual([answer(text)]);
});

test('s skips a choice', () => {
  const person = facing(choice('q1')).presses('s');
  expect(person.actions).toEqual([{ do: 'deny', question: 'q1', reason: '' }]);
});

test('e changes the choice before it is sent, and Esc goes back to choosing', () => {
  const person = facing(choice('q1', ['red', 'green'], true)).presses('down', 'e', '!');
  expect(person.presses('escape').open).toBe('q1');
  expect(person.presses('e', '!', 'enter').actions).toEqual([
    { do: 'answer', question: 'q1', text: 'green!', edits: 2 },
  ]);
});

test('e does nothing where a choice may not be changed', () => {
  expect(facing(choice('q1')).presses('e', '1').actions).toEqual([answer('1')]);
});

test('without choices any text is the answer, but not an empty one', () => {
  const person = facing(choice('q1', [])).presses('enter', ' ', 'enter');
  expect(person.actions).toEqual([]);
  person.happens({ type: 'paste', text: 'two\nlines' }).presses('s', '1', 'enter');
  expect(person.actions).toEqual([answer('two liness1')]);
});

test('Esc puts a question aside for the next one, and o takes it out again', () => {
  const person = facing(approval('q1'), choice('q2')).presses('escape');
  expect(person.open).toBe('q2');
  person.waits().presses('escape');
  expect(person.open).toBeNull();
  expect(person.sees(approval('q1'), choice('q2')).open).toBeNull();
  expect(person.presses('o').open).toBe('q1');
  expect(person.actions).toEqual([]);
});

test('Esc puts a question aside that asks for text', () => {
  const person = facing(choice('q1', [])).presses('h', 'escape');
  expect(person.open).toBeNull();
  expect(person.presses('o').open).toBe('q1');
});

test('a question that was answered elsewhere closes, and the next one opens', () => {
  const person = facing(approval('q1'), choice('q2')).sees(choice('q2'));
  expect(person.open).toBe('q2');
  expect(person.sees().open).toBeNull();
  expect(person.actions).toEqual([]);
});

test('it closes with the session', () => {
  const person = facing(approval('q1'));
  expect(person.happens({ type: 'ended', end: { kind: 'bye', result: null } }).open).toBeNull();
});

test('nobody is interrupted who is typing, searching, or about to stop the session', () => {
  for (const key of ['i', '/', 'Q']) {
    const person = new Person().sees().presses(key).sees(approval('q1'));
    expect(person.open, key).toBeNull();
    person.presses('n', 'escape').sees(approval('q1'));
    expect(person.open, `${key}, closed again`).toBe('q1');
  }
});

test('words that were being typed are still there after a question', () => {
  const person = new Person().sees().presses('i', 'h', 'o', 'escape');
  person.waits().sees(approval('q1')).waits().presses('y').sees();
  expect(textOf(person.view.draft)).toBe('ho');
});

test('Ctrl+C interrupts, also while the question is deaf', () => {
  const person = new Person().sees(approval('q1')).presses('C-c');
  expect(person.actions).toEqual([{ do: 'interrupt' }]);
  expect(person.open).toBeNull();
});
