import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndex } from '../../src/store/index-store.js';
import { MAX_TRANSCRIPT_BYTES } from '../../src/transfer/transcript.js';
import {
  bringIn,
  conversationIn,
  exported,
  fixture,
  inShort,
  linesIn,
  newDesk,
  rowsIn,
  transcriptOf,
} from './transfer-desk.js';

const NO_RESULT = expect.stringMatching(
  /^tool: The transcript .* has no result of this call/,
) as string;

test.each([
  [
    'blocks of one answer on lines of their own',
    'plain.jsonl',
    [
      'user: Why is the total wrong?',
      'assistant: I look at the cart. [read_file {"file_path":"/home/ann/shop/cart.ts"}]',
      'tool: 1\tconst total = a - b;',
      'assistant: It subtracts: `a - b` must be `a + b`.',
    ],
  ],
  [
    'calls that ran at once, in a tree, with results in another order',
    'parallel.jsonl',
    [
      'user: Read both files.',
      'assistant: Both at once. [read_file {"file_path":"a"}] [shell {"command":"cat b"}] [mcp__notes__find {"q":"c"}]',
      'tool: A',
      'tool: no such file',
      'tool: C',
      'assistant: Read.',
    ],
  ],
  [
    'a compaction, behind which the history begins',
    'compacted.jsonl',
    [
      'user: This session goes on from an earlier one: the first task is done.',
      'user: Second task.',
      'assistant: Done with the second.',
    ],
  ],
  [
    'a branch that was given up',
    'branched.jsonl',
    ['user: Name a colour.', 'assistant: Red.', 'user: No, a warm one.', 'assistant: Orange.'],
  ],
  [
    'pictures, interruptions, errors of the program, calls without a result',
    'interrupted.jsonl',
    [
      'user: Look at this.\n[image image/png: kept in the imported transcript, not shown here]',
      'assistant:  [shell {"command":"make"}]',
      NO_RESULT,
      'user: [Request interrupted by user for tool use]',
      'user: Caveat: the messages below were made by the user.',
      'user: Go on.',
      'assistant:  [shell {"command":"make"}]',
      NO_RESULT,
    ],
  ],
  [
    'fields in the other spelling, and lines that were taken back',
    'snake-case.jsonl',
    [
      'user: Count the files.',
      'assistant:  [list_dir {}]',
      'tool: a\nb',
      'assistant: Two.',
      'user: Thanks.',
    ],
  ],
])('%s: %s', async (_, name, said) => {
  const desk = newDesk();
  const { spec } = await bringIn(desk, fixture(name));
  expect(inShort(await conversationIn(desk, spec.id))).toEqual(said);
  expect(await exported(desk, spec.id)).toEqual(linesIn(fixture(name)));
});

test('usage is counted once for an answer, whatever number of lines it has', async () => {
  const { origin } = await bringIn(newDesk(), fixture('plain.jsonl'));
  expect(origin.usage).toEqual({
    promptTokens: 230,
    completionTokens: 14,
    cachedTokens: 200,
    cacheWriteTokens: 10,
  });
});

test('sub-agents come from the folder beside, with the call that asked for them', async () => {
  const desk = newDesk();
  const { spec, agents } = await bringIn(desk, fixture('delegated.jsonl'));
  expect(agents).toBe(1);
  const rows = await rowsIn(desk, spec.id);
  expect(rows.filter(({ agent }) => agent !== 'main').map(({ kind }) => kind)).toEqual([
    'agent.spawned',
    'message.added',
    'message.added',
    'tool.outcome',
    'message.added',
    'agent.ended',
  ]);
  expect(rows.find(({ kind }) => kind === 'agent.spawned')?.body).toMatchObject({
    parent: 'main',
    callId: 'main_1_1',
    task: { task: 'Find the port in the config.' },
  });
  const side = linesIn(fixture('delegated/subagents/agent-a1f3.jsonl'));
  expect(await exported(desk, spec.id)).toEqual([...linesIn(fixture('delegated.jsonl')), ...side]);
});

test('thinking is kept as reasoning, a program’s own words are told apart from a person’s', async () => {
  const desk = newDesk();
  const plain = await bringIn(desk, fixture('plain.jsonl'));
  const [, answer] = await conversationIn(desk, plain.spec.id);
  expect(answer).toMatchObject({ reasoning: 'The sum is made in cart.ts.' });
  const cut = await bringIn(desk, fixture('compacted.jsonl'));
  expect(await conversationIn(desk, cut.spec.id)).toMatchObject([
    { origin: 'harness' },
    { origin: 'goal' },
    { role: 'assistant' },
  ]);
});

test('the session is listed as interrupted, named by its first words, and says where it came from', async () => {
  const desk = newDesk();
  const { spec, origin } = await bringIn(desk, fixture('plain.jsonl'));
  const index = openIndex({ home: desk.home, time: { now: () => 1 } });
  expect(index.get(spec.id)).toMatchObject({
    name: 'Why is the total wrong?',
    goal: 'Why is the total wrong?',
    state: 'interrupted',
    exitCode: 130,
  });
  index.close();
  expect(origin).toMatchObject({ format: 'claude', from: fixture('plain.jsonl'), leaf: 'p7' });
  const rows = await rowsIn(desk, spec.id);
  expect(rows[0]?.body).toMatchObject({ imported: origin });
  expect(rows.at(-1)).toMatchObject({ kind: 'session.ended', body: { status: 'interrupted' } });
});

const user = (uuid: string, parentUuid: string | null, content: unknown): object => ({
  ...{ type: 'user', uuid, parentUuid, sessionId: 's' },
  message: { role: 'user', content },
});

test('marks of byte order, CR before LF and U+2028 inside strings change nothing', async () => {
  const desk = newDesk();
  const file = join(desk.folder, 'windows.jsonl');
  const line = JSON.stringify(user('a', null, 'one\u2028two'));
  writeFileSync(file, `\uFEFF${line}\r\n`);
  const { spec, notices } = await bringIn(desk, file);
  expect(notices).toEqual([]);
  expect(inShort(await conversationIn(desk, spec.id))).toEqual(['user: one\u2028two']);
  expect(await exported(desk, spec.id)).toEqual([line]);
});

test('a last line that was cut off is left out, and that is said', async () => {
  const desk = newDesk();
  const file = transcriptOf(desk, user('a', null, 'one'));
  writeFileSync(file, '{"type":"user","uuid":"b","mess', { flag: 'a' });
  const { spec, notices } = await bringIn(desk, file);
  expect(notices.join()).toContain('was cut off');
  expect(await exported(desk, spec.id)).toEqual(linesIn(file));
});

test('a line that is no JSON is kept unread, and the history goes on past it', async () => {
  const desk = newDesk();
  const file = transcriptOf(desk, user('a', null, 'one'), '{"uuid":"b",', user('c', 'b', 'three'));
  const { spec, notices } = await bringIn(desk, file);
  expect(notices.join()).toMatch(/line 2 .* is no JSON.*parent of line c is missing/);
  expect(inShort(await conversationIn(desk, spec.id))).toEqual(['user: one', 'user: three']);
  expect(await exported(desk, spec.id)).toEqual(linesIn(file));
});

test('lines that name each other as parents end somewhere', async () => {
  const desk = newDesk();
  const file = transcriptOf(desk, user('a', 'b', 'one'), user('b', 'a', 'two'));
  const { spec, notices } = await bringIn(desk, file);
  expect(notices.join()).toContain('in a circle');
  expect(inShort(await conversationIn(desk, spec.id))).toEqual(['user: one', 'user: two']);
});

test('a line that is there twice counts once', async () => {
  const desk = newDesk();
  const twice = user('a', null, 'one');
  const { spec } = await bringIn(desk, transcriptOf(desk, twice, twice, user('b', 'a', 'two')));
  expect(inShort(await conversationIn(desk, spec.id))).toEqual(['user: one', 'user: two']);
});

test('values of wrong types are kept and said to nobody', async () => {
  const desk = newDesk();
  const odd = [
    ...['7', 'null', '[1]', '"text"', '{}', '{"type":3,"uuid":[]}'],
    { type: 'user', uuid: 'x', parentUuid: 7, message: 'words' },
    { type: 'assistant', uuid: 'y', message: { content: 12, usage: 'much' }, timestamp: {} },
    { type: 'user', uuid: 'z', message: { content: [null, 4, { type: 'tool_result' }] } },
    { type: 'assistant', uuid: 'w', message: { content: [{ type: 'tool_use', input: 'a' }] } },
    '{"__proto__":{"type":"user"},"constructor":1}',
  ];
  const file = transcriptOf(desk, user('a', null, 'one'), ...odd);
  const { spec } = await bringIn(desk, file);
  const said = await conversationIn(desk, spec.id);
  expect(said).toMatchObject([
    { text: 'one' },
    { role: 'assistant', calls: [{ id: 'main_1_1', name: 'unnamed_tool', invalid: 'a' }] },
    { role: 'tool', callId: 'main_1_1' },
  ]);
  expect(await exported(desk, spec.id)).toEqual(linesIn(file));
});

test('secrets are taken out of whatever is kept, and of what is told', async () => {
  const desk = newDesk();
  const call = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'echo hunter2' } };
  const file = transcriptOf(
    desk,
    user('a', null, 'It is hunter2.'),
    { type: 'assistant', uuid: 'b', parentUuid: 'a', message: { id: 'm', content: [call] } },
    { type: 'future', hunter2: ['hunter2'] },
    'hunter2 and no JSON',
  );
  const redact = (text: string): string => text.replaceAll('hunter2', '[redacted:PW]');
  const { spec } = await bringIn(desk, file, { redact });
  const all = JSON.stringify([await rowsIn(desk, spec.id), await exported(desk, spec.id)]);
  expect(all).not.toContain('hunter2');
  expect(all).toContain('echo [redacted:PW]');
});

test('lines of sub-agents among the others are told apart by hanging together', async () => {
  const desk = newDesk();
  const side = (uuid: string, parentUuid: string | null, content: string): object => ({
    ...user(uuid, parentUuid, content),
    isSidechain: true,
  });
  const file = transcriptOf(
    desk,
    user('a', null, 'one'),
    side('x', null, 'look here'),
    side('y', null, 'look there'),
    side('x2', 'x', 'further'),
    user('b', 'a', 'two'),
    side('y2', 'y', 'further off'),
  );
  const { spec, agents } = await bringIn(desk, file);
  expect(agents).toBe(2);
  expect(inShort(await conversationIn(desk, spec.id))).toEqual(['user: one', 'user: two']);
  const texts = (await rowsIn(desk, spec.id)).flatMap(({ agent, kind, body }) =>
    kind === 'message.added' && agent !== 'main' ? [`${agent} ${body.message.text}`] : [],
  );
  expect(texts).toEqual([
    'sub-1 look here',
    'sub-1 further',
    'sub-2 look there',
    'sub-2 further off',
  ]);
  expect(await exported(desk, spec.id)).toEqual(linesIn(file));
});

test('a line nested more deeply than can be looked through for secrets is kept unread', async () => {
  const desk = newDesk();
  const deep = `{"type":"user","uuid":"d","message":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const file = transcriptOf(desk, deep, user('a', null, 'one'));
  const { spec, notices } = await bringIn(desk, file);
  expect(notices.join()).toContain('line 1');
  expect(inShort(await conversationIn(desk, spec.id))).toEqual(['user: one']);
  expect(await exported(desk, spec.id)).toEqual(linesIn(file));
});

test('a transcript that is too large is refused, and leaves nothing', async () => {
  const desk = newDesk();
  const file = transcriptOf(desk, user('a', null, 'one'));
  truncateSync(file, MAX_TRANSCRIPT_BYTES + 1);
  await expect(bringIn(desk, file)).rejects.toThrow('at most 209715200 are imported');
  expect(readdirSync(join(desk.home, 'sessions'))).toEqual([]);
});

test('further parts belong to the first', async () => {
  const desk = newDesk();
  const first = transcriptOf(desk, user('a', null, 'one'));
  const second = transcriptOf(desk, user('b', 'a', 'two'));
  writeFileSync(first.replace('.jsonl', '_part2.jsonl'), `${linesIn(second).join('\n')}\n`);
  const { spec } = await bringIn(desk, first);
  expect(inShort(await conversationIn(desk, spec.id))).toEqual(['user: one', 'user: two']);
});
