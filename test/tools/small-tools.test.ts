import { expect, test } from 'vitest';
import { workbench } from './workbench.js';

test('think answers with nothing', async () => {
  const outcome = await workbench().run('think', { thought: 'first this, then that' });
  expect(outcome).toEqual({ status: 'ok', text: '', truncated: false });
});

test.each(['done', 'partial', 'blocked'])('submit takes the outcome %s', async (outcome) => {
  const answer = await workbench().run('submit', { summary: 'it works', outcome });
  expect(answer).toEqual({ status: 'ok', text: `Submitted as ${outcome}.`, truncated: false });
});

test('submit needs a summary and one of its outcomes', async () => {
  const bench = workbench();
  for (const args of [{ summary: '', outcome: 'done' }, { summary: 's', outcome: 'maybe' }, {}]) {
    expect(await bench.run('submit', args)).toMatchObject({ reason: 'bad-args' });
  }
});

test('a discovery is on disk before anybody hears of it', async () => {
  const order: string[] = [];
  const discovery = { title: 'a bug', description: 'in line 3' };
  const bench = workbench({
    journal: {
      append: async (facts) => {
        await Promise.resolve();
        order.push(...facts.map(({ kind }) => kind));
        return 1;
      },
    },
    onDiscovery: (agent, round, found) => {
      order.push('told');
      expect([agent, round, found]).toEqual(['main', 1, discovery]);
    },
  });
  const outcome = await bench.run('record_discovery', discovery);
  expect(outcome).toMatchObject({ status: 'ok', text: 'Recorded.' });
  expect(order).toEqual(['tool.intent', 'discovery.added', 'told', 'tool.outcome']);
});

test('delegate passes the task on and returns what comes back', async () => {
  const bench = workbench();
  const outcome = await bench.run('delegate', { task: 'look', context: 'in src' });
  expect(outcome).toMatchObject({ status: 'ok', text: 'found it' });
  expect(bench.delegated).toEqual([{ kind: 'worker', task: 'look', context: 'in src' }]);
  await bench.run('delegate', { task: 'look' });
  expect(bench.delegated[1]).toEqual({ kind: 'worker', task: 'look', context: '' });
  const more = { type: 'explore', model: 'small', background: true };
  await bench.run('delegate', { task: 'look', ...more });
  expect(bench.delegated[2]).toMatchObject({ kind: 'explore', model: 'small', background: true });
});

test('what a sub-agent reports is cut to 4000 bytes', async () => {
  const text = 'word '.repeat(2000);
  const bench = workbench({
    delegate: () => Promise.resolve({ status: 'ok', text, truncated: false }),
  });
  const outcome = await bench.run('delegate', { task: 'look' });
  expect(outcome).toMatchObject({ status: 'ok', truncated: true });
  expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(4000);
  expect(outcome.text).toMatch(/\.\.\. \[output truncated: 10KB total, showing first 4KB\. /);
});

test('a sub-agent of a kind that does not exist is refused', async () => {
  const outcome = await workbench().run('delegate', { task: 'look', type: 'poet' });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
});
