/** A sleep that outlives the process: it goes on to its own deadline, and a person can end it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Hold } from '../../messages/pause.js';
import { snapshotOf, start, wholeId } from '../support/e2e/background.js';
import { done, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import { call, modelServer } from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

function killDaemons(place: Place): void {
  const daemons = processesOf(place).filter(({ commandLine }) => commandLine.includes('__daemon'));
  expect(daemons.filter(({ pid }) => killQuietly(pid)).length).toBeGreaterThan(0);
}

async function asleep(place: Place, id: string): Promise<Hold> {
  let hold: Hold | undefined;
  await eventually('the hold of the sleep', async () => {
    [hold] = (await snapshotOf(place, id)).holds;
    return hold;
  });
  if (hold === undefined) throw new Error('there is one');
  return hold;
}

test('a sleep that a death cut short goes on to the same deadline, until a person resumes it', async () => {
  const place = newPlace();
  const server = await modelServer([
    { calls: [call('sleep', { mode: 'timer', seconds: 3_600 })] },
    { text: 'Awake.' },
  ]);
  const id = await start(place, server);
  const before = await asleep(place, id);
  expect(before).toMatchObject({ kind: 'timer', scope: 'main', release: `ouro resume ${id}` });
  killDaemons(place);
  await done(place, ['resume', id]);
  expect(await asleep(place, id)).toEqual(before);
  expect((await done(place, ['ls'])).stdout).toMatch(/held.*timer/);
  expect((await done(place, ['status', id])).stdout).toContain('asleep until its time is over');

  await done(place, ['resume', id]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(server.requests).toHaveLength(2);
  expect(server.requests.at(-1)?.body).toContain('Reason: user_resumed.');
  const rows = journalRows(place, wholeId(place, id));
  expect(rowsOf(rows, 'tool.outcome')).toHaveLength(1);
});

test('a deadline that passed while nothing ran wakes at once', async () => {
  const place = newPlace();
  const server = await modelServer([
    { calls: [call('sleep', { mode: 'timer', seconds: 5 })] },
    { text: 'Awake.' },
  ]);
  const id = await start(place, server);
  const { until } = await asleep(place, id);
  killDaemons(place);
  await pause(Math.max(0, (until ?? 0) - Date.now()));
  await done(place, ['resume', id]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(server.requests.at(-1)?.body).toContain('Reason: timer_expired.');
  const holds = rowsOf(journalRows(place, wholeId(place, id)), 'hold.set');
  expect(holds, 'it was not put to sleep again').toHaveLength(1);
});
