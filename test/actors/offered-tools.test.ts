import { expect, test } from 'vitest';
import { AgentRun } from '../support/agent-run.js';
import { calls, says } from '../support/scripted-model.js';
import { okOutcome } from '../support/session-samples.js';

test('the first request of an agent says which tools were on offer, and later ones do not repeat it', async () => {
  const offered = [{ name: 'list_dir', description: '', parameters: {} }];
  const run = new AgentRun({
    turns: [calls(['list_dir', { path: '.' }]), says('done')],
    tools: { list_dir: { run: () => okOutcome('a') } },
    setup: { round: 7, tools: offered },
  }).start();
  await run.end();
  expect(run.journal.ofKind('model.intent').map(({ round, body }) => [round, body.tools])).toEqual([
    [8, ['list_dir']],
    [9, undefined],
  ]);
});
