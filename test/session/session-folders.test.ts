import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { SessionSpec } from '../../messages/session.js';
import {
  findFolders,
  foldersText,
  usableFolders,
  type FolderPlace,
} from '../../src/session-folders.js';
import { temporaryFolder } from '../tools/workbench.js';

let root: string;
let place: FolderPlace;

beforeEach(() => {
  root = temporaryFolder('folders');
  const [workspace, user, lib] = ['work', 'user', 'lib'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const home = join(user, '.ouro');
  for (const folder of [join(workspace, 'src'), join(home, 'sessions'), join(user, 'docs'), lib])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'file'), '');
  symlinkSync(lib, join(root, 'link'));
  place = { workspace, home, env: { HOME: user } };
});

test.each([
  ['an absolute path', () => join(root, 'lib'), 'lib'],
  ['a path from the workspace', () => '../lib', 'lib'],
  ['a path from the home folder', () => '~/docs', 'user/docs'],
  ['a link', () => join(root, 'link'), 'lib'],
  ['the same twice', () => `${root}/lib/../lib/`, 'lib'],
])('%s becomes the real path', (_, given, real) => {
  const found = findFolders([given(), given()], place);
  expect(found).toEqual({ ok: true, folders: [join(root, real)] });
});

test('what the workspace holds already is not added', () => {
  expect(findFolders(['.', 'src'], place)).toEqual({ ok: true, folders: [] });
});

test.each([
  ['/', 'the root of the file system'],
  ['~', 'your home folder'],
  ['~/', 'your home folder'],
  ['..', 'your home folder'],
  ['~/.ouro', 'holds the sessions of ouro'],
  ['~/.ouro/sessions', "inside ouro's own folder"],
  ['/proc', "one of the kernel's own"],
  ['/proc/self', "one of the kernel's own"],
  ['../nowhere', 'does not exist'],
  ['../file', 'does not exist'],
])('%s is refused, with the reason', (given, reason) => {
  const found = findFolders(['../lib', given], place);
  expect(found).toMatchObject({ ok: false, reason: expect.stringContaining(reason) as string });
});

test('a folder that holds $OURO_HOME is refused wherever that is, also through a link', () => {
  const home = join(root, 'elsewhere', 'ouro');
  mkdirSync(home, { recursive: true });
  symlinkSync(join(root, 'elsewhere'), join(root, 'other-name'));
  for (const given of ['../elsewhere', '../other-name'])
    expect(findFolders([given], { ...place, home })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('holds the sessions of ouro') as string,
    });
});

const specOf = (addDirs: readonly string[], readDirs: readonly string[] = []): SessionSpec =>
  ({ addDirs, readDirs }) as unknown as SessionSpec;

test('a folder that was replaced by a link, or is gone, is closed, and the person is told', () => {
  const [lib, gone, docs] = [join(root, 'lib'), join(root, 'gone'), join(root, 'user', 'docs')];
  const spec = specOf([lib, gone], [docs]);
  expect(usableFolders(spec)).toMatchObject({ addDirs: [lib], readDirs: [docs] });
  renameSync(lib, join(root, 'moved'));
  symlinkSync(join(root, 'user'), lib);
  const { addDirs, readDirs, warnings } = usableFolders(spec);
  expect({ addDirs, readDirs }).toEqual({ addDirs: [], readDirs: [docs] });
  expect(warnings.map((warning) => warning.split(' ')[0])).toEqual([lib, gone]);
  rmSync(lib);
  mkdirSync(lib);
  expect(usableFolders(spec).addDirs).toEqual([lib]);
});

test('the prompt names them, and says nothing where there are none', () => {
  expect(foldersText(specOf([]))).toBe('');
  const text = foldersText(specOf(['/lib'], ['/docs']));
  expect(text).toContain('read and write in `/lib`, and read, but not write, in `/docs`');
});
