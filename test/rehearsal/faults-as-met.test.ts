/** Every fault of the scripted server as the model client meets it: what it takes for an answer, and what not. */
import { expect, test } from 'vitest';
import { MAIN_AGENT } from '../../messages/ids.js';
import type { ModelErrorKind, ModelOutcome } from '../../messages/model.js';
import { createModelClient } from '../../src/model/client.js';
import { serverFor, turns } from './scripted-conversation.js';

const TOOL = { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } } as const;
const CALL = 'calls = [{ name = "read_file", args = { path = "naïve 🐍.txt", limit = 3 } }]';

async function met(fault: string, more = {}): Promise<ModelOutcome> {
  const scenario = turns(`[[turn]]\ntext = "Some words first."\n${CALL}\nfault = ${fault}`);
  const { baseUrl, model } = await serverFor(scenario);
  const client = createModelClient({
    baseUrl,
    apiKey: null,
    version: '0',
    firstTokenTimeoutMs: 400,
    silenceTimeoutMs: 400,
    ...more,
  });
  const messages = [{ role: 'user', text: 'go', origin: 'goal' }] as const;
  return client.ask(
    { agent: MAIN_AGENT, model, messages, tools: [TOOL] },
    () => undefined,
    new AbortController().signal,
  );
}

const status = (code: number, more = ''): string => `{ kind = "status", status = ${code}${more} }`;

test.each<[string, ModelErrorKind]>([
  [status(401), 'auth'],
  [status(402), 'auth'],
  [status(404), 'not-found'],
  [status(400), 'bad-request'],
  [status(408), 'server'],
  [status(429), 'rate-limit'],
  [status(500), 'server'],
  [status(503), 'overloaded'],
  [status(529), 'overloaded'],
  ['{ kind = "context_overflow" }', 'context-overflow'],
  ['{ kind = "hang" }', 'stalled'],
  ['{ kind = "hang_before_headers" }', 'stalled'],
  ['{ kind = "silence" }', 'stalled'],
  ['{ kind = "cut" }', 'cut'],
  ['{ kind = "error_in_200" }', 'server'],
  ['{ kind = "empty" }', 'empty'],
])('%s is a failure of the kind %s', async (fault, kind) => {
  expect(await met(fault)).toMatchObject({ status: 'failed', error: { kind } });
});

test.each([
  [', retry_after = 2', 2_000],
  [', retry_after = 0', 0],
  [', retry_after = "soon"', undefined],
  [', retry_after = "-1"', undefined],
])('429 with %s asks for a wait of %s ms', async (more, wait) => {
  const outcome = await met(status(429, more));
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'rate-limit' } });
  expect(outcome.status === 'failed' && outcome.error.retryAfterMs).toBe(wait);
});

test('429 with a date asks for a wait until then', async () => {
  const outcome = await met(status(429, ', retry_after_date = 100'));
  const wait = outcome.status === 'failed' ? (outcome.error.retryAfterMs ?? 0) : 0;
  expect(wait).toBeGreaterThan(30_000);
  expect(wait).toBeLessThanOrEqual(100_000);
});

const IDS = ['late', 'repeated', 'changing', 'absent'].map(
  (ids) => `{ kind = "late_ids", ids = "${ids}" }`,
);
const ODD = ['no_index', 'same_index', 'whole_arguments', 'split_arguments', 'no_done'].map(
  (kind) => `{ kind = "${kind}" }`,
);

test.each([...IDS, ...ODD])('%s is read as the answer that it is', async (fault) => {
  const outcome = await met(fault);
  if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome));
  const [call, ...others] = outcome.reply.calls;
  expect(others).toEqual([]);
  expect(JSON.parse(call?.argumentsText ?? '')).toEqual({ path: 'naïve 🐍.txt', limit: 3 });
});

test('arguments that end too soon are marked as cut, whether a limit ended them or nothing did', async () => {
  for (const fault of ['cut_arguments', 'bad_json'])
    expect(await met(`{ kind = "${fault}" }`)).toMatchObject({
      status: 'ok',
      reply: { calls: [{ name: 'read_file', cut: true }] },
    });
});

test.each(['tags', 'fence', 'bare'])('calls as text (%s) count where that is set', async (form) => {
  const fault = `{ kind = "text_calls", form = "${form}" }`;
  const unset = await met(fault);
  expect(unset).toMatchObject({ status: 'ok', reply: { calls: [] } });
  expect(JSON.stringify(unset)).toContain('text_calls = true');
  const set = await met(fault, { settings: { textCalls: true } });
  expect(set).toMatchObject({ status: 'ok', reply: { calls: [{ name: 'read_file' }] } });
});

test.each(['missing', 'null', 'negative', 'nan'])(
  'counts that are %s do not harm the answer',
  async (usage) => {
    const outcome = await met(`{ kind = "odd_usage", usage = "${usage}" }`);
    expect(outcome).toMatchObject({ status: 'ok', reply: { usage: null } });
    expect(outcome.status === 'ok' && outcome.reply.calls).toHaveLength(1);
  },
);
