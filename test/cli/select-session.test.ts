import { join } from 'node:path';
import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { selectSession, selectSessions } from '../../src/cli/select-session.js';
import { addRecord, newDesk, startSession } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const TWO = 'aaaa2222-0000-4000-8000-000000000002';
const THREE = 'bbbb3333-0000-4000-8000-000000000003';

const ended = { state: 'done', endStatus: 'done', exitCode: 0 } as const;

test('a prefix that only one session has names it, whatever its case and wherever it works', () => {
  const desk = newDesk();
  addRecord(desk, ONE, { ...ended, workspace: '/elsewhere' });
  addRecord(desk, TWO, ended);
  for (const id of ['aaaa1', 'AAAA1', ONE, ` ${ONE} `]) {
    expect(selectSession({ id, fitting: 'live' }, desk)).toMatchObject({ session: { id: ONE } });
  }
});

test('a name that only one session has names it, however short', () => {
  const desk = newDesk();
  addRecord(desk, ONE, { ...ended, name: 'fix' });
  addRecord(desk, TWO, { ...ended, name: 'other' });
  expect(selectSession({ id: 'fix', fitting: 'any' }, desk)).toMatchObject({
    session: { id: ONE },
  });
});

test('a prefix or name that several sessions have lists them and is a usage error', () => {
  const desk = newDesk();
  addRecord(desk, ONE, { ...ended, name: 'same', goal: 'first goal' });
  addRecord(desk, TWO, { ...ended, name: 'same', goal: 'second goal' });
  for (const id of ['aaaa', 'same']) {
    const selected = selectSession({ id, fitting: 'any' }, desk);
    expect(selected).toMatchObject({ ok: false, failure: { code: 'ambiguous' } });
    const message = selected.ok ? '' : selected.failure.message;
    expect(message).toMatch(/aaaa1111 .*first goal\n.*aaaa2222 .*second goal/);
  }
});

test('what nobody is called is refused with where to look; less than four characters is misuse', () => {
  const desk = newDesk();
  addRecord(desk, ONE, ended);
  const selected = selectSession({ id: 'cccc', fitting: 'any' }, desk);
  expect(selected).toMatchObject({ ok: false, failure: { code: 'unknown_session' } });
  expect(selected.ok ? '' : selected.failure.message).toContain('ouro ls --all');
  expect(selectSession({ id: 'aaa', fitting: 'any' }, desk)).toMatchObject({
    failure: { code: 'usage' },
  });
});

test('without a name the only running session of this folder is meant, also through a link', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  addRecord(desk, TWO, ended);
  await startSession(desk, THREE, { workspace: '/elsewhere' });
  const link = join(desk.home, 'link');
  symlinkSync(desk.cwd, link);
  for (const cwd of [desk.cwd, link]) {
    for (const fitting of ['live', 'any'] as const) {
      expect(selectSession({ fitting }, { ...desk, cwd })).toMatchObject({
        session: { id: session.id },
      });
    }
  }
});

test('without a name two running sessions of this folder are listed', async () => {
  const desk = newDesk();
  await startSession(desk, ONE);
  await startSession(desk, THREE);
  expect(selectSession({ fitting: 'any' }, desk)).toMatchObject({
    failure: { code: 'ambiguous', details: { candidates: [ONE, THREE] } },
  });
});

test('of sessions that have ended the only one of this folder is meant, where any will do', () => {
  const desk = newDesk();
  addRecord(desk, ONE, ended);
  expect(selectSession({ fitting: 'any' }, desk)).toMatchObject({ session: { id: ONE } });
  expect(selectSession({ fitting: 'live' }, desk)).toMatchObject({
    failure: { code: 'not_running' },
  });
});

test('a folder without sessions, and a home that was never used, are told apart from a running one', () => {
  const desk = newDesk();
  expect(selectSession({ fitting: 'any' }, desk)).toMatchObject({
    failure: { code: 'unknown_session' },
  });
  addRecord(desk, ONE, ended);
  const cwd = join(desk.cwd, 'below');
  mkdirSync(cwd);
  expect(selectSession({ fitting: 'any' }, { ...desk, cwd })).toMatchObject({
    failure: { code: 'unknown_session' },
  });
});

test('what cannot be undone is not guessed off a terminal, not even when only one session runs', async () => {
  const desk = newDesk();
  const { id } = await startSession(desk, ONE);
  const wanted = { fitting: 'live', neverGuess: true } as const;
  expect(selectSession(wanted, desk)).toMatchObject({
    failure: { code: 'ambiguous', details: { candidates: [id] } },
  });
  expect(selectSession(wanted, { ...desk, isTerminal: true })).toMatchObject({ session: { id } });
  expect(selectSession({ ...wanted, id: 'aaaa' }, desk)).toMatchObject({ session: { id } });
});

test('--all means every running session, and does not go with a name', async () => {
  const desk = newDesk();
  await startSession(desk, ONE, { workspace: '/elsewhere' });
  await startSession(desk, THREE);
  addRecord(desk, TWO);
  const selected = selectSessions({ all: true, fitting: 'live' }, desk);
  expect(selected).toMatchObject({ sessions: [{ id: ONE }, { id: THREE }] });
  expect(selectSessions({ all: true, id: 'aaaa', fitting: 'live' }, desk)).toMatchObject({
    failure: { code: 'usage' },
  });
});
