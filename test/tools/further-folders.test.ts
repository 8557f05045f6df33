/** Folders beside the workspace that a session was given: open to tools, and nothing around them. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createJudge } from '../../src/permissions/judge.js';
import { temporaryFolder, workbench, type Workbench } from './workbench.js';

let root: string;
let lib: string;
let docs: string;
let bench: Workbench;

beforeEach(() => {
  root = temporaryFolder('further');
  [lib, docs] = ['lib', 'docs'].map((name) => {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'a.ts'), 'needle\n');
    return join(root, name);
  }) as [string, string];
  mkdirSync(join(root, 'lib-2'));
  writeFileSync(join(root, 'lib-2', 'secret'), 'secret');
  writeFileSync(join(root, 'secret'), 'secret');
  bench = workbench({ addDirs: [lib], readDirs: [docs] });
});

describe('tools work in an added folder by absolute paths', () => {
  test('reading, searching, finding and listing, also in a folder for reading alone', async () => {
    for (const folder of [lib, docs]) {
      const file = join(folder, 'a.ts');
      expect((await bench.run('read_file', { path: file })).text).toContain('needle');
      const found = await bench.run('grep', { pattern: 'needle', path: folder, mode: 'content' });
      expect(found.text).toContain(`${file}:1: needle`);
      const names = await bench.run('grep', { pattern: 'needle', path: folder, mode: 'files' });
      expect(names.text).toBe(file);
      expect((await bench.run('find_files', { pattern: '*.ts', path: folder })).text).toBe(file);
      expect((await bench.run('list_dir', { path: folder })).text).toContain('a.ts');
    }
  });

  test('writing and editing, where writing is what it was given for', async () => {
    const path = join(lib, 'new.txt');
    expect(await bench.run('write_file', { path, content: 'x\n' })).toMatchObject({ status: 'ok' });
    const change = { path, old_string: 'x', new_string: 'y' };
    expect(await bench.run('edit_file', change)).toMatchObject({ status: 'ok' });
    expect(readFileSync(path, 'utf8')).toBe('y\n');
    expect(bench.judged.at(-1)).toMatchObject({ effect: 'write', subject: path });
  });
});

test('a folder for reading alone is not written', async () => {
  const path = join(docs, 'new.txt');
  const outcome = await bench.run('write_file', { path, content: 'x' });
  expect(outcome).toMatchObject({ status: 'denied', rule: 'outside-workspace' });
  expect(existsSync(path)).toBe(false);
});

test.each([
  ['beside it', () => join(root, 'secret')],
  ['above it', () => join(lib, '..', 'secret')],
  ['with a name that begins alike', () => join(root, 'lib-2', 'secret')],
  [
    'behind a link in it',
    () => {
      symlinkSync(join(root, 'secret'), join(lib, 'link'));
      return join(lib, 'link');
    },
  ],
  [
    'behind a linked folder in it',
    () => {
      symlinkSync(join(root, 'lib-2'), join(lib, 'linked'));
      return join(lib, 'linked', 'secret');
    },
  ],
])('what lies %s stays closed', async (_, make) => {
  const path = make();
  const read = await bench.run('read_file', { path });
  expect(read.status).not.toBe('ok');
  expect(read.text).not.toMatch(/^secret/m);
  expect(await bench.run('write_file', { path, content: 'x' })).toMatchObject({ status: 'denied' });
  expect(readFileSync(path, 'utf8')).toBe('secret');
});

test('the configuration of a project in an added folder is not written', async () => {
  mkdirSync(join(lib, '.ouro'));
  const path = join(lib, '.ouro', 'config.toml');
  expect((await bench.run('write_file', { path, content: 'x' })).status).not.toBe('ok');
  expect(existsSync(path)).toBe(false);
});

describe('the judge', () => {
  const judgeAt = (mode: 'default' | 'accept-edits', allow: readonly string[] = []) => {
    const { workspace, ouroHome } = bench;
    const created = createJudge({ mode, allow, workspace, ouroHome, addDirs: [lib] });
    if (!created.ok) throw new Error(created.message);
    return (tool: string, subject: string) =>
      created.judge.judge({
        tool,
        effect: tool === 'shell' ? 'execute' : 'write',
        subject,
        cwd: workspace,
      });
  };

  test('allows writing in the added folder and refuses it beside', () => {
    const judge = judgeAt('default');
    expect(judge('write_file', join(lib, 'x'))).toMatchObject({ allowed: true });
    expect(judge('write_file', join(docs, 'x'))).toMatchObject({ rule: 'outside-workspace' });
    expect(judge('write_file', join(lib, '.git/hooks/x'))).toMatchObject({
      allowed: false,
      rule: 'protected-file',
    });
  });

  test('knows commands that only read in it', () => {
    const judge = judgeAt('default');
    expect(judge('shell', `cat ${lib}/a.ts`)).toMatchObject({ allowed: true });
    expect(judge('shell', `cat ${docs}/a.ts`)).toMatchObject({ allowed: false });
  });

  test('does not take a link in it for what it hides', () => {
    mkdirSync(join(lib, '.git', 'hooks'), { recursive: true });
    symlinkSync('.git/hooks', join(lib, 'harmless'));
    const judge = judgeAt('accept-edits');
    expect(judge('shell', `touch ${lib}/plain`)).toMatchObject({ allowed: true });
    expect(judge('shell', `touch ${lib}/harmless/pre-commit`)).toMatchObject({ allowed: false });
  });

  test('follows a rule for the whole path', () => {
    const { workspace, ouroHome } = bench;
    const deny = [`write_file(${lib}/*)`];
    const created = createJudge({
      mode: 'bypass',
      allow: [],
      deny,
      workspace,
      ouroHome,
      addDirs: [lib],
    });
    if (!created.ok) throw new Error(created.message);
    const request = { tool: 'edit_file', effect: 'write', subject: join(lib, 'x'), cwd: workspace };
    expect(created.judge.judge(request as never)).toMatchObject({ allowed: false });
  });
});
