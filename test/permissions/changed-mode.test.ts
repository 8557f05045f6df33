/** The mode of a session, changed while it is at work. */
import { afterAll, expect, test } from 'vitest';
import { createJudge } from '../../src/permissions/judge.js';
import { makeGround, shell } from './support.js';

const ground = makeGround();
afterAll(() => ground.remove());

test('another mode holds for the next call, rules and approvals as before', () => {
  const { workspace, ouroHome } = ground;
  const made = createJudge({ mode: 'default', allow: ['shell(make)'], workspace, ouroHome });
  if (!made.ok) throw new Error(made.message);
  const { judge, remember, setMode } = made;
  const commands = ['make', 'npm test', 'npm install'];
  const allowed = () => commands.map((command) => shell(judge, ground, command).allowed);
  remember('shell(npm test)', 'session');
  expect(allowed()).toEqual([true, true, false]);
  setMode('plan');
  expect(allowed()).toEqual([false, false, false]);
  setMode('bypass');
  expect(allowed()).toEqual([true, true, true]);
  setMode('default');
  expect(allowed()).toEqual([true, true, false]);
});
