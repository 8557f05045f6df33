import { expect, test } from 'vitest';
import { MeshRun } from '../support/mesh-run.js';
import { calls, hangs, says } from '../support/scripted-model.js';
import { holdOf, okOutcome, START, SUB } from '../support/session-samples.js';
import { eventually, settled } from '../support/settled.js';
import { untilAborted } from '../support/simulated-tools.js';

test('a pause has closed the gate before it is answered', async () => {
  const run = new MeshRun({ main: [hangs, says('done')] }).start();
  await eventually(() => run.mainModel.requests.items.length === 1);
  const answered = await run.act({ do: 'pause', now: true, until: null });
  expect(answered).toMatchObject({ result: { ok: true, changed: true } });
  expect(run.mesh.snapshots.current.state).toBe('held');
  await settled();
  expect(run.mainModel.requests.items).toHaveLength(1);
  expect(run.mesh.snapshots.current.agents[0]?.phase).toBe('gated');

  expect(await run.act({ do: 'resume' })).toMatchObject({ result: { ok: true, changed: true } });
  expect(await run.end()).toMatchObject({ status: 'done' });
});

test('when a pause is answered, nothing that begins then passes the gate', async () => {
  const run = new MeshRun({ main: [says('never')] });
  run.mesh.facts.on((fact) => {
    if (fact.type === 'action.done') run.start();
  });
  await run.act({ do: 'pause', now: false, until: null });
  await settled();
  expect(run.journal.ofKind('model.intent')).toEqual([]);
  expect(run.mesh.snapshots.current.agents[0]?.phase).toBe('gated');
});

test('a pause lets the call that runs finish, and its result is kept', async () => {
  let finish: () => void = () => undefined;
  const slow = {
    run: () =>
      new Promise<ReturnType<typeof okOutcome>>((resolve) => (finish = () => resolve(okOutcome()))),
  };
  const run = new MeshRun({ main: [calls(['slow']), says('done')], tools: { slow } }).start();
  await run.facts.find(({ type }) => type === 'tool.started');
  await run.act({ do: 'pause', now: false, until: null });
  finish();
  await run.facts.find(({ type }) => type === 'tool.finished');
  await settled();
  expect(run.mainModel.requests.items).toHaveLength(1);
  expect(run.conversation.messages.at(-1)).toMatchObject({ role: 'tool', text: 'fine' });
});

test('a pause with an end goes on by itself', async () => {
  const run = new MeshRun({ main: [says('done')], initial: { holds: [holdOf()] } }).start();
  await run.act({ do: 'pause', now: false, until: START + 60_000 });
  await run.act({ do: 'resume' });
  await run.end();
  const again = new MeshRun({
    main: [says('done')],
    initial: { holds: [holdOf({ kind: 'timer', until: START + 60_000 })] },
  }).start();
  await settled();
  expect(again.mainModel.requests.items).toEqual([]);
  again.clock.increment(60_000);
  expect(await again.end()).toMatchObject({ status: 'done' });
});

test('words of a person reach the model with its next request', async () => {
  const run = new MeshRun({ main: [says('done')], initial: { holds: [holdOf()] } }).start();
  expect(await run.act({ do: 'send', text: 'only the big ones', mode: 'steer' })).toMatchObject({
    result: { ok: true },
  });
  await run.act({ do: 'resume' });
  await run.end();
  expect(run.mainModel.requests.items[0]?.messages.at(-1)).toMatchObject({
    text: 'only the big ones',
  });
});

test('an interrupt ends the running calls and sub-agents, and keeps the session', async () => {
  const run = new MeshRun({
    main: [calls(['shell'], ['delegate']), says('done')],
    sub: [hangs],
    tools: { shell: { effect: 'execute', run: untilAborted } },
  }).start();
  await eventually(() => run.subModel.requests.items.length === 1);
  await run.act({ do: 'interrupt' });
  await eventually(() => run.mesh.snapshots.current.agents[1]?.end !== null);
  await settled();
  expect(run.mesh.snapshots.current).toMatchObject({ state: 'held', calls: [] });
  expect(run.mesh.snapshots.current.agents[1]).toMatchObject({ id: SUB, end: 'stopped' });
  await run.act({ do: 'resume' });
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.subModel.requests.items).toHaveLength(1);
});
