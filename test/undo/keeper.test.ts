import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import type { ToolBoxDeps } from '../../src/tools/toolbox-deps.js';
import { historyOf } from '../../src/undo/history.js';
import { SessionKeeper, type KeeperParts } from '../../src/undo/keeper.js';
import { planUndo } from '../../src/undo/plan-undo.js';
import { restore } from '../../src/undo/restore.js';
import { EVERYTHING, workbench, type Workbench } from '../tools/workbench.js';
import { newPlace, treeOf, type Place } from './workspace.js';

interface Bench extends Workbench, Pick<Place, 'dir'> {
  readonly keeper: SessionKeeper;
  /** Paths of every row of changes, and what it says is not covered. */
  recorded(): readonly (readonly string[])[];
  undo(): ReturnType<typeof planUndo>;
}

/** Real tools in a real workspace, whose changes are kept. */
function bench(limits: Partial<KeeperParts> = {}, deps: Partial<ToolBoxDeps> = {}): Bench {
  const { settings, dir } = newPlace();
  // Known only once there is a workspace; nothing is asked of it before.
  let keeper: SessionKeeper | null = null;
  const made = workbench({
    ...EVERYTHING,
    changes: { before: (call) => keeper?.before(call) ?? Promise.reject(new Error('too early')) },
    onProcess: (fact) => {
      if (fact.type === 'started') keeper?.processStarted(fact.id, fact);
      else void keeper?.processEnded(fact.id);
      return Promise.resolve();
    },
    ...deps,
  });
  const { workspace, facts, ouroHome } = made;
  const journal = {
    append: (added: readonly JournalFact[]) => Promise.resolve(facts.push(...added)),
  };
  const isReadOnly = (command: string): boolean => command.startsWith('cat ');
  keeper = new SessionKeeper({ ...settings, workspace, ouroHome, journal, isReadOnly, ...limits });
  const kept = keeper;
  onTestFinished(() => kept.close());
  const rows = () => facts.map((fact, at) => ({ ...fact, seq: at + 1, ts: 0 }));
  return {
    ...made,
    dir,
    keeper,
    recorded: () =>
      facts.flatMap((fact) =>
        fact.kind === 'files.changed'
          ? [[...fact.body.changes, ...(fact.body.notCovered ?? [])].map(placeOf)]
          : [],
      ),
    undo() {
      const plan = planUndo(workspace, historyOf(rows()).since(1));
      restore({ workspace, dir }, plan.steps);
      return plan;
    },
  };
}

const placeOf = (of: { path: string } | { place: string }): string =>
  'path' in of ? of.path : `! ${of.place}`;

test('files that tools write and commands change are on record before the outcome, and can be put back', async () => {
  const b = bench();
  b.write('a.txt', 'one\n');
  b.write('sub/gone.txt', 'gone');
  chmodSync(join(b.workspace, 'sub/gone.txt'), 0o750);
  const before = treeOf(b.workspace);
  await b.run('read_file', { path: 'a.txt' });
  await b.run('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  await b.run('write_file', { path: 'new/deep/b.txt', content: 'b' });
  await b.run('shell', { command: 'rm -r sub; ln -s a.txt link; echo more >> a.txt' });
  expect(b.recorded()).toEqual([
    ['a.txt'],
    ['new/deep/b.txt', 'new/deep', 'new'],
    expect.arrayContaining(['a.txt', 'link', 'sub', 'sub/gone.txt']),
  ]);
  const kinds = b.facts.map(({ kind }) => kind).filter((kind) => kind !== 'tool.started');
  expect(kinds.slice(-3)).toEqual(['tool.intent', 'files.changed', 'tool.outcome']);
  expect(b.keeper.changed).toEqual(
    expect.arrayContaining(['a.txt', 'new/deep/b.txt', 'link', 'sub/gone.txt']),
  );
  expect(b.undo()).toMatchObject({ conflicts: [], notKept: [] });
  expect(treeOf(b.workspace)).toEqual(before);
});

test('content is kept for its owner alone, and what belongs to no change goes with the session', async () => {
  const b = bench();
  b.write('secret', 'x');
  b.write('other', 'y');
  await b.run('shell', { command: 'rm secret' });
  const contents = join(b.dir, 'content');
  await b.keeper.close();
  expect(statSync(contents).mode & 0o777).toBe(0o700);
  expect(existsSync(join(b.dir, 'spare'))).toBe(false);
  expect(existsSync(join(b.dir, 'ledger.jsonl'))).toBe(false);
  b.undo();
  expect(readFileSync(join(b.workspace, 'secret'), 'utf8')).toBe('x');
});

test('a command that is proven to change nothing costs nothing', async () => {
  const b = bench();
  b.write('a.txt', 'one\n');
  await b.run('shell', { command: 'cat a.txt' });
  expect(existsSync(b.dir) && existsSync(join(b.dir, 'content'))).toBe(false);
});

test('what somebody else changed between two calls is theirs, and a conflict when the session changed it too', async () => {
  const b = bench();
  b.write('a.txt', 'one');
  b.write('b.txt', 'one');
  await b.run('shell', { command: 'printf two > a.txt' });
  b.write('a.txt', 'theirs');
  b.write('b.txt', 'theirs');
  await b.run('shell', { command: 'printf three > a.txt; printf x > c.txt' });
  expect(b.undo()).toMatchObject({
    steps: [{ path: 'c.txt' }],
    conflicts: [{ path: 'a.txt', reason: expect.stringMatching(/between two changes/) as string }],
  });
  expect(treeOf(b.workspace)).toMatchObject({
    'a.txt': expect.stringMatching(/three$/) as string,
    'b.txt': expect.stringMatching(/theirs$/) as string,
  });
});

test('what a background process changes until its end counts as done by its call', async () => {
  const b = bench();
  b.write('a.txt', 'one');
  const command = 'while ! test -e go; do sleep 0.05; done; printf two > a.txt';
  await b.run('shell', { command, background: true });
  writeFileSync(join(b.workspace, 'go'), '');
  await expect
    .poll(() => b.recorded().flat(), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(['a.txt', 'go']));
});

test('what a kept process has changed until it is left to the next run is on record as its own', async () => {
  const b = bench();
  b.write('a.txt', 'one');
  const command = 'while ! test -e go; do sleep 0.05; done; printf two > a.txt; sleep 600';
  await b.run('shell', { command, background: true, keep: 'restart' });
  writeFileSync(join(b.workspace, 'go'), '');
  await expect.poll(() => readFileSync(join(b.workspace, 'a.txt'), 'utf8')).toBe('two');
  await b.tools.terminateAll(true);
  await b.keeper.close();
  expect(b.recorded().flat()).toEqual(expect.arrayContaining(['a.txt', 'go']));
  await b.tools.terminateAll();
});

test('what is too large, in folders that are made again, or of git and ouro is named and not kept', async () => {
  const b = bench({ maxFileBytes: 10 });
  b.write('large', 'x'.repeat(11));
  b.write('node_modules/dep/x.js', 'x');
  b.write('cache/CACHEDIR.TAG', '');
  b.write('cache/x', 'x');
  b.write('.git/config', 'x');
  await b.run('shell', {
    command:
      'echo >> large; echo y > node_modules/dep/x.js; echo y > cache/x; echo y > .git/config',
  });
  await b.run('write_file', { path: '.ouro/report.md', content: 'x' });
  expect(b.recorded()).toEqual([
    expect.arrayContaining(['! node_modules', '! cache']),
    ['large'],
    ['! .ouro/report.md'],
  ]);
  expect(b.undo()).toMatchObject({ steps: [], notKept: [{ path: 'large' }] });
});

test('beyond the limit of a session contents are not kept, and it is said of each file', async () => {
  const b = bench({ maxSessionBytes: 5 });
  b.write('small', 'xxx');
  b.write('big', 'yyyy');
  await b.run('shell', { command: 'rm small big' });
  expect(b.undo()).toMatchObject({
    steps: [{ path: 'small' }],
    notKept: [{ path: 'big', reason: expect.stringMatching(/max_session_bytes/) as string }],
  });
});

test('in a workspace of too many files commands are not covered, which is said once; tools for files are', async () => {
  const b = bench({ maxFiles: 3 });
  for (const name of ['a', 'b', 'c', 'd']) b.write(name, name);
  const first = await b.run('shell', { command: 'rm a' });
  expect(first.text).toMatch(/\[undo: this workspace is not covered: .*more than 3 files.*\]$/);
  const second = await b.run('shell', { command: 'rm b' });
  expect(second.text).not.toMatch(/undo/);
  await b.run('write_file', { path: 'e', content: 'e' });
  expect(b.recorded()).toEqual([['! .'], ['e']]);
});

test('files of further folders are named as not covered', async () => {
  const { workspace: further } = newPlace();
  const b = bench({}, { addDirs: [further] });
  const path = join(further, 'x.txt');
  await b.run('write_file', { path, content: 'x' });
  expect(b.recorded()).toEqual([[`! ${path}`]]);
  expect(b.keeper.changed).toEqual([path]);
});

test('a change that leaves size and time of a file alone is noticed', async () => {
  const b = bench();
  b.write('a', 'one');
  await b.run('shell', { command: 'printf two > a; touch -d @1000 a' });
  await b.run('shell', { command: 'printf six > a; touch -d @1000 a' });
  expect(b.recorded()).toEqual([['a'], ['a']]);
});

test('what a call had done when a crash cut it off is found afterwards, and only that', async () => {
  const { settings, workspace, dir } = newPlace();
  const facts: JournalFact[] = [];
  const journal = {
    append: (added: readonly JournalFact[]) => Promise.resolve(facts.push(...added)),
  };
  const parts = { ...settings, journal, isReadOnly: () => false };
  const call = { callId: 'main_1_1' as CallId, agent: 'main' as never, round: 1 };
  const about = { ...call, path: null, command: 'make', cwd: workspace };
  writeFileSync(join(workspace, 'a'), 'one');
  writeFileSync(join(workspace, 'b'), 'one');
  const before = treeOf(workspace);
  const crashed = new SessionKeeper(parts);
  const isOver = await crashed.before(about);
  writeFileSync(join(workspace, 'a'), 'two');
  await isOver();
  await crashed.before(about);
  writeFileSync(join(workspace, 'b'), 'two');
  mkdirSync(join(workspace, 'made'));

  const history = () => historyOf(facts.map((fact, at) => ({ ...fact, seq: at + 1, ts: 0 })));
  const next = new SessionKeeper(parts);
  onTestFinished(() => Promise.all([crashed.close(), next.close()]).then(() => undefined));
  await next.recover(call, history().left);
  expect(history().left.map(([path]) => path)).toEqual(['a', 'b', 'made']);
  restore({ workspace, dir }, planUndo(workspace, history().since(1)).steps);
  expect(treeOf(workspace)).toEqual(before);
});
