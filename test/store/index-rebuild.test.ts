import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { sessionFact, type JournalFact } from '../../messages/journal.js';
import type { EndStatus } from '../../messages/session.js';
import { openIndex, type IndexStore } from '../../src/store/index-store.js';
import { openJournal } from '../../src/store/journal-store.js';
import { ensureHome, indexFile, sessionDir } from '../../src/store/layout.js';
import { specOf, START, usageOf } from '../support/session-samples.js';
import { tempFolder } from './temp-folder.js';

const ONE = '11111111-0000-4000-8000-000000000000' as SessionId;
const TWO = '22222222-0000-4000-8000-000000000000' as SessionId;
const LATER = START + 60_000;

function newHome(): string {
  const home = tempFolder();
  ensureHome(home);
  return home;
}

function open(home: string): IndexStore {
  const index = openIndex({ home, time: { now: () => LATER } });
  onTestFinished(() => index.close());
  return index;
}

async function write(home: string, id: SessionId, facts: readonly JournalFact[]): Promise<void> {
  const dir = sessionDir(home, id);
  mkdirSync(dir, { recursive: true });
  const time = { now: () => LATER };
  const journal = openJournal({ dir, session: id, mode: 'create', time });
  await journal.append(facts);
  await journal.close();
}

const started = (id: SessionId, name: string): JournalFact =>
  sessionFact('session.started', {
    spec: specOf({ id, name, workspace: `/home/me/${name}` }),
    version: '1',
    pid: 1,
  });
const goal = (text: string): JournalFact => sessionFact('goal.set', { goal: text });
const answered = (prompt: number, completion: number): JournalFact =>
  sessionFact('model.outcome', {
    status: 'ok',
    usage: usageOf(prompt, completion),
    model: 'scripted',
    ms: 1,
    finish: 'stop',
  });
const ended = (status: EndStatus): JournalFact =>
  sessionFact('session.ended', { status, text: '', reason: '' });
const resumed = (id: SessionId): JournalFact =>
  sessionFact('session.resumed', { spec: specOf({ id, name: 'again' }), version: '2', pid: 2 });

test('a session is found again with its goal, its rounds and how it ended', async () => {
  const home = newHome();
  const unanswered = sessionFact('model.outcome', { status: 'lost' });
  await write(home, ONE, [
    started(ONE, 'one'),
    goal('first this'),
    answered(100, 20),
    unanswered,
    goal('then that'),
    answered(50, 5),
    ended('done'),
  ]);
  expect(open(home).get(ONE)).toEqual({
    id: ONE,
    name: 'one',
    workspace: '/home/me/one',
    goal: 'then that',
    model: 'scripted',
    state: 'done',
    pid: null,
    startedAt: START,
    updatedAt: LATER,
    rounds: 2,
    costUsd: 0,
    promptTokens: 150,
    completionTokens: 25,
    holds: [],
    socket: null,
    endStatus: 'done',
    exitCode: 0,
  });
});

test.each<[string, JournalFact[], object]>([
  ['that never ended', [], { state: 'interrupted', endStatus: null, exitCode: null }],
  [
    'that went on after its end',
    [ended('stopped'), resumed(ONE)],
    { state: 'interrupted', endStatus: null, name: 'again' },
  ],
  ['that failed', [ended('auth')], { state: 'failed', endStatus: 'auth', exitCode: 41 }],
  ['that was stopped', [ended('stopped')], { state: 'stopped', exitCode: 58 }],
])('a session %s is listed as such', async (_, facts, expected) => {
  const home = newHome();
  await write(home, ONE, [started(ONE, 'one'), ...facts]);
  expect(open(home).get(ONE)).toMatchObject(expected);
});

test('when the index is moved away every session is there again', async () => {
  const home = newHome();
  await write(home, ONE, [started(ONE, 'one'), goal('g'), ended('done')]);
  await write(home, TWO, [started(TWO, 'two'), goal('h')]);
  open(home).close();
  for (const end of ['', '-wal', '-shm']) rmSync(indexFile(home) + end, { force: true });
  const names = open(home)
    .list({ all: true })
    .map(({ name }) => name);
  expect(names.sort()).toEqual(['one', 'two']);
});

test('a journal that cannot be read is left out and stays as it is', async () => {
  const home = newHome();
  await write(home, ONE, [started(ONE, 'one')]);
  await write(home, TWO, [started(TWO, 'two')]);
  const folder = sessionDir(home, TWO);
  const name = readdirSync(folder).find((file) => file.endsWith('.db')) ?? 'journal.db';
  writeFileSync(join(folder, name), 'no journal '.repeat(400));
  const bytes = readFileSync(join(folder, name));
  const files = readdirSync(folder);
  expect(
    open(home)
      .list({ all: true })
      .map(({ id }) => id),
  ).toEqual([ONE]);
  expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true);
  expect(readdirSync(folder)).toEqual(files);
});

test('what is no session is passed over', async () => {
  const home = newHome();
  await write(home, ONE, [goal('of nobody')]);
  mkdirSync(sessionDir(home, TWO));
  writeFileSync(join(home, 'sessions', 'notes.txt'), 'mine');
  expect(open(home).list({ all: true })).toEqual([]);
});

test('an index that is there and knows of none is filled from the journals', async () => {
  const home = newHome();
  open(home);
  await write(home, ONE, [started(ONE, 'one')]);
  expect(open(home).get(ONE)).toMatchObject({ id: ONE });
});

test('an index that knows of a session is taken as it is', async () => {
  const home = newHome();
  await write(home, ONE, [started(ONE, 'one')]);
  open(home);
  await write(home, TWO, [started(TWO, 'two')]);
  expect(open(home).get(TWO)).toBeNull();
});

test('what was spent is found again too, by the day it was spent on', async () => {
  const home = newHome();
  const spec = { ...specOf({ id: ONE, name: 'one' }), local: false, rehearsal: null };
  const usage = { ...usageOf(100, 20), costUsd: 0.5 };
  const settled = (basis: 'lost' | 'reported', usd: number): JournalFact =>
    sessionFact('budget.settled', { id: 'b1', model: 'paid', usd, tokens: 10, basis });
  await write(home, ONE, [
    sessionFact('session.started', { spec, version: '1', pid: 1 }),
    sessionFact('model.outcome', { status: 'ok', usage, model: 'paid', ms: 1, finish: 'stop' }),
    settled('reported', 0.5),
    settled('lost', 0.25),
    answered(1, 1),
  ]);
  const index = open(home);
  expect(index.get(ONE)?.costUsd).toBeNull();
  expect(index.spending.since('')).toMatchObject([
    { session: ONE, model: 'paid', requests: 2, usd: 0.75, unpriced: 0 },
    { session: ONE, model: 'scripted', requests: 1, usd: 0, unpriced: 1 },
  ]);
});

test('findings are found again with their workspace, but for those of a rehearsal', async () => {
  const home = newHome();
  const spec = (id: SessionId, rehearsal: string | null) =>
    sessionFact('session.started', { spec: specOf({ id, rehearsal }), version: '1', pid: 1 });
  const found = (title: string) => sessionFact('discovery.added', { title, description: 'd' });
  await write(home, ONE, [spec(ONE, null), found('a'), found('b')]);
  await write(home, TWO, [spec(TWO, 'survey'), found('scripted')]);
  const { workspace } = specOf();
  expect(open(home).findings.newest(workspace, 'none' as SessionId, 9)).toEqual([
    { title: 'b', description: 'd' },
    { title: 'a', description: 'd' },
  ]);
});
