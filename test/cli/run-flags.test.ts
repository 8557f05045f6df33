import { expect, test } from 'vitest';
import { settingsOf } from '../../src/cli/run-flags.js';

test('a flag under its other name sets the same', () => {
  expect(settingsOf({ maxTurns: '7' }).budget).toEqual(settingsOf({ maxRounds: '7' }).budget);
  const other = settingsOf({ allowedTools: ['shell'], disallowedTools: ['read_file'] });
  const own = settingsOf({ allow: ['shell'], deny: ['read_file'] });
  expect(other.permissions).toEqual(own.permissions);
});

test('rules given under both names add up', () => {
  const { permissions } = settingsOf({ allow: ['think'], allowedTools: ['shell'] });
  expect(permissions?.allow).toEqual(['think', 'shell']);
});

test('what was not given sets nothing', () => {
  const { permissions, budget } = settingsOf({});
  expect(permissions?.allow).toBeUndefined();
  expect(permissions?.deny).toBeUndefined();
  expect(budget?.max_rounds).toBeUndefined();
});

test('what is no number reaches the schema as it was typed', () => {
  expect(settingsOf({ maxRounds: 'many' }).budget?.max_rounds).toBe('many');
});
