import { expect, test } from 'vitest';
import { Planning } from '../../src/session/planning.js';
import { AgentRun } from '../support/agent-run.js';
import { ofType } from '../support/recorder.js';
import { calls, says } from '../support/scripted-model.js';

test('the plan stands in the request after it, in the journal and in the log', async () => {
  const plan = new Planning(null);
  const submit = calls(['submit_plan', { summary: '1. count' }]);
  const run = new AgentRun({
    turns: [
      (request) => {
        plan.submit('1. count');
        expect(request.messages.at(-1)).toMatchObject({ text: 'count the files' });
        return submit;
      },
      says('done'),
    ],
    setup: { plan },
  }).start();
  expect(await run.end()).toMatchObject({ status: 'done' });
  const last = run.model.requests.items[1]?.messages.at(-1);
  expect(last).toMatchObject({ role: 'user', origin: 'harness' });
  expect(last).toHaveProperty('text', expect.stringContaining('1. count'));
  expect(run.journal.rows).toContainEqual(
    expect.objectContaining({ kind: 'message.added', body: { message: last } }),
  );
  expect(ofType(run.facts.items, 'agent.heard')).toMatchObject([{ origin: 'harness' }]);
  const details = ofType(run.facts.items, 'agent.status').map(({ detail }) => detail);
  expect([details[0], details.at(-1)]).toEqual(['planning', undefined]);
});

test('an agent that stops without a plan is sent back once, and then its turn is over', async () => {
  const plan = new Planning(null);
  const run = new AgentRun({ turns: [says('my plan is …'), says('the end')], setup: { plan } });
  expect(await run.start().end()).toMatchObject({ status: 'done', text: 'the end' });
  expect(run.model.requests.items[1]?.messages.at(-1)).toHaveProperty(
    'text',
    expect.stringContaining('submit_plan'),
  );
});
