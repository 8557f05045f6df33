import { expect, test } from 'vitest';
import type { BudgetLine } from '../../messages/budget.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import type { TodoItem } from '../../messages/journal.js';
import { Reminders } from '../../src/session/reminders.js';
import { SUB } from '../support/session-samples.js';

const todo = (task: string, done = false): TodoItem => ({ task, done });
const line = (spent: number, part: Partial<BudgetLine> = {}): BudgetLine => ({
  scope: 'session',
  unit: 'usd',
  limit: 1,
  spent,
  reserved: 0,
  ...part,
});

interface Asked {
  readonly round: number;
  readonly lastRound?: number | null;
  readonly todos?: readonly TodoItem[];
  readonly budget?: readonly BudgetLine[];
}
const ask = (
  reminders: Reminders,
  { round, lastRound = null, todos = [], budget = [] }: Asked,
  agent = MAIN_AGENT,
): string => reminders.of(agent, { round, share: 0, lastRound }, { todos, budget }).join('\n');

test('two rounds before the last one the limit is named, once, and again only for the same round', () => {
  const reminders = new Reminders();
  const said = [5, 6, 7, 8, 8, 9, 10].map((round) => ask(reminders, { round, lastRound: 10 }));
  expect(said.map((text) => text !== '')).toEqual([false, false, false, true, true, false, false]);
  expect(said[3]).toContain('2 more');
  expect(said[4]).toBe(said[3]);
});

test('open tasks are named every ten rounds in which none was done', () => {
  const reminders = new Reminders();
  const todos = [todo('read', true), todo('write'), todo('check')];
  const said = Array.from({ length: 25 }, (_, i) => ask(reminders, { round: i + 1, todos }));
  const rounds = said.flatMap((text, i) => (text === '' ? [] : [i + 1]));
  expect(rounds).toEqual([11, 21]);
  expect(said[10]).toBe('[Open tasks, none done in the last 10 rounds:\n- write\n- check]');
});

test('a task that is done puts the reminder off, and none open ends it', () => {
  const reminders = new Reminders();
  const before = [todo('read'), todo('write')];
  const after = [todo('read', true), todo('write')];
  const none = [todo('read', true), todo('write', true)];
  const rounds = Array.from({ length: 40 }, (_, i) => i + 1).filter((round) => {
    const todos = round < 8 ? before : round < 25 ? after : none;
    return ask(reminders, { round, todos }) !== '';
  });
  expect(rounds).toEqual([18]);
});

test('of many open tasks the first are named', () => {
  const reminders = new Reminders();
  const todos = Array.from({ length: 8 }, (_, i) => todo(`task ${i + 1}`));
  ask(reminders, { round: 1, todos });
  const said = ask(reminders, { round: 11, todos });
  expect(said).toContain('- task 5\n- and 3 more]');
  expect(said).not.toContain('task 6');
});

test('each share of a limit is told once to each agent, the fullest limit counting', () => {
  const reminders = new Reminders();
  const shares = [0.5, 0.79, 0.8, 0.85, 0.96, 0.97];
  const told = shares.map((spent, i) =>
    ask(reminders, { round: i + 1, budget: [line(0.1), line(spent, { scope: 'day' })] }),
  );
  expect(told.map((text) => /\d+ %/.exec(text)?.[0] ?? '')).toEqual([
    '',
    '',
    '80 %',
    '',
    '96 %',
    '',
  ]);
  expect(told[2]).toContain("the day's limit of cost");
  expect(ask(reminders, { round: 5, budget: [line(0.96)] })).toContain('96 %');
  expect(ask(reminders, { round: 1, budget: [line(0.96)] }, SUB)).toContain('Finish now');
});

test('a limit that was raised is told of again when it fills up again', () => {
  const reminders = new Reminders();
  const said = [0.85, 0.4, 0.85].map((spent, i) =>
    ask(reminders, { round: i + 1, budget: [line(spent)] }),
  );
  expect(said.map((text) => text !== '')).toEqual([true, false, true]);
});

test('a limit of nothing is no share of anything', () => {
  expect(ask(new Reminders(), { round: 1, budget: [line(0, { limit: 0 })] })).toBe('');
});

test('only the main agent keeps the tasks', () => {
  const reminders = new Reminders();
  const todos = [todo('read')];
  ask(reminders, { round: 1, todos }, SUB);
  expect(ask(reminders, { round: 11, todos }, SUB)).toBe('');
});
