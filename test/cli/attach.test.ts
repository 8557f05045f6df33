import { expect, test } from 'vitest';
import { attach } from '../../src/cli/attach.js';
import { eventually, logOf } from '../control/control-fixture.js';
import { addRecord, cleared, newDesk, startSession } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';

test('lines come once each and in order; at the end stands how it went', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  session.show({ log: [logOf(1, 'first'), logOf(2, 'second')] });
  const attached = attach({ id: 'aaaa' }, desk);
  await eventually(() => desk.out.text.includes('second'));
  session.show({ log: [logOf(2, 'second'), logOf(3, 'third')] });
  await eventually(() => desk.out.text.includes('third'));
  await session.end();
  expect(await attached).toBe(0);
  const words = desk.out.text.match(/first|second|third|done: 3 rounds/g);
  expect(words).toEqual(['first', 'second', 'third', 'done: 3 rounds']);
});

test('lines that fell out of the log before they were read are counted', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  session.show({ log: [logOf(1, 'first')] });
  const attached = attach({ plain: true }, desk);
  await eventually(() => desk.out.text.includes('first'));
  session.show({ log: [logOf(8, 'eighth')] });
  await eventually(() => desk.out.text.includes('eighth'));
  await session.end();
  await attached;
  expect(desk.out.text).toMatch(/6 lines missed: ouro logs aaaa1111\n.*eighth/);
});

test('Ctrl+C leaves: the session goes on, and how to come back and how to stop it is said', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  session.show({ log: [logOf(1, 'first')] });
  const attached = attach({}, desk);
  await eventually(() => desk.out.text.includes('first'));
  desk.signals.emit('SIGINT');
  expect(await attached).toBe(130);
  expect(desk.err.text).toBe(
    'session aaaa1111 goes on\n  ouro attach aaaa1111\n  ouro stop aaaa1111\n',
  );
  expect(session.asked).toEqual([]);
});

test('a process that dies is reported with the command that goes on', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  session.show({ log: [logOf(1, 'first')] });
  const attached = attach({}, desk);
  await eventually(() => desk.out.text.includes('first'));
  await session.die();
  expect(await attached).toBe(1);
  expect(desk.err.text).toContain('ouro resume aaaa1111');
});

test('who is not running cannot be watched', async () => {
  const desk = newDesk();
  addRecord(desk, ONE);
  expect(await attach({ id: 'aaaa' }, desk)).toBe(1);
  expect(desk.err.text).toMatch(/not running[^]*ouro resume aaaa1111/);
  expect(await attach({}, cleared(desk))).toBe(1);
});
