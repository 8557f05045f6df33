import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { callIdOf, MAIN_AGENT } from '../../messages/ids.js';
import { factOf, sessionFact } from '../../messages/journal.js';
import { checkpointExport, roundsExport, withRows } from '../../src/session-export.js';
import { specOf } from '../support/session-samples.js';
import { bringIn, conversationIn, inShort, newDesk, rowsIn, sessionOf } from './transfer-desk.js';

const CALL = callIdOf(MAIN_AGENT, 1, 1);
const usage = { promptTokens: 100, completionTokens: 20, cachedTokens: 0, costUsd: 0.25 };

const WORK = [
  sessionFact('session.started', { spec: specOf(), version: '0', pid: 1 }),
  sessionFact('message.added', { message: { role: 'system', text: 'Be brief.' } }),
  sessionFact('goal.set', { goal: 'Count.' }),
  sessionFact('message.added', { message: { role: 'user', text: 'Count.', origin: 'goal' } }),
  factOf('model.outcome', MAIN_AGENT, 1, {
    status: 'ok',
    usage,
    model: 'm',
    ms: 1,
    finish: 'calls',
  }),
  factOf('message.added', MAIN_AGENT, 1, {
    message: {
      role: 'assistant',
      text: 'I count.',
      calls: [{ id: CALL, name: 'list_dir', args: { path: '.' } }],
    },
  }),
  factOf('tool.outcome', MAIN_AGENT, 1, {
    ...{ callId: CALL, name: 'list_dir' },
    outcome: { status: 'ok', text: 'a\nb', truncated: false },
  }),
  factOf('model.outcome', MAIN_AGENT, 2, {
    status: 'ok',
    usage,
    model: 'm',
    ms: 1,
    finish: 'stop',
  }),
  factOf('message.added', MAIN_AGENT, 2, {
    message: { role: 'assistant', text: 'Two.', calls: [] },
  }),
  sessionFact('session.ended', { status: 'done', text: 'Two.', reason: '' }),
];

test('a checkpoint is compressed JSON of what was said and how far it has come', async () => {
  const desk = newDesk();
  const id = await sessionOf(desk, WORK);
  const { bytes } = await withRows(desk.home, id, (rows) => checkpointExport(rows, desk.home, id));
  expect(JSON.parse(gunzipSync(bytes).toString())).toEqual({
    session_id: specOf().id,
    timestamp: '2026-01-01T00:00:00.000Z',
    iteration: 2,
    conversation: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Count.' },
      {
        role: 'assistant',
        content: 'I count.',
        tool_calls: [{ id: CALL, name: 'list_dir', input: { path: '.' } }],
      },
      { role: 'tool', content: 'a\nb', tool_call_id: CALL, name: 'list_dir' },
      { role: 'assistant', content: 'Two.' },
    ],
    state: {
      task_description: 'Count.',
      current_mode: 'default',
      current_step: 'PlanningLoop',
      tool_state: { open_file: null, window_start: 0 },
      api_call_count: 2,
    },
    metadata: { agent_version: expect.stringMatching(/^ouro /) as string, abk_version: 'none' },
  });
});

test.each([
  ['compressed', (json: string) => gzipSync(json), 'one.json.gz'],
  ['plain', (json: string) => Buffer.from(json), 'one.json'],
])(
  'a checkpoint of another program, %s, is read in every form of messages and calls',
  async (_, pack, name) => {
    const desk = newDesk();
    const file = join(desk.folder, name);
    const conversation = [
      { role: 'system', content: 'You are someone else.' },
      { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: '1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
        ],
      },
      { role: 'tool', tool_call_id: '1', content: 'a' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: '1', name: 'read', input: { path: 'a' } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_call_id: '1', content: 'A', is_error: true }],
      },
      { role: 'assistant', tool_calls: [{ id: '2', name: 'glob', input: {} }] },
      'not an entry',
    ];
    writeFileSync(file, pack(JSON.stringify({ session_id: '01H8', conversation })));
    const { spec, origin, notices } = await bringIn(desk, file);
    expect(origin).toMatchObject({ format: 'checkpoint', session: '01H8', usage: null });
    expect(notices.join()).toContain('1 entries');
    expect(inShort(await conversationIn(desk, spec.id))).toEqual([
      'user: Look.',
      'assistant:  [shell {"command":"ls"}]',
      'tool: a',
      'assistant:  [read_file {"path":"a"}]',
      'tool: A',
      'assistant:  [find_files {}]',
      expect.stringContaining('no result of this call'),
    ]);
    const rows = await rowsIn(desk, spec.id);
    expect(JSON.stringify(rows)).toContain('"role":"system","text":"You are someone else."');
    expect(JSON.stringify(rows)).not.toContain('You are ouro');
  },
);

test.each([
  ['{"messages":[]}', 'is no checkpoint'],
  ['{"conversation":[]}', 'holds no conversation'],
  ['no json', 'is no checkpoint'],
])('%s is refused with the reason, and nothing is left of it', async (text, reason) => {
  const desk = newDesk();
  const file = join(desk.folder, 'bad.json');
  writeFileSync(file, text);
  await expect(bringIn(desk, file)).rejects.toThrow(reason);
});

test('a damaged archive is refused', async () => {
  const desk = newDesk();
  const file = join(desk.folder, 'bad.json.gz');
  writeFileSync(file, gzipSync('{"conversation":[]}').subarray(0, 12));
  await expect(bringIn(desk, file)).rejects.toThrow('cannot be unpacked');
});

test('each round with calls is a file of all that was said until then, and a manifest sums up', async () => {
  const desk = newDesk();
  const id = await sessionOf(desk, WORK);
  const files = await withRows(desk.home, id, (rows) => [...roundsExport(rows)]);
  const trace = specOf().id;
  expect(files).toMatchObject([
    {
      name: `${trace}_round_1.json`,
      json: {
        trace_id: trace,
        round: 1,
        text_output: 'I count.',
        prompt_tokens: 100,
        completion_tokens: 20,
        estimated_cost_usd: 0.25,
        messages: [
          { role: 'system' },
          { role: 'user', content: 'Count.' },
          { tool_calls: [{ id: CALL, function: { name: 'list_dir', arguments: '{"path":"."}' } }] },
          { role: 'tool', tool_call_id: CALL, content: 'a\nb' },
        ],
      },
    },
    {
      name: 'manifest.json',
      json: { status: 'completed', last_round: 2, prompt_tokens: 200, message_preview: 'Count.' },
    },
  ]);
});
