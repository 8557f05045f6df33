/** A session that plans first and is killed, guardian and all: it comes back in the phase it was in. */
import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RehearsalServer } from '../../src/rehearsal/server.js';
import { snapshotOf, start, wholeId } from '../support/e2e/background.js';
import { done, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import { call, modelServer, type TurnFile } from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

const FLAGS = ['--plan', '--permission-mode', 'bypass'];
const PLAN = 'Write the line into notes.txt, then read it again.';
const OVER = 'Planning is over';

/** Of the answer that the kill comes before; it is waited for a second time after the resume. */
const SLOW = { delay_ms: 3_000 };

const look = call('list_dir', { path: '.' });
const write = call('write_file', { path: 'notes.txt', content: 'planned\n' });
const submitPlan = call('submit_plan', { summary: PLAN });

/** No guardian is left that could bring it back by itself. */
async function killAll(place: Place): Promise<void> {
  const sessions = () =>
    processesOf(place).filter(({ commandLine }) => /__daemon|__revive/.test(commandLine));
  expect(sessions().length).toBeGreaterThanOrEqual(2);
  await eventually('the end of the session', () => {
    for (const { pid } of sessions()) killQuietly(pid);
    return sessions().length === 0;
  });
  expect((await done(place, ['ls'])).stdout).toContain('interrupted');
}

/** Waits for the request of this number, counted from 1. */
const requested = ({ requests }: RehearsalServer, count: number): Promise<unknown> =>
  eventually(`request ${count}`, () => requests.length >= count);

const detailOf = async (place: Place, id: string): Promise<string | null | undefined> =>
  (await snapshotOf(place, id)).agents[0]?.detail;

/** What came of each call, by its id. */
const outcomesOf = (place: Place, id: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rowsOf(journalRows(place, wholeId(place, id)), 'tool.outcome').map(({ body }) => [
      `${body.callId} ${body.name}`,
      body.outcome.status,
    ]),
  );

/** How often the agent was told that planning is over. */
const announced = (place: Place, id: string): readonly string[] =>
  rowsOf(journalRows(place, wholeId(place, id)), 'message.added').flatMap(({ body }) =>
    body.message.role === 'user' && body.message.text.startsWith(OVER) ? [body.message.text] : [],
  );

test('killed while it plans, it goes on planning: nothing is written before the plan, all of it after', async () => {
  const place = newPlace();
  const turns: TurnFile[] = [
    { calls: [look] },
    { calls: [write], ...SLOW },
    { calls: [submitPlan] },
    { calls: [write] },
    { text: 'The line is there.' },
  ];
  const server = await modelServer(turns);
  const id = await start(place, server, FLAGS);
  await requested(server, 2);
  expect(await detailOf(place, id)).toBe('planning');
  await killAll(place);

  await done(place, ['resume', id]);
  await requested(server, 3);
  expect(await detailOf(place, id)).toBe('planning');
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(outcomesOf(place, id)).toEqual({
    'main_1_1 list_dir': 'ok',
    'main_2_1 write_file': 'failed',
    'main_3_1 submit_plan': 'ok',
    'main_4_1 write_file': 'ok',
  });
  expect(server.requests[3]?.body).toContain('this session is still planning');
  expect(announced(place, id)).toHaveLength(1);
  expect(readFileSync(join(place.workspace, 'notes.txt'), 'utf8')).toBe('planned\n');
});

test('rounds of planning that were before the kill count: the rest of them is left, not all again', async () => {
  const place = newPlace();
  const turns: TurnFile[] = [
    { calls: [look], times: 2 },
    { calls: [write], ...SLOW },
    { calls: [write] },
    { text: 'The line is there.' },
  ];
  const server = await modelServer(turns);
  // Three of them may be for planning.
  const id = await start(place, server, [...FLAGS, '--max-rounds', '6']);
  await requested(server, 3);
  await killAll(place);
  expect(existsSync(join(place.workspace, 'notes.txt'))).toBe(false);

  await done(place, ['resume', id]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(outcomesOf(place, id)).toEqual({
    'main_1_1 list_dir': 'ok',
    'main_2_1 list_dir': 'ok',
    'main_3_1 write_file': 'failed',
    'main_4_1 write_file': 'ok',
  });
  expect(announced(place, id)).toEqual([expect.stringContaining('the rounds for it (3)')]);
});

test('killed after its plan was accepted, it carries the plan out and is told of it once', async () => {
  const place = newPlace();
  const turns: TurnFile[] = [
    { calls: [submitPlan] },
    { calls: [write, call('submit_plan', { summary: 'Another plan.' })], ...SLOW },
    { text: 'The line is there.' },
  ];
  const server = await modelServer(turns);
  const id = await start(place, server, FLAGS);
  await requested(server, 2);
  expect(await detailOf(place, id)).not.toBe('planning');
  await killAll(place);

  await done(place, ['resume', id]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(outcomesOf(place, id)).toEqual({
    'main_1_1 submit_plan': 'ok',
    'main_2_1 write_file': 'ok',
    'main_2_2 submit_plan': 'failed',
  });
  expect(announced(place, id)).toEqual([expect.stringContaining(PLAN)]);
  const [, before, after] = server.requests.map(({ body }) => body ?? '');
  expect(after, 'the request is the one that was lost').toBe(before);
});
