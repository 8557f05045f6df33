/** A background process that is kept outlives the death and the restart of its session, and ends with it. */
import { expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { readGuardian } from '../../src/store/guardian-record.js';
import { nextRequest, start, wholeId } from '../support/e2e/background.js';
import { asked, done } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import { call, modelServer, untilTold } from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

const SERVER = 'i=0; while :; do i=$((i+1)); echo "tick $i"; sleep 0.1; done';
const BYPASS = ['--permission-mode', 'bypass'];

const pidsOf = (place: Place): readonly number[] =>
  processesOf(place)
    .filter(({ commandLine }) => commandLine.includes('ouro-kept'))
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);

/** What the newest look at its output showed; 0: none has. */
function ticksSeen(place: Place, id: string): number {
  const texts = rowsOf(journalRows(place, id), 'tool.outcome')
    .filter(({ body }) => body.name === 'process_output')
    .map(({ body }) => body.outcome.text);
  return Number(/tick (\d+)$/.exec(texts.at(-1) ?? '')?.[1] ?? 0);
}

test('it has the same pid after a crash and a restart, its output goes on, and stop ends it', async () => {
  const place = newPlace();
  const look = (word: string) => ({
    when: { contains: word },
    calls: [call('process_output', { id: 'p1', tail: 1 })],
  });
  const server = await modelServer([
    { calls: [call('shell', { command: SERVER, background: true, keep: 'restart' })] },
    ...['look once', 'look twice', 'look again'].map(look),
    ...untilTold,
  ]);
  const id = wholeId(place, await start(place, server, BYPASS));
  const outcomes = () => rowsOf(journalRows(place, id), 'tool.outcome');
  await eventually('its start', () => outcomes().length > 1);
  const [first] = rowsOf(journalRows(place, id), 'process.started');
  expect(first?.body).toMatchObject({ id: 'p1', keep: 'restart' });
  const before = pidsOf(place);
  expect(before).toContain(first?.body.pid);
  const seen = async (word: string, more: number): Promise<number> => {
    await done(place, ['send', id, word]);
    await eventually(`ticks after "${word}"`, () => ticksSeen(place, id) > more);
    return ticksSeen(place, id);
  };
  const atFirst = await seen('look once', 0);

  killQuietly(readGuardian(place.home, id as SessionId)?.pid ?? NaN);
  const { data } = await asked(place, ['ls']);
  expect(killQuietly(data.sessions?.[0]?.pid ?? NaN)).toBe(true);
  await eventually('the death of its keepers', () =>
    processesOf(place).every(({ commandLine }) => !commandLine.includes('__daemon')),
  );
  expect(pidsOf(place)).toEqual(before);
  await done(place, ['resume', id]);
  await nextRequest(server);
  const afterCrash = await seen('look twice', atFirst);

  await done(place, ['restart', id]);
  await nextRequest(server);
  expect(pidsOf(place)).toEqual(before);
  await seen('look again', afterCrash);

  const rows = journalRows(place, id);
  expect(rowsOf(rows, 'process.started')).toHaveLength(1);
  expect(rowsOf(rows, 'process.ended')).toEqual([]);
  await done(place, ['stop', id]);
  expect(processesOf(place)).toEqual([]);
  const [end] = rowsOf(journalRows(place, id), 'process.ended');
  expect(end?.body).toMatchObject({ id: 'p1', exitCode: null });
});

test('what was left by a crash is ended by stop, also where nobody brings the session back', async () => {
  const place = newPlace();
  const server = await modelServer([
    { calls: [call('shell', { command: SERVER, background: true, keep: 'restart' })] },
    ...untilTold,
  ]);
  const id = wholeId(place, await start(place, server, BYPASS));
  await eventually('its start', () => pidsOf(place).length > 0);
  await eventually('that on record', () => {
    return rowsOf(journalRows(place, id), 'tool.outcome').length > 0;
  });
  killQuietly(readGuardian(place.home, id as SessionId)?.pid ?? NaN);
  const { data } = await asked(place, ['ls']);
  killQuietly(data.sessions?.[0]?.pid ?? NaN);
  await eventually('the death of its keepers', () =>
    processesOf(place).every(({ commandLine }) => !commandLine.includes('__daemon')),
  );
  expect(pidsOf(place)).not.toEqual([]);
  await done(place, ['stop', id]);
  await eventually('its end', () => processesOf(place).length === 0);
});
