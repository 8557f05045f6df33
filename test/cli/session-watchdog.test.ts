import { expect, test } from 'vitest';
import { isLive, listSessions } from '../../src/cli/liveness.js';
import { MOST_MISSES, SessionWatchdog } from '../../src/cli/session-watchdog.js';
import { isHalted } from '../../src/store/process-identity.js';
import { eventually } from '../control/control-fixture.js';
import { addRecord, newDesk, startSession, type Desk } from './fake-session.js';
import { startWedged } from './start-wedged.js';

const ONE = 'cccc3333-0000-4000-8000-000000000003';
const OTHER = 'bbbb2222-0000-4000-8000-000000000002';

/** Looks so often, with little patience. */
async function look(desk: Desk, times: number, answerMs = 200): Promise<readonly string[]> {
  const notes: string[] = [];
  const watchdog = new SessionWatchdog({
    home: desk.home,
    answerMs,
    note: (line) => notes.push(line),
  });
  for (let n = 0; n < times; n += 1) await watchdog.look(listSessions(desk, { all: true }));
  return notes;
}

test('a session that hangs is ended at the third miss in a row, and not before', async () => {
  const desk = newDesk();
  const id = addRecord(desk, ONE, { socket: '/nowhere/to/be.sock' });
  await startWedged(desk, id);
  expect(await look(desk, MOST_MISSES - 1)).toEqual([]);
  expect(isLive(desk.home, id)).toBe(true);
  const [note] = await look(desk, MOST_MISSES);
  expect(note).toMatch(/^cccc3333: it did not answer 3 times in a row; killed process \d+$/);
  expect(isLive(desk.home, id)).toBe(false);
});

test('a session that answers is left alone, however often it is asked', async () => {
  const desk = newDesk();
  const { id, asked } = await startSession(desk, OTHER);
  expect(await look(desk, MOST_MISSES + 1, 5_000)).toEqual([]);
  expect(isLive(desk.home, id)).toBe(true);
  expect(asked).toEqual([]);
});

test('a session whose process somebody has stopped is left alone', async () => {
  const desk = newDesk();
  const id = addRecord(desk, ONE, { socket: '/nowhere/to/be.sock' });
  const wedged = await startWedged(desk, id);
  wedged.process.kill('SIGSTOP');
  await eventually(() => isHalted(wedged.process.pid ?? 0));
  expect(await look(desk, MOST_MISSES + 1)).toEqual([]);
  expect(isLive(desk.home, id)).toBe(true);
  wedged.process.kill('SIGCONT');
  await eventually(() => !isHalted(wedged.process.pid ?? 0));
});
