import { expect, test } from 'vitest';
import type { AgentId } from '../../messages/ids.js';
import { unlessRefused } from '../../src/output/unless-refused.js';
import { fails, says, ScriptedModel } from '../support/scripted-model.js';

const request = {
  agent: 'main' as AgentId,
  model: 'm',
  messages: [],
  tools: [],
  outputSchema: { type: 'object' },
};
const refusal = {
  status: 'failed',
  error: { kind: 'bad-request', message: 'response_format is not supported' },
} as const;

test('a server that refuses the form of the answer is asked without it from then on', async () => {
  const model = new ScriptedModel([refusal, says('one'), says('two')]);
  const client = unlessRefused(model);
  const ask = () => client.ask(request, () => undefined, new AbortController().signal);
  expect(await ask()).toMatchObject({ reply: { text: 'one' } });
  expect(await ask()).toMatchObject({ reply: { text: 'two' } });
  expect(model.requests.items.map(({ outputSchema }) => outputSchema !== undefined)).toEqual([
    true,
    false,
    false,
  ]);
});

test('another error is passed on', async () => {
  const client = unlessRefused(new ScriptedModel([fails('bad-request')]));
  const outcome = await client.ask(request, () => undefined, new AbortController().signal);
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'bad-request' } });
});
