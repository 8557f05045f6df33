/** What outlives a session: findings, the person's notes, what was learned; and how a compaction is taken back. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryFile } from '../../src/store/layout.js';
import { done, ouro } from '../support/e2e/command-line.js';
import { journalRows, onlySession, rowsOf } from '../support/e2e/journal.js';
import { askAt, call, modelServer } from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}
const sent = (body: string | null | undefined): Sent['messages'] =>
  (JSON.parse(body ?? '{"messages":[]}') as Sent).messages;

const profileOf = ({ home }: Place) =>
  JSON.parse(readFileSync(join(home, 'profile.json'), 'utf8')) as Record<string, unknown>;

test('a new session starts with the notes of the person and the findings of the session before', async () => {
  const place = newPlace();
  const finding = { title: 'The port', description: 'The server listens on 8081.' };
  const { baseUrl, requests } = await modelServer([
    { when: { contains: 'look' }, calls: [call('record_discovery', finding)] },
    { text: 'Done.', times: -1 },
  ]);
  const run = (goal: string) => done(place, ['run', '-p', goal, ...askAt({ baseUrl })]);
  const file = memoryFile(place.home, place.workspace);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, 'Releases are made on Tuesdays.\n');
  await run('look');
  expect(profileOf(place)).toMatchObject({
    runs: 1,
    finished: 1,
    tools: { record_discovery: { calls: 1, errors: 0 } },
  });
  const profile = { ...profileOf(place), user_instructions: 'Answer in verse.' };
  writeFileSync(join(place.home, 'profile.json'), JSON.stringify(profile));
  await run('go on');
  const [first, second] = [requests[0], requests.at(-1)].map(
    (request) => sent(request?.body)[0]?.content ?? '',
  );
  expect(first).toContain('Releases are made on Tuesdays.');
  expect(first).not.toContain('8081');
  expect(second).toContain('Answer in verse.');
  expect(second).toContain('<earlier_findings>\n- The port: The server listens on 8081.\n');
  expect(profileOf(place)).toMatchObject({ runs: 2, user_instructions: 'Answer in verse.' });
});

test('before the last rounds the agent is told, in that request alone', async () => {
  const place = newPlace();
  const { baseUrl, requests } = await modelServer([
    { calls: [call('think', { thought: 'on' })], times: -1 },
  ]);
  await ouro(place, ['run', '-p', 'think', '--max-rounds', '5', ...askAt({ baseUrl })]);
  const rounds = requests.map(({ body }) => sent(body));
  expect(rounds).toHaveLength(5);
  const told = rounds.map((messages) => JSON.stringify(messages).includes('[Round notice:'));
  expect(told).toEqual([false, false, true, false, false]);
  const [, , third = [], fourth = []] = rounds;
  expect(third.at(-1)?.content).toMatch(/\n\n\[Round notice: after this round there are 2 more\./);
  expect(fourth.slice(0, third.length - 1)).toEqual(third.slice(0, -1));
});

test('a compaction is shown, taken back, and the session goes on with whole results', async () => {
  const place = newPlace();
  for (let n = 1; n <= 20; n += 1) {
    writeFileSync(join(place.workspace, `f${n}.txt`), `line of file ${n}\n`.repeat(100));
  }
  const read = (n: number) => call('read_file', { path: `f${n}.txt` });
  const reads = [1, 5, 9, 13, 17].map((n, round) => ({
    when: { round: round + 1 },
    calls: [read(n), read(n + 1), read(n + 2), read(n + 3)],
  }));
  const { baseUrl, requests } = await modelServer([...reads, { text: 'Done.', times: -1 }]);
  const flags = askAt({ baseUrl });
  const small = { OURO_CONTEXT_WINDOW: '12000', OURO_CONTEXT_REPLY_TOKENS: '1000' };
  await done(place, ['run', '-p', 'read them', ...flags], { env: small });
  const id = onlySession(place);
  expect(rowsOf(journalRows(place, id), 'context.masked').length).toBeGreaterThan(0);
  const shown = await done(place, ['context', 'show', id], { env: small });
  expect(shown.stdout).toContain('[Cleared: read_file(path=f1.txt)');
  expect(shown.stdout).toContain('window     12,000 tokens');
  const first = rowsOf(journalRows(place, id), 'context.masked')[0]?.seq;
  await done(place, ['context', 'undo', id, '--row', String(first)]);
  expect((await done(place, ['context', 'show', id])).stdout).toContain('taken back');
  const wide = { OURO_CONTEXT_WINDOW: '100000' };
  await done(place, ['run', '-p', '-r', id, 'and now?', ...flags], { env: wide });
  const last = JSON.stringify(sent(requests.at(-1)?.body));
  expect(last.includes('[Cleared:')).toBe(false);
  expect(last.includes('L100: line of file 1"')).toBe(true);
  expect(last.includes('and now?')).toBe(true);
});
