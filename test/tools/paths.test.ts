import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInside, resolveTarget, type Boundary } from '../../src/tools/paths.js';
import { openRegular, replaceFile } from '../../src/tools/regular-file.js';
import { temporaryFolder } from './workbench.js';

function place(): Boundary & { root: string } {
  const root = temporaryFolder('paths');
  const workspace = join(root, 'work');
  const ouroHome = join(workspace, '.ouro-home');
  for (const folder of [workspace, ouroHome, join(root, 'work-2'), join(root, 'outside')]) {
    mkdirSync(folder);
  }
  writeFileSync(join(root, 'outside', 'secret'), 'secret');
  symlinkSync(join(root, 'outside'), join(workspace, 'folder-out'));
  symlinkSync(join(root, 'outside', 'secret'), join(workspace, 'file-out'));
  mkdirSync(join(workspace, 'src'));
  symlinkSync('src', join(workspace, 'inner'));
  return { root, workspace, ouroHome };
}

test.each([
  '..',
  '../outside/secret',
  'src/../../outside/secret',
  '/etc/passwd',
  '/proc/self/environ',
  '/dev/zero',
  '../work-2/x',
  'folder-out',
  'folder-out/secret',
  'folder-out/new/deep',
  'file-out',
  '.ouro-home',
  '.ouro-home/run/token',
  'src/../.ouro-home/x',
  'a\0b',
  'n'.repeat(5_000),
  'n'.repeat(300),
])('%.40j is refused for reading and writing', (path) => {
  const boundary = place();
  for (const access of ['read', 'write'] as const) {
    const resolved = resolveTarget(boundary, path, access);
    // Work that is wanted outside of the workspace counts as denied; the rest makes no sense.
    expect(resolved).toMatchObject({ ok: false });
    if (resolved.ok) return;
    expect(['denied', 'failed']).toContain(resolved.outcome.status);
    if (access === 'read') expect(resolved.outcome).toMatchObject({ reason: 'refused' });
  }
});

test.each([
  ['.', '.'],
  ['src', 'src'],
  ['./src/../src/a.ts', 'src/a.ts'],
  ['inner/a.ts', 'src/a.ts'],
  ['not/there/yet', 'not/there/yet'],
  ['..notes.txt', '..notes.txt'],
  ['a b\n😀', 'a b\n😀'],
  ['~/x', '~/x'],
])('%j means %j', (path, relative) => {
  const resolved = resolveTarget(place(), path, 'write');
  expect(resolved).toMatchObject({ ok: true, target: { given: path, relative } });
});

test('whatever the path, an accepted one lies inside of the workspace and outside of the home', () => {
  const boundary = place();
  const part = fc.constantFrom(
    '..',
    '.',
    'src',
    'inner',
    'folder-out',
    'file-out',
    '.ouro-home',
    'x',
    '',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, isAbsolute) => {
      const path = (isAbsolute ? `${boundary.workspace}/` : '') + parts.join('/');
      const resolved = resolveTarget(boundary, path, 'read');
      if (!resolved.ok) return;
      expect(isInside(boundary.workspace, resolved.target.real)).toBe(true);
      expect(isInside(boundary.ouroHome, resolved.target.real)).toBe(false);
      expect(isInside(join(boundary.root, 'outside'), resolved.target.real)).toBe(false);
    }),
  );
});

test('a link swapped in after the path was judged is noticed', async () => {
  const { root, workspace } = place();
  const judged = join(workspace, 'folder-out', 'secret');
  expect(openRegular(judged)).toMatchObject({ ok: false });
  const { signal } = new AbortController();
  const target = join(workspace, 'folder-out', 'new');
  expect(await replaceFile(target, Buffer.from('x'), null, signal)).toMatchObject({ ok: false });
  expect(openRegular(join(root, 'outside', 'new'))).toMatchObject({ code: 'missing' });
  expect(openRegular(join(workspace, 'file-out'))).toMatchObject({ ok: false });
});
