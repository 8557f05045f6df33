/** Settings changed under way, as a person meets it: they hold at once, after a death, and after a resume. */
import { expect, test } from 'vitest';
import { nextRequest, snapshotOf, start, wholeId } from '../support/e2e/background.js';
import { asked, done, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import { modelServer, untilTold } from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

test('what was set holds from the next request on, and in the process that goes on after a death', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  await nextRequest(server);
  const { data } = await asked(place, ['set', id, 'model=larger', 'permission-mode=plan']);
  expect(data).toMatchObject({ ok: true, sessions: [{ changed: true }] });
  await nextRequest(server);
  const modelNow = (): string | undefined =>
    /"model":"([^"]*)"/.exec(server.requests.at(-1)?.body ?? '')?.[1];
  await eventually('the new model', () => modelNow() === 'larger');
  // With the guardian, which would bring it back.
  for (const { pid } of processesOf(place)) killQuietly(pid);
  await eventually('its end', async () => (await ouro(place, ['status', id])).code === 1);
  await done(place, ['set', id, 'name=night run', 'max-rounds=40']);
  await done(place, ['resume', id]);
  await nextRequest(server);
  expect(await snapshotOf(place, id)).toMatchObject({
    model: 'larger',
    permissionMode: 'plan',
    name: 'night run',
    maxRounds: 40,
  });
  expect(modelNow()).toBe('larger');
  const actions = rowsOf(journalRows(place, wholeId(place, id)), 'user.action');
  expect(actions.map(({ body }) => body.action.do)).toEqual(['set', 'set']);
  await done(place, ['set', id, 'max-rounds=1']);
  expect((await ouro(place, ['wait', id])).code).toBe(53);
});
