import { expect, test } from 'vitest';
import { GOAL_SCHEMA } from '../../config/goal-schema.js';
import { goalOf } from '../../config/goal-settings.js';

test('a session neither plans nor goes by templates unless it is asked to', () => {
  expect(goalOf()).toEqual({ plan: false, templates: false });
  expect(goalOf(GOAL_SCHEMA.parse({ plan: true }))).toEqual({ plan: true, templates: false });
});

test('each is true or false', () => {
  expect(GOAL_SCHEMA.safeParse({ plan: 'yes' }).error?.issues[0]?.message).toBe('true or false');
});
