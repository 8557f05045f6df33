import { expect, test } from 'vitest';
import type { StopVerdict } from '../../actors/ports.js';
import { AgentRun } from '../support/agent-run.js';
import { calls, says } from '../support/scripted-model.js';
import { holdOf } from '../support/session-samples.js';

const block = (reason: string) => ({ decision: 'block', reason }) as const;
const go = (message: string | null = null) => ({ decision: 'go', message }) as const;

const userTexts = (run: AgentRun): readonly string[] =>
  run.conversation.messages.flatMap((m) => (m.role === 'user' ? [m.text] : []));

test('an agent that may not stop yet reads why, and goes on', async () => {
  const verdicts: StopVerdict[] = [block('write the tests'), go()];
  const run = new AgentRun({
    turns: [says('done'), says('really done')],
    hooks: { onStop: () => Promise.resolve(verdicts.shift() ?? go()) },
  }).start();
  expect(await run.end()).toEqual({ status: 'done', text: 'really done', denied: [] });
  const told = 'A hook of the operator does not let you stop yet: write the tests';
  expect(userTexts(run)).toEqual(['count the files', told]);
  const rows = run.journal.rows.filter(({ kind }) => kind === 'message.added');
  expect(rows.map(({ body }) => body)).toContainEqual({
    message: { role: 'user', text: told, origin: 'harness' },
  });
});

test('work that a hook still objects to is not done', async () => {
  const overruled = { decision: 'overruled', reason: 'tests fail' } as const;
  const hooks = { onStop: () => Promise.resolve(overruled) };
  const run = new AgentRun({ turns: [says('done')], hooks }).start();
  expect(await run.end()).toEqual({ status: 'partial', text: 'done', hook: 'tests fail' });
});

test('a request that a hook blocks is not sent, which ends the turn', async () => {
  const seen: unknown[] = [];
  const run = new AgentRun({
    turns: [calls(['list_dir']), says('never said')],
    hooks: {
      preModel: (at) => {
        seen.push(at);
        return Promise.resolve(at.round === 2 ? block('office hours are over') : go());
      },
    },
  }).start();
  expect(await run.end()).toMatchObject({
    status: 'blocked',
    denied: true,
    hook: 'office hours are over',
  });
  expect(run.model.requests.items).toHaveLength(1);
  const about = { agent: 'main', model: 'scripted' };
  expect(seen).toEqual([
    { ...about, round: 1 },
    { ...about, round: 2 },
  ]);
});

test('what a hook says before a request is part of it', async () => {
  const run = new AgentRun({
    turns: [says('done')],
    hooks: { preModel: () => Promise.resolve(go('it is late')) },
  }).start();
  await run.end();
  const [request] = run.model.requests.items;
  expect(request?.messages.at(-1)).toMatchObject({ text: '[hook: it is late]', origin: 'harness' });
});

test('words that come while a hook is asked whether to stop belong to the turn', async () => {
  let asked = 0;
  const run: AgentRun = new AgentRun({
    turns: [says('done'), says('that too')],
    hooks: {
      onStop: () => {
        asked += 1;
        if (asked === 1) {
          run.send({ type: 'agent.say', text: 'one more thing', mode: 'queue', source: 7 });
        }
        return Promise.resolve(go());
      },
    },
  });
  expect(await run.start().end()).toMatchObject({ status: 'done', text: 'that too' });
  expect(asked).toBe(2);
});

test('a pause that ends a hook does not end the turn: it is asked again afterwards', async () => {
  let asked = 0;
  const run: AgentRun = new AgentRun({
    turns: [says('done')],
    hooks: {
      onStop: async (_, signal) => {
        asked += 1;
        if (asked > 1) return go();
        run.holds.publish([holdOf()]);
        const aborted = new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true });
        });
        run.send({ type: 'agent.abortRequest' });
        await aborted;
        return go();
      },
    },
  });
  run.start();
  await run.phase('gated');
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(asked).toBe(2);
});

test('an agent that is told to stop does not wait for its hooks', async () => {
  const run: AgentRun = new AgentRun({
    hooks: {
      preModel: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(go()), { once: true });
          run.send({ type: 'agent.stop', reason: 'enough' });
        }),
    },
  });
  expect(await run.start().end()).toEqual({ status: 'stopped', reason: 'enough' });
  expect(run.model.requests.items).toEqual([]);
});
