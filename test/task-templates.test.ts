import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TASK_TYPES } from '../messages/task-types.js';
import { taskTemplates, taskText } from '../src/task-templates.js';

test.each([
  ['Fix the crash when the file is empty', 'bug_fix'],
  ['Implement a --json flag', 'feature'],
  ['Refactor the parser and rename its files', 'maintenance'],
  ['Why does the build take so long?', 'query'],
  ['Hello', 'fallback'],
])('the words of %j make it %s', (goal, type) => {
  expect(taskTemplates.classifyTask(goal).type).toBe(type);
});

test('any goal has a kind and a confidence from 0 to 1, the same each time', () => {
  fc.assert(
    fc.property(fc.string(), (goal) => {
      const { type, confidence } = taskTemplates.classifyTask(goal);
      expect(TASK_TYPES).toContain(type);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      expect(taskTemplates.classifyTask(goal)).toEqual({ type, confidence });
    }),
  );
  expect(taskTemplates.classifyTask('fix the bug').confidence).toBe(1);
  expect(taskTemplates.classifyTask('fix it and add a test').confidence).toBeLessThanOrEqual(1);
  expect(taskTemplates.classifyTask('Hello').confidence).toBe(0);
});

test.each(TASK_TYPES)(
  'there is a short template for %s, and nothing in it is left open',
  (type) => {
    const text = taskText({ type, confidence: 1 });
    expect(text).toContain(type);
    expect(text).not.toMatch(/[{}]/);
    expect(text.length).toBeLessThan(1_000);
    expect(taskTemplates.loadTemplate(type)).toContain('{task_type}');
  },
);

test('a session that does not go by the kind of its task is told nothing', () => {
  expect(taskText(undefined)).toBe('');
});

test('a name that was not given is an error that lists the names', () => {
  expect(taskTemplates.renderTemplate('a {b} {b}', { b: '{c}' })).toBe('a {c} {c}');
  expect(() => taskTemplates.renderTemplate('a {b} {d}', { c: '1', e: '2' })).toThrow(
    'the template asks for {b}, {d}, which is not known; it can use: c, e',
  );
});
