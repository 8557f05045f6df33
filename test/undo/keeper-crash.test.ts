import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Journal } from '../../actors/ports.js';
import type { FileChange } from '../../messages/changes.js';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import { SessionKeeper } from '../../src/undo/keeper.js';
import { doJob } from '../../src/undo/ledger-work.js';
import { Ledger } from '../../src/undo/ledger.js';
import { newPlace, type Place } from './workspace.js';

/** Of one process; its ledger works in this one. */
function keeperOn({ settings }: Place, append: Journal['append']): SessionKeeper {
  const ledger = new Ledger(settings);
  return new SessionKeeper({
    ...settings,
    journal: { append },
    isReadOnly: () => false,
    thread: {
      isIdle: false,
      ask: (job) => Promise.resolve(doJob(() => ledger, job)),
      end: () => Promise.resolve(),
    },
  });
}

const callOf = (id: string, { workspace: cwd }: Place) => ({
  callId: id as CallId,
  agent: MAIN_AGENT,
  round: 1,
  path: null,
  command: 'make',
  cwd,
});

/** What the next process finds. */
async function foundAfter(place: Place): Promise<readonly FileChange[]> {
  const found: FileChange[] = [];
  const keeper = keeperOn(place, (facts) => {
    for (const { kind, body } of facts) if (kind === 'files.changed') found.push(...body.changes);
    return Promise.resolve(1);
  });
  await keeper.recover(callOf('main_1_1', place), []);
  return found;
}

function placeWithFile(): Place {
  const place = newPlace();
  writeFileSync(join(place.workspace, 'a'), 'as it was');
  return place;
}

const change = (place: Place): void => writeFileSync(join(place.workspace, 'a'), 'changed');

test('a change whose row a crash has lost is found, although the next call had begun', async () => {
  const place = placeWithFile();
  const keeper = keeperOn(place, () => new Promise(() => undefined));
  const isOver = await keeper.before(callOf('main_1_1', place));
  change(place);
  await isOver();
  await keeper.before(callOf('main_1_2', place));
  expect(await foundAfter(place)).toMatchObject([
    { path: 'a', before: { kind: 'file', size: 9 }, after: { kind: 'file', size: 7 } },
  ]);
});

test('what could not be written because the disk is full is found by the next start, after an orderly end too', async () => {
  const place = placeWithFile();
  const keeper = keeperOn(place, () => Promise.reject(new Error('the disk is full')));
  const isOver = await keeper.before(callOf('main_1_1', place));
  change(place);
  await isOver();
  await keeper.close();
  expect(await foundAfter(place)).toMatchObject([{ path: 'a', before: { size: 9 } }]);
});

test('what somebody else changed between two calls is not taken for the work of the session after a crash', async () => {
  const place = placeWithFile();
  const keeper = keeperOn(place, () => Promise.resolve(1));
  await (
    await keeper.before(callOf('main_1_1', place))
  )();
  change(place);
  await keeper.before(callOf('main_1_2', place));
  expect(await foundAfter(place)).toEqual([]);
});
