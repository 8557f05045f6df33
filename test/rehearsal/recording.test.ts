/** Answers of a server are written down, and played again by another one. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelClient } from '../../actors/ports.js';
import type { AgentId } from '../../messages/ids.js';
import type { ModelOutcome, ModelReply } from '../../messages/model.js';
import { loadScenario } from '../../src/rehearsal/load-scenario.js';
import { openRecorder, type Recorder } from '../../src/rehearsal/recorder.js';
import type { Scenario } from '../../src/rehearsal/scenario.js';
import { tempFolder } from '../store/temp-folder.js';
import {
  post,
  serverFor,
  user,
  type WireMessage,
  type WireReply,
} from './scripted-conversation.js';

const SECRET = 'k3y-of-somebody-else';
const REPLY: ModelReply = {
  text: '',
  reasoning: '',
  calls: [],
  usage: { promptTokens: 12, completionTokens: 3, cachedTokens: 0 },
  finish: 'stop',
  model: 'real',
};
const ok = (part: Partial<ModelReply>): ModelOutcome => ({
  status: 'ok',
  reply: { ...REPLY, ...part },
});
const calling = (id: string, argumentsText: string): ModelOutcome =>
  ok({ text: 'Look.', finish: 'calls', calls: [{ id, name: 'read_file', argumentsText }] });
const failed = (kind: 'server' | 'rate-limit', httpStatus?: number): ModelOutcome => ({
  status: 'failed',
  error: { kind, message: `no: ${SECRET}`, ...(httpStatus === undefined ? {} : { httpStatus }) },
});

const recorderIn = (file: string) =>
  openRecorder({
    file,
    goal: `Read it with ${SECRET}.`,
    model: 'real',
    baseUrl: 'http://h/v1',
    redact: (text) => text.replaceAll(SECRET, '[redacted:KEY]'),
    now: () => 1_000,
  });

function opened(file: string): Recorder {
  const found = recorderIn(file);
  if (!found.ok) throw new Error(found.reason);
  return found.recorder;
}

type Said = readonly [agent: string, outcome: ModelOutcome, side?: 'side'];

/** A file with what was said, in this order. */
async function recorded(said: readonly Said[]): Promise<string> {
  const file = join(tempFolder(), 'session.jsonl');
  const recorder = opened(file);
  for (const [agent, outcome, side] of said) {
    const model: ModelClient = { ask: () => Promise.resolve(outcome) };
    const tools =
      side === undefined ? [{ name: 'read_file', description: '', parameters: {} }] : [];
    const request = { agent: agent as AgentId, model: 'real', messages: [], tools };
    const heard = await recorder
      .listenTo(model)
      .ask(request, () => undefined, new AbortController().signal);
    expect(heard).toEqual(outcome);
  }
  recorder.close();
  return file;
}

function loaded(file: string): Scenario {
  const found = loadScenario(file);
  if (!found.ok) throw new Error(found.message);
  return found.scenario;
}

const SESSION: readonly Said[] = [
  ['main', failed('rate-limit', 429)],
  ['main', calling('toolu_1', '{"path":"a"}')],
  ['sub-1', ok({ text: 'The sub-agent speaks.' })],
  ['main', { status: 'cancelled' }],
  ['main', ok({ text: 'A summary.' }), 'side'],
  ['main', calling('toolu_2', '{"path": broken')],
  ['main', ok({ text: 'Done {{round}}.', reasoning: 'Why not.', usage: null })],
];

const TOOLS = [{ type: 'function', function: { name: 'read_file', parameters: {} } }];

test('each agent is given its own answers again, in their order, with failures where they were', async () => {
  const server = await serverFor(loaded(await recorded(SESSION)));
  const ask = async (messages: readonly WireMessage[], agent = 'main', tools: unknown = TOOLS) => {
    const response = await fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-ouro-agent': agent },
      body: JSON.stringify({ model: server.model, messages, tools }),
    });
    return { status: response.status, body: (await response.json()) as WireReply };
  };
  const heard: WireMessage[] = [user('whatever is asked')];
  const refused = await ask(heard);
  expect(refused.status).toBe(429);
  const first = (await ask(heard)).body;
  expect(first).toMatchObject({
    usage: { prompt_tokens: 12, completion_tokens: 3 },
    choices: [{ message: { content: 'Look.', tool_calls: [{ id: 'toolu_1' }] } }],
  });
  const side = await ask([user('Summarise.')], 'main', []);
  expect(side.body.choices[0]?.message.content).toBe('A summary.');
  const sub = await ask([user('a task')], 'sub-1');
  expect(sub.body.choices[0]?.message.content).toBe('The sub-agent speaks.');
  const second = (await ask([user('another conversation altogether')])).body;
  expect(second.choices[0]?.message.tool_calls?.[0]?.function.arguments).toBe('{"path": broken');
  const third = (await ask([user('and on')])).body;
  expect(third.choices[0]?.message.content).toBe('Done {{round}}.');
  expect(third.usage).toBeUndefined();
  const more = await ask([user('and on')]);
  expect(more.status).toBe(400);
  expect(JSON.stringify(more.body)).toContain('no further answer for agent main: it has 4 answers');
});

test('a server that was started again goes on behind the answers that the conversation holds', async () => {
  const server = await serverFor(loaded(await recorded(SESSION)));
  const response = await post(server, [
    user('x'),
    {
      role: 'assistant',
      content: 'Look.',
      tool_calls: [
        { id: 'toolu_2', type: 'function', function: { name: 'read_file', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'toolu_2', content: 'no such file' },
  ]);
  // Without tools it is work on the side, which has a queue of its own.
  const body = (await response.json()) as WireReply;
  expect(body.choices[0]?.message.content).toBe('A summary.');
  const again = await fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: server.model,
      tools: TOOLS,
      messages: [
        user('x'),
        {
          role: 'assistant',
          content: 'Look.',
          tool_calls: [
            { id: 'toolu_2', type: 'function', function: { name: 'read_file', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'toolu_2', content: 'no such file' },
      ],
    }),
  });
  const next = (await again.json()) as WireReply;
  expect(next.choices[0]?.message.content).toBe('Done {{round}}.');
});

test('the file is for its owner alone and holds no secret', async () => {
  const file = await recorded(SESSION);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(SECRET);
  expect(text).toContain('[redacted:KEY]');
  expect(loaded(file).goal).toBe('Read it with [redacted:KEY].');
});

test('a file that is there is never replaced, and a recording of nothing is not kept', () => {
  const file = join(tempFolder(), 'taken.jsonl');
  writeFileSync(file, 'mine');
  expect(recorderIn(file)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('never replaces a file') as string,
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const empty = join(tempFolder(), 'empty.jsonl');
  const recorder = opened(empty);
  recorder.close();
  recorder.close();
  expect(existsSync(empty)).toBe(false);
  expect(recorderIn('/nowhere/at/all.jsonl')).toMatchObject({ ok: false });
});

test('a torn last line is left out; what else is wrong is named with its line', async () => {
  const file = await recorded(SESSION);
  const whole = readFileSync(file, 'utf8');
  const lines = whole.trimEnd().split('\n');
  writeFileSync(file, whole.slice(0, -20));
  expect(loaded(file).turns).toHaveLength(5);
  const wrong = (text: string): string => {
    writeFileSync(file, text);
    const found = loadScenario(file);
    return found.ok ? 'fine' : found.message;
  };
  expect(wrong([lines[0], '{"type":"answer","agent":"main"}', lines[1]].join('\n'))).toMatch(
    /session\.jsonl: line 2: key text/,
  );
  expect(wrong(whole.replace('"v":1', '"v":2'))).toContain('this program plays version 1');
  expect(wrong('{}')).toContain('expected the head of a recording');
  expect(wrong(lines[0] ?? '')).toContain('holds no answer');
});
