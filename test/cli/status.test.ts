import { expect, test } from 'vitest';
import { status } from '../../src/cli/status.js';
import { addRecord, cleared, jsonOf, newDesk, startSession } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';

test('a running session is asked itself', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  session.show({ goal: 'count to four', state: 'held' });
  expect(await status({}, desk)).toBe(0);
  expect(desk.out.text).toMatch(/goal +count to four/);
  expect(desk.err.text).toBe('');
  const json = cleared(desk);
  expect(await status({ json: true }, json)).toBe(0);
  expect(jsonOf(json)).toMatchObject({ v: 1, ok: true, snapshot: { goal: 'count to four' } });
});

test('of one that has ended it prints how, and exits 1', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  await session.end({ status: 'unverified', exit_code: 3, reason: 'done in part' });
  expect(await status({}, desk)).toBe(1);
  expect(desk.out.text).toMatch(/state +unverified/);
  expect(desk.out.text).toContain('done in part');
  expect(desk.err.text).toContain('not running');
  const json = cleared(desk);
  expect(await status({ id: 'aaaa', json: true }, json)).toBe(1);
  expect(jsonOf(json)).toMatchObject({
    ok: false,
    error: { code: 'not_running' },
    session: { id: ONE, state: 'unverified', exit_code: 3 },
    result: { status: 'unverified' },
  });
});

test('of one that died it says so, with the command that goes on', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  await session.die();
  expect(await status({}, desk)).toBe(1);
  expect(desk.out.text).toMatch(/state +interrupted/);
  expect(desk.out.text).toContain('ouro resume aaaa1111');
});

test('names and goals of others cannot act on the terminal', async () => {
  const desk = newDesk();
  addRecord(desk, ONE, { name: 'a\x1b]0;b\x07', goal: 'c\x1b[2Jd' });
  await status({ id: 'aaaa' }, desk);
  expect(desk.out.text).not.toContain('\x1b');
});
