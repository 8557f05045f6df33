/** Sub-agents in the background, as a whole session meets them: nothing ends before they do. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../support/e2e/background.js';
import { done, ouro } from '../support/e2e/command-line.js';
import { askAt, call, modelServer } from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

const WORK = { type: 'worker', task: 'Write the note.', background: true };
const WRITE = call('write_file', { path: 'note.txt', content: 'written\n' });

test('a headless run does not end before its sub-agent in the background has', async () => {
  const place = newPlace();
  const server = await modelServer([
    { when: { agent: 'sub-1', round: 1 }, calls: [WRITE], delay_ms: 1_000 },
    { when: { agent: 'sub-1', round: 2 }, text: 'The note is written.' },
    { when: { agent: 'main', round: 1 }, calls: [call('delegate', WORK)] },
    { when: { agent: 'main', round: 2 }, text: 'Now I wait.' },
    { when: { agent: 'main', round: 3 }, text: 'All is done.' },
  ]);
  const run = await done(place, [
    'run',
    '-p',
    'Go on.',
    ...askAt(server),
    '--output-format',
    'json',
  ]);
  const result = JSON.parse(run.stdout) as { text: string; files_changed: string[] };
  expect(result).toMatchObject({ text: 'All is done.', files_changed: ['note.txt'] });
  expect(existsSync(join(place.workspace, 'note.txt'))).toBe(true);
  expect(server.requests.at(-1)?.body).toContain('The note is written.');
});

test('one in the background goes on after a death, and does nothing twice', async () => {
  const place = newPlace();
  const server = await modelServer([
    { when: { agent: 'sub-1', round: 1 }, calls: [WRITE] },
    { when: { agent: 'sub-1', round: 2 }, text: 'The note is written.', delay_ms: 2_000 },
    { when: { agent: 'main', round: 1 }, calls: [call('delegate', WORK)] },
    { when: { agent: 'main', round: 2 }, text: 'Now I wait.' },
    { when: { agent: 'main', round: 3 }, text: 'All is done.' },
  ]);
  const id = await start(place, server);
  const rounds = (agent: string) => server.requests.filter((request) => request.agent === agent);
  await eventually('both at rest', () => rounds('sub-1').length > 1 && rounds('main').length > 1);
  for (const { pid, commandLine } of processesOf(place))
    if (commandLine.includes('__daemon')) killQuietly(pid);
  await done(place, ['resume', id]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(rounds('sub-1'), 'only its lost request is made again').toHaveLength(3);
  expect(server.requests.at(-1)?.body).toContain("[Sub-agent 'sub-1' completed]");
});
