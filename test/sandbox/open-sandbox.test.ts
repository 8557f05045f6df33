import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxReport } from '../../src/sandbox/check.js';
import { findSandbox } from '../../src/sandbox/find-sandbox.js';
import { openSandbox } from '../../src/sandbox/open-sandbox.js';
import { confined, playground, type Playground } from './playground.js';

const onLinux = test.runIf(process.platform === 'linux');

/** A `bwrap` that does what the script says, and the PATH that finds it first. */
function withProgram(place: Playground, script: string, folder = join(place.root, 'bin')): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bwrap'), 0o755);
  return folder;
}

test('switched off, there is no sandbox and nothing to say', async () => {
  const { options } = playground({ mode: 'off' });
  const nothing = { ok: true, sandbox: null, notice: null, obstacle: null };
  expect(await openSandbox(options)).toEqual(nothing);
  expect(existsSync(options.tempDir)).toBe(false);
});

onLinux('without bubblewrap, auto says so and how to get it', async () => {
  const { options } = playground({ mode: 'auto', env: { PATH: '/nonexistent' } });
  const result = await openSandbox(options);
  const reason = 'bubblewrap (bwrap) is not installed';
  expect(result).toMatchObject({ ok: true, sandbox: null, obstacle: { reason } });
  expect(result.ok && result.notice).toMatch(
    /bubblewrap \(bwrap\) is not installed.*--allow.*apt install.*--sandbox off/,
  );
});

onLinux('without bubblewrap, require names the ways out', async () => {
  const { options } = playground({ env: { PATH: '/nonexistent' } });
  const result = await openSandbox(options);
  expect(result.ok ? '' : result.reason).toMatch(
    /apt install bubblewrap.*--sandbox off.*--allow.*--permission-mode bypass/,
  );
});

onLinux('a bubblewrap that is forbidden to work counts as none', async () => {
  const place = playground({ mode: 'auto' });
  const PATH = withProgram(
    place,
    'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
  );
  const result = await openSandbox({ ...place.options, env: { PATH } });
  expect(result).toMatchObject({ ok: true, sandbox: null });
  expect(result.ok && result.notice).toContain('setting up uid map: Permission denied');
});

onLinux('a bubblewrap that is too old is named as such', async () => {
  const place = playground();
  const PATH = withProgram(place, 'echo "bwrap: Unknown option --die-with-parent" >&2; exit 1');
  const result = await openSandbox({ ...place.options, env: { PATH } });
  expect(result.ok ? '' : result.reason).toContain('install a newer bubblewrap');
});

onLinux('a program in the workspace is not taken for bubblewrap', async () => {
  const place = playground({ mode: 'auto' });
  const PATH = withProgram(place, 'exit 0', join(place.workspace, 'node_modules/.bin'));
  const result = await openSandbox({ ...place.options, env: { PATH } });
  expect(result.ok && result.notice).toContain('not installed');
});

onLinux('a temporary folder that cannot be made is a reason', async () => {
  const place = playground();
  writeFileSync(join(place.ouroHome, 'sessions'), 'a file');
  const result = await openSandbox(place.options);
  expect(result.ok ? '' : result.reason).toContain(place.options.tempDir);
});

test('a system without a sandbox is named', async () => {
  const found = await findSandbox(playground().options, 'win32');
  expect(found).toMatchObject({ works: false, reason: 'there is no sandbox for win32' });
});

confined(
  'opening makes the temporary folder for nobody else, and touches nothing more',
  async () => {
    const { options, workspace } = playground();
    expect(await openSandbox(options)).toMatchObject({
      ok: true,
      sandbox: { kind: 'bubblewrap', network: false },
    });
    expect(statSync(options.tempDir).mode & 0o777).toBe(0o700);
    expect(existsSync(join(workspace, '.ouro'))).toBe(false);
  },
);

confined('a second opening, after a restart, finds the same folder', async () => {
  const { options } = playground();
  await openSandbox(options);
  expect(await openSandbox(options)).toMatchObject({ ok: true, notice: null });
});

confined('the report names the program and its version', async () => {
  const { options } = playground();
  expect(await sandboxReport(options)).toMatchObject({
    works: true,
    kind: 'bubblewrap',
    program: expect.stringMatching(/\/bwrap$/) as string,
    version: expect.stringMatching(/^bubblewrap \d/) as string,
  });
});

onLinux('the report says why nothing works', async () => {
  const { options } = playground({ env: { PATH: '/nonexistent' } });
  expect(await sandboxReport(options)).toMatchObject({
    works: false,
    reason: 'bubblewrap (bwrap) is not installed',
    remedy: expect.stringContaining('apt install') as string,
  });
});
