import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Todo } from '../../src/tools/todo.js';
import { workbench, type Workbench } from './workbench.js';

interface Noted {
  readonly bench: Workbench;
  readonly noted: (readonly Todo[])[];
  readonly say: (args: unknown) => Promise<string>;
}

function listed(before: readonly Todo[] = []): Noted {
  const noted: (readonly Todo[])[] = [];
  const bench = workbench({
    readTodos: () => before,
    onTodos: (agent, round, todos) => {
      expect([agent, round]).toEqual(['main', 1]);
      noted.push(todos);
      return Promise.resolve();
    },
  });
  return { bench, noted, say: async (args) => (await bench.run('todo', args)).text };
}

const add = (task: string) => ({ action: 'add', task });

test('every answer is the whole list, with a mark at the first open task', async () => {
  const { say } = listed();
  expect(await say({ action: 'list' })).toBe('Tasks: none');
  expect(await say(add('one'))).toBe('Tasks:\n  [ ] 1. one  ← in progress');
  await say(add('two'));
  expect(await say({ action: 'complete', index: 1 })).toBe(
    'Tasks:\n  [x] 1. one\n  [ ] 2. two  ← in progress',
  );
  expect(await say({ action: 'complete', index: 2 })).toBe('Tasks:\n  [x] 1. one\n  [x] 2. two');
  expect(await say({ action: 'remove', index: 1 })).toBe('Tasks:\n  [x] 1. two');
});

test('a task is found by its words too', async () => {
  const { say } = listed([{ task: 'one', done: false }]);
  expect(await say({ action: 'complete', task: 'one' })).toBe('Tasks:\n  [x] 1. one');
});

test('each change is on record, a look at the list is not', async () => {
  const { say, noted } = listed();
  await say(add('one'));
  await say({ action: 'list' });
  await say({ action: 'complete', index: 1 });
  await say({ action: 'complete', index: 7 });
  expect(noted).toEqual([[{ task: 'one', done: false }], [{ task: 'one', done: true }]]);
});

test('the list goes on where an earlier run of the session left it', async () => {
  const { say } = listed([{ task: 'old', done: true }]);
  expect(await say(add('new'))).toBe('Tasks:\n  [x] 1. old\n  [ ] 2. new  ← in progress');
});

test.each([
  [{ action: 'add' }, 'add needs a task.'],
  [{ action: 'complete' }, 'complete needs the index of a task in the list.'],
  [{ action: 'remove', task: 'none' }, 'remove needs the index of a task in the list.'],
  [{ action: 'remove', index: 2 }, 'there is no task 2: the list has 1 task.'],
  [{}, 'action is missing: add, complete, remove or list.'],
])('%j is an error that shows the list', async (args, message) => {
  const { say } = listed([{ task: 'one', done: false }]);
  expect(await say(args)).toBe(`Error: ${message}\nTasks:\n  [ ] 1. one  ← in progress`);
});

test.each([{ action: 'fly' }, { action: 'add', task: '' }, add('x'.repeat(501)), { index: 0 }])(
  '%j does not fit',
  async (args) => {
    expect(await listed().bench.run('todo', args)).toMatchObject({ reason: 'bad-args' });
  },
);

test('a list of 100 tasks is full', async () => {
  const { say } = listed(Array.from({ length: 100 }, () => ({ task: 'x', done: false })));
  expect(await say(add('y'))).toMatch(/^Error: the list is full \(100 tasks\)\. Remove some first/);
});

test('a list that is sent as a whole takes the place of the old one', async () => {
  const { bench, noted } = listed([{ task: 'old', done: false }]);
  const todos = [
    { content: 'one', status: 'completed', activeForm: 'doing one' },
    { content: 'two', status: 'in_progress', activeForm: 'doing two' },
  ];
  const { text } = await bench.run('TodoWrite', { todos });
  expect(text).toBe('Tasks:\n  [x] 1. one\n  [ ] 2. two  ← in progress');
  expect(noted).toEqual([
    [
      { task: 'one', done: true },
      { task: 'two', done: false },
    ],
  ]);
});

test('a change that cannot be put on record does not count', async () => {
  let isBroken = true;
  const bench = workbench({
    onTodos: () => (isBroken ? Promise.reject(new Error('disk full')) : Promise.resolve()),
  });
  expect(await bench.run('todo', add('lost'))).toMatchObject({ reason: 'crashed' });
  isBroken = false;
  expect((await bench.run('todo', add('kept'))).text).not.toContain('lost');
});

test('several changes at once are all made, in the order they were asked for', async () => {
  const { bench } = listed();
  await Promise.all(['a', 'b', 'c'].map((task) => bench.run('todo', add(task))));
  const { text } = await bench.run('todo', { action: 'list' });
  expect(text).toBe('Tasks:\n  [ ] 1. a  ← in progress\n  [ ] 2. b\n  [ ] 3. c');
});

test('whatever the tasks hold, each is one line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 40 }), { maxLength: 5 }),
      async (tasks) => {
        const { say } = listed(tasks.map((task) => ({ task, done: false })));
        const lines = (await say({ action: 'list' })).split(/[\n\r\u2028\u2029]/);
        expect(lines).toHaveLength(tasks.length + 1);
      },
    ),
    { numRuns: 20 },
  );
});
