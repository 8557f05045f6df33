import { expect, test } from 'vitest';
import {
  EXIT_CODES,
  EXIT_WAIT_TIMEOUT,
  hasEnded,
  stateAfter,
  type EndStatus,
  type SessionState,
} from '../../messages/session.js';

/** What scripts rely on: each way to end, its exit code, and the state it is listed in. */
const ENDS: readonly (readonly [EndStatus, number, SessionState])[] = [
  ['done', 0, 'done'],
  ['internal_error', 1, 'failed'],
  ['usage', 2, 'failed'],
  ['unverified', 3, 'unverified'],
  ['invalid_output', 4, 'failed'],
  ['auth', 41, 'failed'],
  ['bad_input', 42, 'failed'],
  ['needs_input', 43, 'failed'],
  ['permission_denied', 44, 'failed'],
  ['workspace_busy', 45, 'failed'],
  ['config', 52, 'failed'],
  ['round_limit', 53, 'failed'],
  ['stuck', 54, 'failed'],
  ['budget_limit', 55, 'failed'],
  ['time_limit', 56, 'failed'],
  ['provider_error', 57, 'failed'],
  ['stopped', 58, 'stopped'],
  ['hangup', 129, 'interrupted'],
  ['interrupted', 130, 'interrupted'],
  ['terminated', 143, 'interrupted'],
];

test.each(ENDS)('%s exits with %i and is listed as %s', (status, code, state) => {
  expect(EXIT_CODES[status]).toBe(code);
  expect(stateAfter(status)).toBe(state);
  expect(hasEnded(state)).toBe(true);
});

test('there is no other way to end, and no two share an exit code', () => {
  expect(Object.keys(EXIT_CODES)).toEqual(ENDS.map(([status]) => status));
  const codes = [...Object.values(EXIT_CODES), EXIT_WAIT_TIMEOUT];
  expect(new Set(codes).size).toBe(codes.length);
});

test('a session that may still go on has not ended', () => {
  const live: SessionState[] = ['starting', 'running', 'resting', 'held', 'stopping'];
  expect(live.map(hasEnded)).toEqual(live.map(() => false));
});
