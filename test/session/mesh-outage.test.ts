import { expect, test } from 'vitest';
import type { AfterRetries } from '../../actors/model-failure.js';
import type { HoldKind } from '../../messages/pause.js';
import { MeshRun } from '../support/mesh-run.js';
import { fails, says } from '../support/scripted-model.js';
import { holdOf, START } from '../support/session-samples.js';
import { eventually, settled } from '../support/settled.js';

const heldBy = (kind: HoldKind): AfterRetries => ({
  do: 'hold',
  hold: holdOf({ kind, reason: 'no answer' }),
});

/** A session whose first request fails for good, and is held for it. */
async function heldRun(kind: HoldKind): Promise<MeshRun> {
  const run = new MeshRun({
    main: [fails('auth'), says('done')],
    failures: { afterRetries: () => heldBy(kind) },
  }).start();
  await eventually(() => run.mesh.snapshots.current.holds.length > 0);
  await settled();
  return run;
}

const kinds = (run: MeshRun) => run.mesh.snapshots.current.holds.map(({ kind }) => kind);

test('a server that does not answer holds the session, and the hold is on record', async () => {
  const run = await heldRun('endpoint');
  expect(run.mesh.snapshots.current.state).toBe('held');
  expect(run.journal.ofKind('hold.set').map(({ body }) => body.hold.kind)).toEqual(['endpoint']);
  expect(run.mainModel.requests.items).toHaveLength(1);
});

test('a server that answers again lifts the hold, and the same round is asked', async () => {
  const run = await heldRun('endpoint');
  await run.mesh.tell({ type: 'endpoint.probed', ok: true, action: null });
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.journal.ofKind('model.intent').map(({ round }) => round)).toEqual([1, 1]);
  expect(run.journal.ofKind('hold.lifted').map(({ body }) => body.kind)).toEqual(['endpoint']);
  expect(run.mesh.snapshots.current.totals.rounds).toBe(1);
});

test('a server that does not answer yet changes nothing', async () => {
  const run = await heldRun('endpoint');
  await run.mesh.tell({ type: 'endpoint.probed', ok: false, action: null });
  await settled();
  expect(kinds(run)).toEqual(['endpoint']);
});

test('what waits for another key is not lifted because the server answers somebody', async () => {
  const run = await heldRun('auth');
  await run.mesh.tell({ type: 'endpoint.probed', ok: true, action: null });
  await settled();
  expect(kinds(run)).toEqual(['auth']);
});

/** As the composition root does it, with a server that answers or not. */
function answering(run: MeshRun, ok: boolean): void {
  void run.root
    .find(({ type }) => type === 'root.probe')
    .then((command) => {
      const action = command.type === 'root.probe' ? command.action : '';
      return run.mesh.tell({ type: 'endpoint.probed', ok, action });
    });
}

test.each<HoldKind>(['endpoint', 'auth', 'rate-limit'])(
  'a person who resumes has the server asked, and a hold of kind %s is lifted when it answers',
  async (kind) => {
    const run = await heldRun(kind);
    answering(run, true);
    expect(await run.act({ do: 'resume' })).toMatchObject({ result: { ok: true, changed: true } });
    expect(await run.end()).toMatchObject({ status: 'done' });
  },
);

test('a person who resumes in vain is told what it is still held by, and their own pause is lifted', async () => {
  const run = await heldRun('endpoint');
  await run.act({ do: 'pause', now: false, until: null });
  expect(kinds(run)).toEqual(['endpoint', 'user']);
  answering(run, false);
  expect(await run.act({ do: 'resume' })).toMatchObject({
    result: { ok: false, message: expect.stringContaining('no answer') as string },
  });
  expect(kinds(run)).toEqual(['endpoint']);
});

test('a limit with a countdown lifts itself', async () => {
  const hold = holdOf({ kind: 'rate-limit', until: START + 90_000 });
  const run = new MeshRun({
    main: [fails('auth'), says('done')],
    failures: { afterRetries: () => ({ do: 'hold', hold }) },
  }).start();
  await eventually(() => run.mesh.snapshots.current.holds.length > 0);
  await settled();
  run.clock.increment(90_000);
  expect(await run.end()).toMatchObject({ status: 'done' });
});
