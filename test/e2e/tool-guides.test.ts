/** What a model is told of a tool when it uses it for the first time, as its requests show it. */
import { expect, test } from 'vitest';
import { done } from '../support/e2e/command-line.js';
import { askAt, modelServer, shell } from '../support/e2e/model-server.js';
import { newPlace } from '../support/e2e/place.js';

const GUIDE = '<tool_guide name=\\"shell\\">';
const FLAGS = ['--permission-mode', 'bypass'];
const TURNS = [
  { calls: [shell('echo one')] },
  { calls: [shell('echo two')] },
  { text: 'Counted.' },
  { calls: [shell('echo three')] },
  { text: 'Counted on.' },
];

const times = (body: string | null): number => (body ?? '').split(GUIDE).length - 1;

test('a guide is there once, also when the session goes on in another process, and changes no earlier byte', async () => {
  const place = newPlace();
  const server = await modelServer(TURNS);
  await done(place, ['run', '-p', 'Count.', ...FLAGS, ...askAt(server)]);
  await done(place, ['run', '-p', '-c', 'Count on.']);
  const bodies = server.requests.map(({ body }) => body ?? '');
  expect(bodies.map(times)).toEqual([0, 1, 1, 1, 1]);
  const messages = bodies.map((body) => (JSON.parse(body) as { messages: unknown[] }).messages);
  for (const [i, later] of messages.slice(1).entries()) {
    const earlier = messages[i] ?? [];
    expect(later.slice(0, earlier.length)).toEqual(earlier);
  }
});

test('where they are turned off there is none', async () => {
  const place = newPlace();
  const server = await modelServer(TURNS.slice(0, 3));
  const env = { OURO_CONTEXT_TOOL_GUIDES: 'false' };
  await done(place, ['run', '-p', 'Count.', ...FLAGS, ...askAt(server)], { env });
  expect(server.requests.map(({ body }) => times(body))).toEqual([0, 0, 0]);
});
