import { expect, test } from 'vitest';
import { initialState, type State } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import type { Hold } from '../../messages/pause.js';
import { holdOf, specOf, START } from '../support/session-samples.js';

const held = (...holds: Hold[]): State => ({
  ...initialState(specOf(), 'count'),
  life: 'working',
  holds,
});
const DISK = holdOf({ kind: 'disk', reason: 'the disk is full' });

test('a person who resumes a session that is held for its disk has that tried first', () => {
  const action = { do: 'resume' } as const;
  const [, letters] = step(held(DISK), { type: 'user.action', id: 'a', seq: 9, action, at: START });
  expect(letters).toEqual([{ to: 'root', message: { type: 'root.probe', action: 'a' } }]);
});

test.each([
  [true, 'a', ['user', 'timer', 'disk']],
  [false, 'a', ['user', 'timer']],
] as const)('what comes of it decides what is lifted: %s', (ok, action, kinds) => {
  const [, letters] = step(held(DISK, holdOf()), { type: 'disk.probed', ok, action });
  const lift = { type: 'pause.lift', kinds, scope: 'session', action };
  expect(letters).toEqual([{ to: 'pause', message: lift }]);
});

test('room that comes by itself lifts the hold for the disk alone', () => {
  const [, lifted] = step(held(DISK), { type: 'disk.probed', ok: true, action: null });
  const lift = { type: 'pause.lift', kinds: ['disk'], scope: 'session' };
  expect(lifted).toEqual([{ to: 'pause', message: lift }]);
  expect(step(held(DISK), { type: 'disk.probed', ok: false, action: null })[1]).toEqual([]);
});
