/** Settings that a person changes while the mesh is at work. */
import { expect, test } from 'vitest';
import { newAgent } from '../../actors/coordinator-state.js';
import { NO_BUDGET } from '../../messages/budget.js';
import { MeshRun } from '../support/mesh-run.js';
import { calls, fails, hangs, says } from '../support/scripted-model.js';
import { holdOf, MAIN, okOutcome, specOf, SUB } from '../support/session-samples.js';
import { eventually, settled } from '../support/settled.js';

/** A tool that finishes when it is told to. */
function slowTool() {
  const open: (() => void)[] = [];
  const slow = {
    run: () =>
      new Promise<ReturnType<typeof okOutcome>>((resolve) => {
        open.push(() => resolve(okOutcome()));
      }),
  };
  const finish = async (): Promise<void> => {
    await eventually(() => open.length > 0);
    for (const end of open.splice(0)) end();
  };
  return { slow, finish };
}

const models = ({ mainModel }: MeshRun): string[] =>
  mainModel.requests.items.map(({ model }) => model);

test('the next request goes to the new model, and every picture says so', async () => {
  const { slow, finish } = slowTool();
  const run = new MeshRun({ main: [calls(['slow']), says('done')], tools: { slow } }).start();
  await run.facts.find(({ type }) => type === 'tool.started');
  const change = { model: 'larger', permissionMode: 'plan', name: 'new', maxRounds: 9 } as const;
  const answered = await run.act({ do: 'set', change });
  expect(answered).toMatchObject({
    result: {
      ok: true,
      changed: true,
      message: expect.stringContaining('model=larger max-rounds=9') as string,
    },
  });
  await finish();
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(models(run)).toEqual(['scripted', 'larger']);
  const { current } = run.mesh.snapshots;
  expect(current).toMatchObject({
    model: 'larger',
    permissionMode: 'plan',
    name: 'new',
    maxRounds: 9,
  });
  const told = run.root.items.find(({ type }) => type === 'root.changed');
  expect(told).toMatchObject({ spec: { model: 'larger' } });
  expect(run.facts.items.some(({ type }) => type === 'model.routed')).toBe(false);
});

test('what is so already is answered so, and nobody is told anything', async () => {
  const run = new MeshRun({ main: [hangs] }).start();
  const answered = await run.act({ do: 'set', change: { model: 'scripted', fallback: [] } });
  expect(answered).toMatchObject({ result: { ok: true, changed: false } });
  expect(run.root.items).toEqual([]);
});

test('a limit of rounds below what is done ends the turn before the next request', async () => {
  const { slow, finish } = slowTool();
  const run = new MeshRun({
    main: [calls(['slow']), calls(['slow']), says('never')],
    tools: { slow },
  }).start();
  await finish();
  await eventually(() => run.mainModel.requests.items.length === 2);
  await run.act({ do: 'set', change: { maxRounds: 1 } });
  await finish();
  expect(await run.end()).toMatchObject({ status: 'round-limit', limit: 1 });
  expect(run.mainModel.requests.items).toHaveLength(2);
});

test('a request that has failed is tried again at the new model', async () => {
  const run = new MeshRun({ main: [fails('network'), says('done')] }).start();
  await run.facts.find(({ type }) => type === 'model.reset');
  await run.act({ do: 'set', change: { model: 'larger' } });
  await settled();
  run.clock.increment(60_000);
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(models(run)).toEqual(['scripted', 'larger']);
});

test('a failure of the old model is not taken for one of the new', async () => {
  let fail: () => void = () => undefined;
  const failed: string[] = [];
  const run = new MeshRun({
    main: [
      () => new Promise((resolve) => (fail = () => resolve(fails('bad-request')))),
      says('done'),
    ],
    failures: {
      afterRetries: ({ model }) => {
        failed.push(model);
        return { do: 'end' };
      },
    },
  }).start();
  await eventually(() => run.mainModel.requests.items.length === 1);
  await run.act({ do: 'set', change: { model: 'larger' } });
  fail();
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(models(run)).toEqual(['scripted', 'larger']);
  expect(failed).toEqual([]);
});

test('raising the limit that held it lets it go on; raising another one does not', async () => {
  const spec = specOf({ budget: { ...NO_BUDGET, sessionUsd: 1, sessionTokens: 10 } });
  const holds = [holdOf({ kind: 'budget', limit: 'usd' })];
  const run = new MeshRun({ main: [says('done')], initial: { spec, holds } }).start();
  await run.act({ do: 'set', change: { maxTokens: 20 } });
  await settled();
  expect(run.mesh.snapshots.current.state).toBe('held');
  await run.act({ do: 'set', change: { maxCost: 2 } });
  expect(await run.end()).toMatchObject({ status: 'done' });
  const order = run.root.items.map(({ type }) => type);
  expect(order.slice(0, 2)).toEqual(['root.changed', 'root.changed']);
});

test('sub-agents on the model of the session follow it; those with another keep theirs', async () => {
  const sub = (name: string, model: string) => ({
    ...newAgent(SUB, MAIN, 'look', model),
    id: name,
  });
  const agents = [
    newAgent(MAIN, null, 'count', 'scripted'),
    sub('sub-1', 'scripted'),
    sub('sub-2', 'own'),
  ] as never;
  const run = new MeshRun({ initial: { agents } });
  await run.act({ do: 'set', change: { model: 'larger' } });
  const seen = run.mesh.snapshots.current.agents.map(({ model }) => model);
  expect(seen).toEqual(['larger', 'larger', 'own']);
});
