/** A session with a model server is recorded, and rehearsed without it: the same work comes out. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ouro } from '../support/e2e/command-line.js';
import { askAt, call, modelServer, type TurnFile } from '../support/e2e/model-server.js';
import { anotherWorkspace, newPlace } from '../support/e2e/place.js';
import { resultOf } from '../support/e2e/stream.js';

const JSON_OUT = ['-p', '--output-format', 'json'];
const LAST = 'Both notes are written.';

const TURNS: readonly TurnFile[] = [
  { when: { agent: 'main', round: 1 }, fault: { kind: 'status', status: 503, retry_after: 0 } },
  {
    when: { agent: 'main', round: 1 },
    text: 'First a note.',
    calls: [call('write_file', { path: 'one.txt', content: '1 {{round}}\n' })],
  },
  {
    when: { agent: 'main', round: 2 },
    calls: [call('delegate', { task: 'Write two.txt.' })],
  },
  { when: { agent: 'main', round: 3 }, text: LAST },
  {
    when: { agent: 'sub', round: 1 },
    calls: [call('write_file', { path: 'two.txt', content: '2\n' })],
  },
  { when: { agent: 'sub', round: 2 }, text: 'It is there.' },
];

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.txt'))
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

test('a recorded session can be rehearsed without its server, sub-agent and failure included', async () => {
  const place = newPlace();
  const server = await modelServer(TURNS);
  const file = join(place.root, 'session.jsonl');
  const run = ['run', ...JSON_OUT, '--permission-mode', 'accept-edits', ...askAt(server)];
  const real = await ouro(place, [...run, '--record', file, 'Write the notes.']);
  expect(real.code, real.stderr).toBe(0);
  const asked = server.requests.length;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const written = filesIn(place.workspace);
  expect(Object.keys(written)).toEqual(['one.txt', 'two.txt']);
  await server.close();

  const refused = await ouro(place, [...run, '--record', file, 'Write the notes.']);
  expect(refused.code).toBe(42);
  expect(refused.stderr).toContain('never replaces a file');

  const elsewhere = anotherWorkspace(place);
  const again = await ouro(
    place,
    ['rehearse', file, ...JSON_OUT, '--permission-mode', 'accept-edits', '-C', elsewhere],
    {},
  );
  expect(again.code, again.stderr).toBe(0);
  expect(filesIn(elsewhere)).toEqual(written);
  const [before, after] = [resultOf(real.stdout), resultOf(again.stdout)];
  expect(after.text).toBe(LAST);
  expect(after.text).toBe(before.text);
  expect(after.rounds).toBe(before.rounds);
  expect(server.requests.length).toBe(asked);
}, 60_000);

test('a run that never began leaves no recording behind', async () => {
  const place = newPlace();
  const file = join(place.root, 'none.jsonl');
  const nobody = ['--base-url', 'http://127.0.0.1:9/v1', '-m', 'm', '--max-wait', '0'];
  const { code } = await ouro(place, ['start', ...nobody, '--record', file, 'Write.']);
  expect(code).not.toBe(0);
  expect(existsSync(file)).toBe(false);
}, 60_000);
