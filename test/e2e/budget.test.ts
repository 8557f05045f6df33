/** Money as a person meets it: limits that hold for all agents and over a death, and what `ouro cost` says. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { snapshotOf, start, wholeId } from '../support/e2e/background.js';
import { asked, done, ouro } from '../support/e2e/command-line.js';
import { journalRows, onlySession, rowsOf, sessionIds } from '../support/e2e/journal.js';
import {
  askAt,
  call,
  modelServer,
  scenarioFile,
  type TurnFile,
} from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { resultOf } from '../support/e2e/stream.js';

/** A request of the scripts costs four cents, and never more than a few more. */
const CONFIG = `
[model]
max_tokens = 500
[prices."scripted/*"]
input = 20.0
output = 100.0
`;
const usage = { prompt_tokens: 1_000, completion_tokens: 200 };
const REQUEST_USD = 0.04;

function pricedPlace(): Place {
  const place = newPlace();
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), CONFIG, { mode: 0o600 });
  return place;
}

const thinking: TurnFile = {
  calls: [call('think', { thought: 'on and on' })],
  times: -1,
  usage,
  delay_ms: 20,
};

const isHeld = async (place: Place, id: string): Promise<boolean> =>
  (await snapshotOf(place, id)).holds.some(({ kind }) => kind === 'budget');

function killDaemons(place: Place): void {
  for (const { pid, commandLine } of processesOf(place)) {
    if (commandLine.includes('__daemon')) killQuietly(pid);
  }
}

test('three agents and a death in the middle spend no more than the one dollar they have', async () => {
  const place = pricedPlace();
  const look = call('delegate', { type: 'explore', task: 'Look around.' });
  const server = await modelServer([
    { when: { agent: 'sub' }, ...thinking },
    { calls: [look, look, look], usage, times: -1 },
  ]);
  const id = await start(place, server, ['--max-cost', '1']);
  await eventually('ten requests', () => server.requests.length >= 10);
  killDaemons(place);
  await done(place, ['resume', id]);
  await eventually('the limit', () => isHeld(place, id));
  const answered = server.requests.filter(({ answeredAt }) => answeredAt !== null).length;
  expect(answered * REQUEST_USD).toBeLessThanOrEqual(1);
  const settled = rowsOf(journalRows(place, wholeId(place, id)), 'budget.settled');
  const spent = settled.reduce((sum, { body }) => sum + (body.usd ?? 0), 0);
  expect(spent).toBeLessThanOrEqual(1);
  expect(spent).toBeGreaterThan(0.8);
  const { data } = await asked(place, ['cost', '--by', 'day']);
  expect(data).toMatchObject({ total: { unpriced_requests: 0 }, reserved_usd: 0 });
  await done(place, ['kill', id]);
});

test('a limit that is reached in the background is a hold, and the person who adds to it goes on', async () => {
  const place = pricedPlace();
  const turns = [
    { ...thinking, times: 12 },
    { text: 'All thought.', usage },
  ];
  const server = await modelServer(turns);
  const id = await start(place, server, ['--max-cost', '0.30']);
  await eventually('the limit', () => isHeld(place, id));
  const plain = await ouro(place, ['resume', id]);
  expect(plain.code).toBe(1);
  expect(plain.stderr).toContain(`ouro resume ${id} --add-cost 2`);
  expect((await ouro(place, ['resume', id, '--add-tokens', '5'])).stderr).toContain('no limit');
  await done(place, ['resume', id, '--add-cost', '2']);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect((await done(place, ['cost', id])).stdout).toMatch(/scripted\/e2e .*\$0\.52 .*13 requests/);
});

test('headless a limit is an exit code, and what was answered until then is kept', async () => {
  const place = pricedPlace();
  const scenario = scenarioFile(place, [{ ...thinking, text: 'So far so good.' }]);
  const run = await ouro(place, [
    'rehearse',
    scenario,
    '--max-cost',
    '0.3',
    '--output-format',
    'json',
  ]);
  const id = onlySession(place).slice(0, 8);
  expect(run.code).toBe(55);
  expect(resultOf(run.stdout)).toMatchObject({
    status: 'budget_limit',
    text: 'So far so good.',
    resume_command: `ouro resume ${id} --add-cost 2`,
  });
  expect(run.stderr).toContain('limits: $0.30 a session, 200 rounds');
  expect(run.stderr).toContain('50 % of');
  const tokens = await ouro(place, ['rehearse', scenario, '--max-tokens', '9000', '-q']);
  expect(tokens.code).toBe(55);
});

test('a limit of cost with a model of unknown price is refused before anything is asked', async () => {
  const place = newPlace();
  const at = ['--base-url', 'https://models.example/v1', '-m', 'nobody/knows'];
  for (const flags of [[], ['--max-cost', '1']]) {
    const refused = await ouro(place, ['run', '-p', 'x', ...at, ...flags]);
    expect(refused.code).toBe(52);
    expect(refused.stderr).toContain('[prices."nobody/knows"]');
    expect(refused.stderr).toContain('--max-tokens');
  }
  expect((await done(place, ['ls', '--all'])).stdout).not.toContain('nobody');
});

const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

test('an answer that has to fit a schema is mended, printed as JSON and kept over a death', async () => {
  const place = newPlace();
  const file = join(place.root, 'schema.json');
  writeFileSync(file, JSON.stringify(SCHEMA));
  const server = await modelServer([
    { text: 'It is three.', times: 1 },
    { when: { contains: 'not JSON' }, text: 'Here:\n```json\n{"n": 3}\n```', delay_ms: 400 },
  ]);
  const id = await start(place, server, ['--output-schema', file]);
  await eventually('the repair', () => server.requests.length >= 2);
  killDaemons(place);
  await done(place, ['resume', id]);
  const { code, data } = await asked(place, ['wait', id]);
  expect(code).toBe(0);
  expect(data.sessions?.[0]?.result).toMatchObject({
    structured_output: { n: 3 },
    text: '{"n":3}',
  });
});

test('an answer that never fits ends with 4, and a schema that is none with 42', async () => {
  const place = newPlace();
  const file = join(place.root, 'schema.json');
  writeFileSync(file, JSON.stringify(SCHEMA));
  const server = await modelServer([{ text: 'Three.', times: -1 }]);
  const run = await ouro(place, ['run', '-p', 'x', ...askAt(server), '--json-schema', file]);
  expect(run.code).toBe(4);
  expect(server.requests).toHaveLength(3);
  writeFileSync(file, '{"type": "objekt"}');
  const refused = await ouro(place, ['run', '-p', 'x', ...askAt(server), '--json-schema', file]);
  expect(refused.code).toBe(42);
  expect(sessionIds(place)).toHaveLength(1);
});
