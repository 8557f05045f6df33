/** `todo`: the session's list of tasks. Every answer is the whole list, as it is on record. */
import { z } from 'zod';
import type { AgentId } from '../../messages/ids.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { done, failed } from './outcomes.js';
import { countText } from './shown.js';
import { defineTool, type Tool } from './tool.js';

export interface Todo {
  readonly task: string;
  readonly done: boolean;
}

export type OnTodos = (agent: AgentId, round: number, todos: readonly Todo[]) => Promise<unknown>;

export interface TodoParts {
  /** The list as it is on record; asked once, before the first use. */
  readonly readTodos: () => readonly Todo[];
  /** Puts the new list on record. A rejection means that it is not, and the list stays as it was. */
  readonly onTodos: OnTodos;
}

/** A longer list is a document, and belongs into a file. */
const MAX_TASKS = 100;
const MAX_TASK = 500;

const shown = z.strictObject({
  action: z.enum(['add', 'complete', 'remove', 'list']),
  task: z.string().min(1).max(MAX_TASK).optional(),
  index: z.int().min(1).optional(),
});

/** Other programs send the whole list at once. */
const schema = shown.extend({
  action: shown.shape.action.optional(),
  todos: z
    .array(z.looseObject({ content: z.string().min(1).max(MAX_TASK), status: z.string() }))
    .max(MAX_TASKS)
    .optional(),
});
type Args = z.output<typeof schema>;

export function todoTool(parts: TodoParts): Tool {
  let todos: readonly Todo[] | null = null;
  return defineTool({
    name: 'todo',
    description: 'Keep a list of tasks.',
    effect: 'none',
    schema,
    advertised: shown,
    about: ({ action = 'set', task, index }) => [action, task ?? index ?? ''].join(' '),
    // One after the other, in the order in which they were asked for.
    locks: () => ['todo'],
    async execute(args, { agent, round }) {
      todos ??= parts.readTodos();
      const next = changed(todos, args);
      if (typeof next === 'string') return failed(`${next}\n${listText(todos)}`);
      if (next !== todos) await parts.onTodos(agent, round, next);
      todos = next;
      return listed(todos);
    },
  });
}

/** A string says why it cannot be done. */
function changed(todos: readonly Todo[], args: Args): readonly Todo[] | string {
  const { action, task, index, todos: all } = args;
  if (action === undefined) {
    if (all === undefined) return 'action is missing: add, complete, remove or list.';
    return all.map(({ content, status }) => ({ task: content, done: status === 'completed' }));
  }
  switch (action) {
    case 'list':
      return todos;
    case 'add':
      if (task === undefined) return 'add needs a task.';
      if (todos.length >= MAX_TASKS)
        return `the list is full (${MAX_TASKS} tasks). Remove some first.`;
      return [...todos, { task, done: false }];
    case 'complete':
    case 'remove': {
      const at = positionOf(todos, args);
      if (at === null) return `${action} needs the index of a task in the list.`;
      if (at >= todos.length)
        return `there is no task ${index}: the list has ${countText(todos.length, 'task')}.`;
      if (action === 'remove') return todos.filter((_, position) => position !== at);
      return todos.map((todo, position) => (position === at ? { ...todo, done: true } : todo));
    }
  }
}

/** By its number, or by its words. */
function positionOf(todos: readonly Todo[], { index, task }: Args): number | null {
  if (index !== undefined) return index - 1;
  const at = todos.findIndex((todo) => todo.task === task);
  return at < 0 ? null : at;
}

const listed = (todos: readonly Todo[]): ToolOutcome => done(listText(todos));

function listText(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'Tasks: none';
  const current = todos.findIndex((todo) => !todo.done);
  const lines = todos.map(({ task, done: isDone }, at) => {
    const mark = at === current ? '  ← in progress' : '';
    return `  [${isDone ? 'x' : ' '}] ${at + 1}. ${oneLine(task)}${mark}`;
  });
  return ['Tasks:', ...lines].join('\n');
}

const oneLine = (task: string): string => task.replace(/\s+/g, ' ').trim();
