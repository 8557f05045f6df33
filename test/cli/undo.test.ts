import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fold } from '../../actors/recovery.js';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import { factOf } from '../../messages/journal.js';
import { diff } from '../../src/cli/diff.js';
import { undo } from '../../src/cli/undo.js';
import { openJournalReader } from '../../src/store/journal-store.js';
import { sessionDir, workspaceLock } from '../../src/store/layout.js';
import { acquireLock } from '../../src/store/lock.js';
import { SessionKeeper } from '../../src/undo/keeper.js';
import {
  cleared,
  jsonOf,
  newDesk,
  startSession,
  type Desk,
  type FakeSession,
} from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const TWO = 'bbbb2222-0000-4000-8000-000000000002';

const at = (desk: Desk, path: string): string => join(desk.cwd, path);
const read = (desk: Desk, path: string): string => readFileSync(at(desk, path), 'utf8');

const keeperOf = (desk: Desk, { id, journal }: FakeSession): SessionKeeper =>
  new SessionKeeper({
    journal,
    workspace: desk.cwd,
    dir: join(sessionDir(desk.home, id), 'undo'),
    ouroHome: desk.home,
    maxFileBytes: 1_000,
    maxSessionBytes: 100_000,
    maxFiles: 100,
    isReadOnly: () => false,
  });

/** Each step is a round of its own, and a command that changes files. */
async function work(
  desk: Desk,
  session: FakeSession,
  steps: readonly (() => void)[],
): Promise<void> {
  const { journal } = session;
  const keeper = keeperOf(desk, session);
  for (const [index, step] of steps.entries()) {
    const round = index + 1;
    const callId = `main_${round}_1` as CallId;
    const intent = { callId, name: 'shell', effect: 'execute' } as const;
    await journal.append([
      factOf('model.intent', MAIN_AGENT, round, { model: 'm', messages: 1, attempt: 1 }),
      factOf('tool.intent', MAIN_AGENT, round, intent),
    ]);
    const about = { callId, agent: MAIN_AGENT, round, path: null, command: 'x', cwd: desk.cwd };
    const isOver = await keeper.before(about);
    step();
    await isOver();
    const outcome = { status: 'ok', text: '', truncated: false } as const;
    await journal.append([
      factOf('tool.outcome', MAIN_AGENT, round, { callId, name: 'shell', outcome }),
    ]);
  }
  await keeper.close();
}

/** Round 1 edits `a`, round 2 makes `sub/b` and edits `a` again, round 3 removes `c`. */
async function worked(desk: Desk, id = ONE): Promise<FakeSession> {
  writeFileSync(at(desk, 'a'), 'one\n');
  writeFileSync(at(desk, 'c'), 'c');
  const session = await startSession(desk, id);
  await work(desk, session, [
    () => writeFileSync(at(desk, 'a'), 'two\n'),
    () => {
      mkdirSync(at(desk, 'sub'));
      writeFileSync(at(desk, 'sub/b'), 'b\n');
      writeFileSync(at(desk, 'a'), 'three\n');
    },
    () => rmSync(at(desk, 'c')),
  ]);
  return session;
}

test('the whole session is undone, its agent will be told, and a second time there is nothing to do', async () => {
  const desk = newDesk();
  const { id, ...session } = await worked(desk);
  await session.end();
  expect(await undo({ id: 'aaaa' }, desk)).toBe(0);
  expect(desk.out.text).toBe('put back: a\nput back: c\nput back: sub\nput back: sub/b\n');
  expect([read(desk, 'a'), read(desk, 'c'), existsSync(at(desk, 'sub'))]).toEqual([
    'one\n',
    'c',
    false,
  ]);
  const view = openJournalReader({ dir: sessionDir(desk.home, id), session: id });
  const [told] = fold(view.rows()).main.conversation.said;
  view.close();
  expect(told?.text).toMatch(
    /I have undone your changes.*before this session: a, c, sub, sub\/b\./,
  );
  const again = cleared(desk);
  expect(await undo({ id: 'aaaa' }, again)).toBe(0);
  expect(again.out.text).toBe('there is nothing to undo\n');
});

test('what came after a round is undone, and later what came before it', async () => {
  const desk = newDesk();
  await (await worked(desk)).end();
  expect(await undo({ id: 'aaaa', to: '1' }, desk)).toBe(0);
  expect([read(desk, 'a'), read(desk, 'c'), existsSync(at(desk, 'sub'))]).toEqual([
    'two\n',
    'c',
    false,
  ]);
  expect(await undo({ id: 'aaaa', to: '7' }, cleared(desk))).toBe(0);
  expect(read(desk, 'a')).toBe('two\n');
  expect(await undo({ id: 'aaaa' }, cleared(desk))).toBe(0);
  expect(read(desk, 'a')).toBe('one\n');
});

test('a dry run says what would be done and does nothing', async () => {
  const desk = newDesk();
  await (await worked(desk)).end();
  expect(await undo({ id: 'aaaa', dryRun: true, json: true }, desk)).toBe(0);
  expect(jsonOf(desk)).toMatchObject({
    ok: true,
    dry_run: true,
    to: null,
    undone: ['a', 'c', 'sub', 'sub/b'],
    conflicts: [],
  });
  expect(read(desk, 'a')).toBe('three\n');
});

test('one file that somebody else changed refuses all, unless the rest is wanted alone', async () => {
  const desk = newDesk();
  await (await worked(desk)).end();
  writeFileSync(at(desk, 'a'), 'theirs\n');
  writeFileSync(at(desk, 'sub/more'), 'theirs\n');
  expect(await undo({ id: 'aaaa' }, desk)).toBe(1);
  expect(desk.err.text).toMatch(/nothing was undone.*\n {2}a: somebody else changed it since\n/);
  expect(existsSync(at(desk, 'c'))).toBe(false);
  const partial = cleared(desk);
  expect(await undo({ id: 'aaaa', partial: true }, partial)).toBe(1);
  expect(partial.err.text).toMatch(
    /not put back: a: .*\n.*sub: the folder holds files of somebody/,
  );
  expect([read(desk, 'a'), read(desk, 'c'), read(desk, 'sub/more')]).toEqual([
    'theirs\n',
    'c',
    'theirs\n',
  ]);
});

test('a folder that became a link is not followed', async () => {
  const desk = newDesk();
  mkdirSync(at(desk, 'd'));
  writeFileSync(at(desk, 'd/x'), 'one');
  const session = await startSession(desk, ONE);
  await work(desk, session, [() => writeFileSync(at(desk, 'd/x'), 'two')]);
  await session.end();
  const outside = join(desk.home, '..', 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'x'), 'two');
  rmSync(at(desk, 'd'), { recursive: true });
  symlinkSync(outside, at(desk, 'd'));
  const partial = cleared(desk);
  expect(await undo({ id: 'aaaa', partial: true }, partial)).toBe(0);
  expect(partial.err.text).toMatch(/not put back: d\/x: d is a link now/);
  expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('two');
});

test('a session that runs, and a folder in which another one works, are left alone', async () => {
  const desk = newDesk();
  const session = await worked(desk);
  expect(await undo({ id: 'aaaa' }, desk)).toBe(1);
  expect(desk.err.text).toMatch(/is running.*ouro stop aaaa1111/);
  await session.end();
  const other = acquireLock(workspaceLock(desk.home, desk.cwd), { what: 'work', session: TWO });
  const busy = cleared(desk);
  expect(await undo({ id: 'aaaa' }, busy)).toBe(1);
  expect(busy.err.text).toMatch(/session bbbb2222 is at work/);
  other?.release();
  expect(await undo({ id: 'aaaa', to: 'x' }, cleared(desk))).toBe(2);
  expect(await undo({}, cleared(desk))).toBe(2);
  expect(read(desk, 'a')).toBe('three\n');
});

test('what a crash cut off is undone with the rest', async () => {
  const desk = newDesk();
  writeFileSync(at(desk, 'a'), 'one');
  writeFileSync(at(desk, 'b'), 'one');
  const session = await startSession(desk, ONE);
  const keeper = keeperOf(desk, session);
  onTestFinished(() => keeper.close());
  const callId = 'main_1_1' as CallId;
  const intent = { callId, name: 'shell', effect: 'execute' } as const;
  await session.journal.append([factOf('tool.intent', MAIN_AGENT, 1, intent)]);
  const about = { callId, agent: MAIN_AGENT, round: 1, path: null, command: 'x', cwd: desk.cwd };
  await keeper.before(about);
  rmSync(at(desk, 'a'));
  writeFileSync(at(desk, 'b'), 'two');
  await session.die();
  expect(await undo({ id: 'aaaa' }, desk)).toBe(0);
  expect([read(desk, 'a'), read(desk, 'b')]).toEqual(['one', 'one']);
  expect(await undo({ id: 'aaaa' }, cleared(desk))).toBe(0);
  expect([read(desk, 'a'), read(desk, 'b')]).toEqual(['one', 'one']);
});

test('the patch is for git, binary files are named, and only people get other words', async () => {
  const desk = newDesk();
  const session = await startSession(desk, TWO);
  await work(desk, session, [
    () => writeFileSync(at(desk, 'new'), '\u001b[31mred\n'),
    () => writeFileSync(at(desk, 'bytes'), '\0\u0001'),
    () => writeFileSync(at(desk, 'odd\nname'), 'x\n'),
  ]);
  await session.end();
  expect(await diff({ id: 'bbbb' }, desk)).toBe(0);
  expect(desk.out.text).toBe(
    [
      'diff --git a/bytes b/bytes',
      'new file mode 100644',
      'Binary files a/bytes and b/bytes differ',
      'diff --git a/new b/new',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new',
      '@@ -0,0 +1,1 @@',
      '+\u001b[31mred',
      'diff --git "a/odd\\nname" "b/odd\\nname"',
      'new file mode 100644',
      '--- /dev/null',
      '+++ "b/odd\\nname"',
      '@@ -0,0 +1,1 @@',
      '+x',
      '',
    ].join('\n'),
  );
  expect(desk.err.text).toMatch(/3 calls ran commands; what they did outside the workspace/);
  const terminal = cleared(desk, { isTerminal: true });
  expect(await diff({ id: 'bbbb' }, terminal)).toBe(0);
  expect(terminal.out.text).toContain('+red\n');
  expect(terminal.out.text).not.toContain('\u001b');
});

test('sums, and everything for programs', async () => {
  const desk = newDesk();
  await (await worked(desk)).end();
  writeFileSync(at(desk, 'c'), 'theirs');
  expect(await diff({ id: 'aaaa', stat: true }, desk)).toBe(0);
  expect(desk.out.text).toBe(
    [
      ' a     | changed, +1 -1',
      ' c     | deleted, +0 -1',
      ' sub   | created',
      ' sub/b | created, +1 -0',
      '4 changed, 2 lines added, 2 removed',
      '',
    ].join('\n'),
  );
  expect(desk.err.text).toMatch(/cannot be undone: c: somebody else changed it since/);
  const program = cleared(desk);
  expect(await diff({ id: 'aaaa', json: true }, program)).toBe(0);
  expect(jsonOf(program)).toMatchObject({
    ok: true,
    commands: 3,
    not_covered: [],
    files: [
      { path: 'a', round: 2, status: 'changed', binary: false, added: 1, undoable: true },
      { path: 'c', status: 'deleted', undoable: false },
      { path: 'sub', status: 'created', added: null },
      { path: 'sub/b', patch: expect.stringContaining('+b\n') as string },
    ],
  });
});
