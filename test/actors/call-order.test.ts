import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder } from '../../actors/call-order.js';
import { callIdOf } from '../../messages/ids.js';
import { AgentRun } from '../support/agent-run.js';
import { calls, says, type Asked } from '../support/scripted-model.js';
import { MAIN } from '../support/session-samples.js';

async function ran(...asked: Asked[]): Promise<AgentRun> {
  const run = new AgentRun({ turns: [calls(...asked), says('done')] }).start();
  await run.end();
  return run;
}
const results = ({ conversation }: AgentRun): string[] =>
  conversation.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));

test('a call that depends on another begins when that has ended, and is not told so itself', async () => {
  const run = await ran(
    ['shell', { command: 'test', depends_on: [2] }],
    ['write_file', { path: 'a' }],
  );
  expect(run.tools.began.map(({ name, args }) => [name, args])).toEqual([
    ['write_file', { path: 'a' }],
    ['shell', { command: 'test' }],
  ]);
  expect(run.conversation.messages.filter(({ role }) => role === 'tool')).toMatchObject([
    { name: 'shell' },
    { name: 'write_file' },
  ]);
});

test.each([
  ['itself', [1]],
  ['a call that is not there', [3]],
  ['something that is no position', ['a']],
  ['half a position', [1.5]],
])('a call that depends on %s is answered with an error', async (_, depends_on) => {
  const run = await ran(['shell', { command: 'a', depends_on }], ['read_file', { path: 'a' }]);
  expect(run.tools.began.map(({ name }) => name)).toEqual(['read_file']);
  expect(results(run)[0]).toMatch(/^Error: depends_on names other calls/);
});

test('calls that wait for each other are answered with an error, all of them', async () => {
  const run = await ran(
    ['shell', { command: 'a', depends_on: [2] }],
    ['shell', { command: 'b', depends_on: 1 }],
  );
  expect(run.tools.began).toEqual([]);
  expect(results(run)).toHaveLength(2);
});

test('what depends on a call that did not succeed is not run, nor what depends on that', async () => {
  const run = await ran(
    ['shell', 'not JSON'],
    ['write_file', { path: 'a', depends_on: [1] }],
    ['read_file', { path: 'a', depends_on: [2] }],
  );
  expect(run.tools.began).toEqual([]);
  expect(results(run).slice(1)).toEqual([
    'Not run: it depends on shell, which did not succeed.',
    'Not run: it depends on write_file, which did not succeed.',
  ]);
  expect(run.journal.rows.filter(({ kind }) => kind === 'tool.outcome')).toHaveLength(3);
});

test('whatever calls name, an order is found in which each that may run comes after those it needs', () => {
  const named = fc.array(fc.option(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 3 })), {
    maxLength: 7,
  });
  fc.assert(
    fc.property(named, (lists) => {
      const batch = lists.map((depends_on, i) => {
        const args = depends_on === null ? {} : { depends_on };
        return { id: callIdOf(MAIN, 1, i + 1), name: 'shell', args };
      });
      const ordered = inOrder(batch);
      const done = new Set(ordered.flatMap(({ call, fault }) => (fault === null ? [] : [call.id])));
      for (let wave = 0; wave <= batch.length; wave += 1)
        for (const { call, after } of ordered)
          if (after.every((id) => done.has(id))) done.add(call.id);
      expect(done.size).toBe(batch.length);
    }),
  );
});
