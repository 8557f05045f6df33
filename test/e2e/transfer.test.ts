/** A session that another program began goes on here, and back. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { done, ouro } from '../support/e2e/command-line.js';
import { askAt, call, modelServer } from '../support/e2e/model-server.js';
import { newPlace } from '../support/e2e/place.js';

interface Sent {
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string };
    }[];
    readonly tool_call_id?: string;
  }[];
}

const answer = (uuid: string, parentUuid: string, id: string, block: object): object => ({
  ...{ type: 'assistant', uuid, parentUuid, sessionId: 's' },
  message: { id, role: 'assistant', content: [block] },
});
const user = (uuid: string, parentUuid: string | null, content: unknown): object => ({
  ...{ type: 'user', uuid, parentUuid, sessionId: 's' },
  message: { role: 'user', content },
});

const LINES = [
  user('a', null, 'Read both files.'),
  answer('b', 'a', 'm1', { type: 'text', text: 'Both at once.' }),
  answer('c', 'b', 'm1', {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'Read',
    input: { file_path: 'one' },
  }),
  answer('d', 'c', 'm1', {
    type: 'tool_use',
    id: 'toolu_2',
    name: 'Bash',
    input: { command: 'cat two' },
  }),
  user('e', 'c', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ONE' }]),
];

test('an imported transcript goes on where it stopped, with its history as it was, and is exported with what follows', async () => {
  const place = newPlace();
  const server = await modelServer([
    // The server counts the answers of a conversation, and has not given this one.
    { text: 'Both at once.' },
    { calls: [call('read_file', { path: 'two' })] },
    { text: 'I have read both.' },
  ]);
  writeFileSync(join(place.workspace, 'two'), 'TWO\n');
  const file = join(place.root, 'session.jsonl');
  writeFileSync(file, LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const id = (await done(place, ['sessions', 'import', file, ...askAt(server)])).stdout.trim();

  const { stdout } = await done(place, ['run', '-p', '-r', id, 'Go on.']);
  expect(stdout).toBe('I have read both.\n');
  const bodies = server.requests.flatMap(({ body }) =>
    body === null ? [] : [JSON.parse(body) as Sent],
  );
  const [first, second] = bodies;
  expect(first?.messages).toMatchObject([
    { role: 'system', content: expect.stringContaining('You are ouro') as string },
    { role: 'user', content: 'Read both files.' },
    {
      content: 'Both at once.',
      tool_calls: [
        { id: 'main_1_1', function: { name: 'read_file' } },
        { id: 'main_1_2', function: { name: 'shell' } },
      ],
    },
    { role: 'tool', tool_call_id: 'main_1_1', content: 'ONE' },
    {
      role: 'tool',
      tool_call_id: 'main_1_2',
      content: expect.stringContaining('no result of this call') as string,
    },
    { role: 'user', content: 'Go on.' },
  ]);
  const prefix = first?.messages ?? [];
  expect(second?.messages.slice(0, prefix.length)).toEqual(prefix);

  const lines = (await done(place, ['sessions', 'export', id])).stdout.split('\n').slice(0, -1);
  expect(lines.slice(0, LINES.length)).toEqual(LINES.map((line) => JSON.stringify(line)));
  const since = lines.slice(LINES.length).map((line) => JSON.parse(line) as object);
  expect(since).toMatchObject([
    { type: 'user', sessionId: 's', parentUuid: 'e', message: { content: 'Go on.' } },
    { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'read_file' }] } },
    { type: 'user', message: { content: [{ type: 'tool_result' }] } },
    { type: 'assistant', message: { content: [{ type: 'text', text: 'I have read both.' }] } },
    { type: 'summary' },
  ]);

  const again = join(place.root, 'again.jsonl');
  writeFileSync(again, lines.map((line) => `${line}\n`).join(''));
  const copy = (await done(place, ['sessions', 'import', again, ...askAt(server)])).stdout.trim();
  const exported = (await done(place, ['sessions', 'export', copy])).stdout;
  expect(exported.split('\n').slice(0, -1)).toEqual(lines);

  const other = (await done(place, ['sessions', 'import', file, ...askAt(server)])).stdout.trim();
  await done(place, ['resume', other]);
  expect((await ouro(place, ['wait', other])).code).toBe(0);
  const told = server.requests.at(-1)?.body ?? '';
  expect(told).toContain('no result of this call');
  expect(told).not.toContain('Go on.');
});
