/** Hooks in the configuration: what may be said, what is wrong, and whose are taken. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Places } from './support.js';

let places: Places;
beforeEach(() => {
  places = new Places();
});
afterEach(() => places.remove());

test('hooks are kept in their order, with what was left out filled in', () => {
  places.user(`
[[hooks.PreToolUse]]
command = "./check"
matcher = "shell|write_.*"
timeout = 2.5
on_error = "block"
[[hooks.PreToolUse]]
command = "./other"
[[hooks.Stop]]
command = "npm test"
`);
  expect(places.config().hooks).toEqual({
    PreToolUse: [
      { command: './check', matcher: 'shell|write_.*', timeoutMs: 2_500, onError: 'block' },
      { command: './other', matcher: null, timeoutMs: 30_000, onError: 'warn' },
    ],
    Stop: [{ command: 'npm test', matcher: null, timeoutMs: 30_000, onError: 'warn' }],
  });
});

test('without hooks there is nothing, also where the list is empty', () => {
  expect(places.config()).not.toHaveProperty('hooks');
  expect(places.user('[hooks]\nStop = []').config()).not.toHaveProperty('hooks');
});

test.each([
  ['[[hooks.Stop]]\ncommand = " "', 1, 'hooks.Stop', 'a command for the shell'],
  ['[[hooks.Stop]]\ntimeout = 3', 1, 'hooks.Stop', 'a command for the shell'],
  ['[[hooks.Stop]]\ncommand = "x"\ntimeout = 0', 1, 'hooks.Stop', 'above 0'],
  ['[[hooks.Stop]]\ncommand = "x"\nmatcher = "y"', 1, 'hooks.Stop', 'matcher is not known there'],
  [
    '[[hooks.SessionEnd]]\ncommand = "x"\non_error = "block"',
    1,
    'hooks.SessionEnd',
    'on_error is not',
  ],
  [
    '[[hooks.PreToolUse]]\ncommand = "x"\nmatcher = "("',
    1,
    'hooks.PreToolUse',
    'regular expression',
  ],
  [
    '[[hooks.PreToolUse]]\ncommand = "x"\nmathcer = "y"',
    1,
    'hooks.PreToolUse',
    'command, timeout, on_error, matcher',
  ],
  [
    '[[hooks.PreToolUse]]\ncommand = "x"\non_error = "stop"',
    1,
    'hooks.PreToolUse',
    'on_error = "warn"',
  ],
  ['[hooks]\nStop = "npm test"', 2, 'hooks.Stop', 'tables [[hooks.Stop]]'],
  ['[hooks.Stop]\ncommand = "x"', 1, 'hooks.Stop', 'tables [[hooks.Stop]]'],
  ['[[hooks.PreTooluse]]\ncommand = "x"', 1, 'hooks.PreTooluse', 'did you mean hooks.PreToolUse?'],
])('%j', (toml, line, key, expected) => {
  const errors = places.user(toml).errors();
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ file: places.userFile, line, key });
  expect(errors[0]?.message).toContain(expected);
});

test('hooks of a workspace that is not trusted are ignored with one warning, else they come last', () => {
  places.user('[[hooks.Stop]]\ncommand = "mine"').project('[[hooks.Stop]]\ncommand = "theirs"');
  const loaded = places.load();
  expect(loaded.ok && loaded.warnings).toEqual([
    expect.stringContaining('ignored hooks.Stop. This workspace is not trusted'),
  ]);
  const commands = (trusted: boolean) =>
    places.config({ trusted }).hooks?.Stop?.map(({ command }) => command);
  expect(commands(false)).toEqual(['mine']);
  expect(commands(true)).toEqual(['mine', 'theirs']);
});
