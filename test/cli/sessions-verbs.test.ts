import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { sessionsRename, sessionsTag } from '../../src/cli/sessions-label.js';
import { sessionsList, sessionsShow } from '../../src/cli/sessions-list.js';
import { sessionsPrune } from '../../src/cli/sessions-prune.js';
import { sessionsRm } from '../../src/cli/sessions-rm.js';
import { sessionsVerify } from '../../src/cli/sessions-verify.js';
import { openGround } from '../../src/ground.js';
import { journalFile } from '../../src/store/journal-file.js';
import { indexFile, sessionDir } from '../../src/store/layout.js';
import { note } from '../store/journal-samples.js';
import {
  addRecord,
  cleared,
  jsonOf,
  newDesk,
  NOW,
  readRecord,
  startSession,
  type Desk,
} from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const TWO = 'bbbb2222-0000-4000-8000-000000000002';
const DAY = 86_400_000;

async function ended(desk: Desk, id: string, facts = [note('x')]): Promise<SessionId> {
  const session = await startSession(desk, id);
  await session.journal.append(facts);
  await session.end();
  return session.id;
}

const tag = (desk: Desk, id: string, ...tags: string[]): Promise<number> =>
  sessionsTag({ id, tags, remove: false }, cleared(desk));

async function listed(desk: Desk, filter: Parameters<typeof sessionsList>[0]): Promise<string[]> {
  const each = cleared(desk);
  expect(await sessionsList({ ...filter, json: true }, each)).toBe(0);
  return (jsonOf(each)['sessions'] as { id: string }[]).map(({ id }) => id.slice(0, 4)).sort();
}

test('sessions are listed by workspace, state and tag', async () => {
  const desk = newDesk();
  await ended(desk, ONE);
  addRecord(desk, TWO, { workspace: '/elsewhere', state: 'failed', endStatus: 'auth' });
  await tag(desk, 'aaaa', 'keep');
  expect(await listed(desk, {})).toEqual(['aaaa', 'bbbb']);
  expect(await listed(desk, { workspace: '.' })).toEqual(['aaaa']);
  expect(await listed(desk, { workspace: '/elsewhere' })).toEqual(['bbbb']);
  expect(await listed(desk, { state: 'failed' })).toEqual(['bbbb']);
  expect(await listed(desk, { tag: 'keep' })).toEqual(['aaaa']);
  expect(await sessionsList({ state: 'dead' }, desk)).toBe(2);
  expect(desk.err.text).toContain('--state dead: expected starting, running');
  const text = cleared(desk);
  expect(await sessionsList({ tag: 'keep' }, text)).toBe(0);
  expect(text.out.text).toMatch(/^aaaa1111 {2}done .*\[keep\] {2}a session\n$/);
});

test('tags are given and taken once, also while the session runs', async () => {
  const desk = newDesk();
  await startSession(desk, ONE);
  const changed = async (tags: string[], remove: boolean): Promise<unknown> => {
    const each = cleared(desk);
    expect(await sessionsTag({ id: 'aaaa', tags, remove, json: true }, each)).toBe(0);
    return jsonOf(each);
  };
  expect(await changed(['b', 'a'], false)).toMatchObject({ changed: true, tags: ['a', 'b'] });
  expect(await changed(['a'], false)).toMatchObject({ changed: false, tags: ['a', 'b'] });
  expect(await changed(['a'], true)).toMatchObject({ changed: true, tags: ['b'] });
  expect(await changed(['a'], true)).toMatchObject({ changed: false, tags: ['b'] });
  for (const wrong of ['', '../x', 'A', 'a b', '.a', 'x'.repeat(41)])
    expect(await tag(desk, 'aaaa', wrong)).toBe(2);
});

test('a name and tags outlive the index, and the session goes on under that name', async () => {
  const desk = newDesk();
  const id = await ended(desk, ONE);
  await tag(desk, 'aaaa', 'keep');
  expect(await sessionsRename({ id: 'aaaa', name: ' new\nname ' }, cleared(desk))).toBe(0);
  expect(readRecord(desk, id)?.name).toBe('new⏎name');
  const again = cleared(desk);
  expect(await sessionsRename({ id: 'aaaa', name: 'new⏎name', json: true }, again)).toBe(0);
  expect(jsonOf(again)).toMatchObject({ changed: false });
  for (const end of ['', '-wal', '-shm']) rmSync(`${indexFile(desk.home)}${end}`, { force: true });
  const shown = cleared(desk);
  expect(await sessionsShow({ id: 'aaaa', json: true }, shown)).toBe(0);
  expect(jsonOf(shown)).toMatchObject({ session: { name: 'new⏎name', tags: ['keep'] } });
  const work = {
    kind: 'resume',
    id,
    goal: null,
    notice: null,
    changes: {},
    byPerson: true,
  } as const;
  const ground = openGround({ home: desk.home, work, shareWorkspace: true, time: desk });
  expect(ground).toMatchObject({ ok: true, ground: { spec: { name: 'new⏎name' } } });
  if (ground.ok) ground.ground.release();
  const renamed = { ...work, changes: { name: 'third' } };
  const next = openGround({ home: desk.home, work: renamed, shareWorkspace: true, time: desk });
  if (next.ok) next.ground.release();
  const last = openGround({ home: desk.home, work, shareWorkspace: true, time: desk });
  expect(last).toMatchObject({ ok: true, ground: { spec: { name: 'third' } } });
  if (last.ok) last.ground.release();
  expect(await sessionsRename({ id: 'aaaa', name: ' ' }, cleared(desk))).toBe(2);
});

test('a session is removed with its folder, a running one is not, and none is guessed', async () => {
  const desk = newDesk();
  const id = await ended(desk, ONE);
  const running = await startSession(desk, TWO);
  expect(await sessionsRm({ ids: [] }, cleared(desk))).toBe(2);
  const both = cleared(desk);
  expect(await sessionsRm({ ids: ['aaaa', 'bbbb'] }, both)).toBe(1);
  expect(both.out.text).toBe('aaaa1111: removed\n');
  expect(both.err.text).toContain('session bbbb2222 is running; end it first: ouro stop bbbb2222');
  expect(existsSync(sessionDir(desk.home, id))).toBe(false);
  expect(readRecord(desk, id)).toBeNull();
  expect(readRecord(desk, running.id)).not.toBeNull();
  expect(existsSync(sessionDir(desk.home, running.id))).toBe(true);
  expect(await sessionsRm({ ids: [ONE] }, cleared(desk))).toBe(0);
  expect(await sessionsRm({ ids: ['aaaa'] }, cleared(desk))).toBe(1);
});

test('nothing is removed when one of several is not known', async () => {
  const desk = newDesk();
  const id = await ended(desk, ONE);
  expect(await sessionsRm({ ids: ['aaaa', 'ffff'] }, desk)).toBe(1);
  expect(existsSync(sessionDir(desk.home, id))).toBe(true);
});

test('pruning takes what is too old, and neither what runs nor what has a tag', async () => {
  const desk = newDesk();
  const ids = ['aaaa', 'bbbb', 'cccc', 'dddd'].map((start) => `${start}${ONE.slice(4)}`);
  const [old = '', tagged = '', running = '', young = ''] = ids;
  for (const id of [old, tagged, young]) {
    mkdirSync(sessionDir(desk.home, id as SessionId), { recursive: true });
    const updatedAt = id === young ? NOW - DAY : NOW - 31 * DAY;
    addRecord(desk, id, { state: 'done', endStatus: 'done', updatedAt });
  }
  await startSession(desk, running, { updatedAt: NOW - 31 * DAY });
  await tag(desk, tagged, 'keep');
  const dry = cleared(desk);
  expect(await sessionsPrune({ dryRun: true }, dry)).toBe(0);
  expect(dry.out.text).toMatch(/^aaaa1111 .*\(older than retention.days\)\nwould remove 1 session/);
  expect(await listed(desk, {})).toHaveLength(4);
  const real = cleared(desk);
  expect(await sessionsPrune({ json: true }, real)).toBe(0);
  expect(jsonOf(real)).toMatchObject({
    dry_run: false,
    kept: 3,
    sessions: [{ id: old, why: 'age' }],
  });
  expect(await listed(desk, {})).toEqual(['bbbb', 'cccc', 'dddd']);
  const none = cleared(desk);
  expect(await sessionsPrune({}, none)).toBe(0);
  expect(none.out.text).toBe('removed 0 sessions, 0 B; kept 3\n');
});

test('what is kept is the configuration’s to say, and a wrong one removes nothing', async () => {
  const desk = newDesk();
  await ended(desk, ONE);
  writeFileSync(join(desk.home, 'config.toml'), '[retention]\nmax_bytes = "1KB"\n');
  expect(await sessionsPrune({ dryRun: true, json: true }, desk)).toBe(0);
  expect(jsonOf(desk)).toMatchObject({
    retention: { max_bytes: 1000 },
    sessions: [{ why: 'size' }],
  });
  writeFileSync(join(desk.home, 'config.toml'), '[retention]\ndays = 0\n');
  const wrong = cleared(desk);
  expect(await sessionsPrune({}, wrong)).toBe(52);
  expect(wrong.err.text).toContain('retention.days is 0; expected a whole number from 1 to 3650');
  expect(await listed(desk, {})).toEqual(['aaaa']);
});

test('a sound journal is verified, and damage is told with the last good row', async () => {
  const desk = newDesk();
  const one = await ended(desk, ONE);
  await ended(desk, TWO, [note('y'.repeat(300_000))]);
  expect(await sessionsVerify({ all: true }, cleared(desk))).toBe(0);
  const blobs = join(sessionDir(desk.home, TWO as SessionId), 'blobs');
  rmSync(blobs, { recursive: true });
  writeFileSync(journalFile(sessionDir(desk.home, one)), 'not a journal');
  const all = cleared(desk);
  expect(await sessionsVerify({ all: true }, all)).toBe(1);
  expect(all.out.text).toMatch(
    /bbbb2222 {2}damaged at row 2 \(unreadable\), 1 row before it; the last good one is 1, session.started of main/,
  );
  expect(all.err.text).toContain('ouro resume bbbb2222 --salvage');
  const json = cleared(desk);
  expect(await sessionsVerify({ id: 'aaaa', json: true }, json)).toBe(1);
  expect(jsonOf(json)).toMatchObject({
    ok: false,
    sessions: [{ id: ONE, status: 'damaged', rows: 0, last_good: null, damage: { seq: 1 } }],
  });
  expect(await sessionsVerify({ id: 'aaaa', all: true }, cleared(desk))).toBe(2);
});

test('verifying all finds sessions that the list has lost', async () => {
  const desk = newDesk();
  const id = await ended(desk, ONE);
  await ended(desk, TWO);
  writeFileSync(journalFile(sessionDir(desk.home, id)), 'not a journal');
  for (const end of ['', '-wal', '-shm']) rmSync(`${indexFile(desk.home)}${end}`, { force: true });
  expect(await sessionsVerify({ all: true }, desk)).toBe(1);
  expect(desk.out.text).toContain('aaaa1111  damaged at row 1');
  expect(desk.out.text).toContain('bbbb2222  sound');
});
