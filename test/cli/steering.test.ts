import { expect, test } from 'vitest';
import { pause } from '../../src/cli/pause.js';
import { send } from '../../src/cli/send.js';
import { stop } from '../../src/cli/stop.js';
import { isLive } from '../../src/cli/liveness.js';
import { NOW, addRecord, cleared, jsonOf, newDesk, startSession } from './fake-session.js';
import type { Desk } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const TWO = 'bbbb2222-0000-4000-8000-000000000002';

const refusing = {
  act: () => Promise.resolve({ ok: false, message: 'the session is stopping' } as const),
};

test('a pause reaches the session with its end, as a length or as a time', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  expect(await pause({}, desk)).toBe(0);
  expect(desk.out.text).toBe('aaaa1111: pause done\n');
  expect(await pause({ for: '2h', now: true }, desk)).toBe(0);
  expect(await pause({ id: 'aaaa', until: '2026-03-02T00:00Z' }, desk)).toBe(0);
  expect(session.asked).toEqual([
    { do: 'pause', now: false, until: null },
    { do: 'pause', now: true, until: NOW + 7_200_000 },
    { do: 'pause', now: false, until: NOW + 43_200_000 },
  ]);
});

test('what was so already is done: exit 0, and JSON says that nothing changed', async () => {
  const desk = newDesk();
  const act = () =>
    Promise.resolve({ ok: true, changed: false, message: 'it was paused already' } as const);
  await startSession(desk, ONE, { act });
  expect(await pause({ json: true }, desk)).toBe(0);
  expect(jsonOf(desk)).toMatchObject({
    v: 1,
    ok: true,
    sessions: [{ session: ONE, ok: true, changed: false, message: 'it was paused already' }],
  });
});

test('a length or a time that makes no sense is misuse, and nothing is asked', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  for (const wrong of [{ for: 'soon' }, { until: '25:00' }, { for: '1h', until: '08:00' }]) {
    expect(await pause(wrong, desk)).toBe(2);
  }
  expect(session.asked).toEqual([]);
});

test('--all pauses every running session; with none it is done already', async () => {
  const desk = newDesk();
  const one = await startSession(desk, ONE);
  const two = await startSession(desk, TWO, { workspace: '/elsewhere' });
  expect(await pause({ all: true }, desk)).toBe(0);
  expect([one.asked, two.asked].map(({ length }) => length)).toEqual([1, 1]);
  await one.die();
  await two.die();
  const alone = cleared(desk);
  expect(await pause({ all: true }, alone)).toBe(0);
  expect(alone.out.text).toBe('no session is running\n');
});

test('what the session refuses is a reason on stderr and exit 1', async () => {
  const desk = newDesk();
  await startSession(desk, ONE, refusing);
  expect(await pause({ json: true }, desk)).toBe(1);
  expect(desk.err.text).toBe('aaaa1111: the session is stopping\n');
  expect(jsonOf(desk)).toMatchObject({ ok: false, error: { code: 'not_possible' } });
});

test('who is not running cannot be paused or spoken to', async () => {
  const desk = newDesk();
  addRecord(desk, ONE);
  expect(await pause({ id: 'aaaa' }, desk)).toBe(1);
  expect(await send({ words: ['aaaa', 'hello'] }, desk)).toBe(1);
  expect(desk.out.text).toBe('');
  expect(desk.err.text).toMatch(/^aaaa1111: it is not running .*ouro resume aaaa1111$/m);
});

test('one word is the text, of two the first is the session', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  expect(await send({ words: ['look at the tests'] }, desk)).toBe(0);
  expect(await send({ words: ['aaaa', 'then stop'], queue: true }, desk)).toBe(0);
  expect(session.asked).toEqual([
    { do: 'send', text: 'look at the tests', mode: 'steer' },
    { do: 'send', text: 'then stop', mode: 'queue' },
  ]);
  for (const words of [[], ['  '], ['aaaa', 'not', 'quoted']]) {
    expect(await send({ words }, desk)).toBe(2);
  }
});

test('stop returns when the session has really ended, and says how', async () => {
  const desk = newDesk();
  const { id } = await startSession(desk, ONE);
  expect(await stop({ id: 'aaaa', json: true }, desk)).toBe(0);
  expect(isLive(desk.home, id)).toBe(false);
  expect(jsonOf(desk)).toMatchObject({
    ok: true,
    sessions: [{ ok: true, changed: true, status: 'stopped', exit_code: 58 }],
  });
  const again = cleared(desk);
  expect(await stop({ id: 'aaaa' }, again)).toBe(0);
  expect(again.out.text).toMatch(/^aaaa1111: it was not running: stopped/);
});

test('stop finds the only session by itself on a terminal, never for a script', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  expect(await stop({}, desk)).toBe(2);
  expect(desk.err.text).toContain('aaaa1111');
  expect(session.asked).toEqual([]);
  const terminal: Desk = cleared(desk, { isTerminal: true });
  expect(await stop({}, terminal)).toBe(0);
  expect(terminal.out.text).toMatch(/^aaaa1111: stopped/);
});

test('a session that is told to stop and does not is reported, with what ends it', async () => {
  const desk = newDesk();
  const act = () => Promise.resolve({ ok: true, changed: true, message: 'stopping' } as const);
  await startSession(desk, ONE, { act });
  expect(await stop({ id: 'aaaa', limitMs: 200 }, desk)).toBe(1);
  expect(desk.err.text).toContain('ouro kill aaaa1111');
});
