/** A title by the small model, where people see it: in lists, in the status, and after a death. */
import { expect, test } from 'vitest';
import { snapshotOf, start, wholeId } from '../support/e2e/background.js';
import { done, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import { modelServer, untilTold } from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

test('a session without a name gets a title, and keeps it; one with a name does not', async () => {
  const place = newPlace();
  const server = await modelServer([
    { when: { agent: 'titler' }, text: '"Think until told otherwise."', times: -1 },
    ...untilTold,
  ]);
  // Where nobody has said anything about titles.
  const options = { env: { OURO_MODEL_TITLES: '' } };
  const id = await start(place, server, [], options);
  const named = await start(place, server, ['--name', 'mine', '--share-workspace'], options);
  const title = 'Think until told otherwise';
  await eventually('the title', async () => (await snapshotOf(place, id)).name === title);
  expect((await done(place, ['ls'])).stdout).toContain(title);
  for (const { pid } of processesOf(place)) killQuietly(pid);
  await eventually('its end', async () => (await ouro(place, ['status', id])).code === 1);
  await done(place, ['resume', id]);
  expect((await snapshotOf(place, id)).name).toBe(title);
  await done(place, ['kill', id]);
  expect(rowsOf(journalRows(place, wholeId(place, id)), 'session.titled')).toHaveLength(1);
  expect(rowsOf(journalRows(place, wholeId(place, named)), 'session.titled')).toEqual([]);
  expect((await done(place, ['ls', '--all'])).stdout).toContain('mine');
});
