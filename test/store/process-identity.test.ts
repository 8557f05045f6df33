import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { identityOf, isSameProcess } from '../../src/store/process-identity.js';

test('a process is itself as long as it runs', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const identity = identityOf(child.pid ?? 0);
  if (identity === null) throw new Error('a running process has an identity');
  expect(identityOf(identity.pid)).toEqual(identity);
  expect(isSameProcess(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(isSameProcess(identity)).toBe(false);
});

test('another start time or another boot is another process', () => {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('this process has an identity');
  expect(isSameProcess({ ...identity, startTime: '1' })).toBe(false);
  expect(isSameProcess({ ...identity, bootId: 'before' })).toBe(false);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 30])('the number %d names no process', (pid) => {
  expect(identityOf(pid)).toBeNull();
});

test('a name that looks like the rest of the line confuses nobody', async () => {
  const script = `process.title = 'x) Z 1 1'; console.log('ready'); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ['-e', script]);
  await once(child.stdout, 'data');
  const identity = identityOf(child.pid ?? 0);
  expect(identity !== null && isSameProcess(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'close');
});
