import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureHome, sessionDir, sessionLock, workspaceLock } from '../../src/store/layout.js';
import { newSocketPath, tokenPath } from '../../src/store/socket-path.js';
import { SESSION } from './journal-samples.js';
import { tempFolder } from './temp-folder.js';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a home is created with folders that only its owner can enter', () => {
  const home = join(tempFolder(), 'deep', 'home');
  ensureHome(home);
  ensureHome(home);
  for (const folder of ['', 'sessions', 'locks', 'run']) {
    expect(modeOf(join(home, folder))).toBe(0o700);
  }
});

test.each([0o777, 0o770, 0o702])('a home that others can write to is refused: %o', (mode) => {
  const home = tempFolder();
  chmodSync(home, mode);
  expect(() => ensureHome(home)).toThrow(`chmod 700 '${home}'`);
  expect(existsSync(join(home, 'sessions'))).toBe(false);
});

test.runIf(process.getuid?.() === 0)('a home of somebody else is refused', () => {
  const home = tempFolder();
  chownSync(home, 65_534, 65_534);
  expect(() => ensureHome(home)).toThrow('belongs to another user (uid 65534, you are 0)');
});

test('a home that cannot be created says so', () => {
  expect(() => ensureHome('/dev/null/home')).toThrow(/cannot be created.*Set OURO_HOME/);
});

test('each session and each workspace has a lock of its own', () => {
  expect(sessionLock('/home', SESSION)).toBe(join(sessionDir('/home', SESSION), 'lock'));
  expect(workspaceLock('/home', '/a')).toMatch(/^\/home\/locks\/[0-9a-f]{16}\.lock$/);
  expect(workspaceLock('/home', '/a')).not.toBe(workspaceLock('/home', '/b'));
});

test('a socket has a name that cannot be guessed, with its token beside it', () => {
  const home = tempFolder();
  const socket = newSocketPath(home, {});
  expect(socket).toMatch(/\/run\/[0-9a-f]{32}\.sock$/);
  expect(newSocketPath(home, {})).not.toBe(socket);
  expect(tokenPath(socket)).toMatch(/\/run\/[0-9a-f]{32}\.token$/);
  expect(modeOf(join(home, 'run'))).toBe(0o700);
});

test('a home with a long path has its sockets in the runtime folder', () => {
  const home = join(tempFolder(), 'x'.repeat(100));
  const runtime = tempFolder();
  const socket = newSocketPath(home, { XDG_RUNTIME_DIR: runtime });
  expect(socket.startsWith(join(runtime, 'ouro/'))).toBe(true);
  expect(modeOf(join(runtime, 'ouro'))).toBe(0o700);
});

test('a runtime folder that others can enter, or that is a link, is passed over', () => {
  const home = join(tempFolder(), 'x'.repeat(100));
  const shared = useTempDir(mkdtempSync('/tmp/ouro-'));
  const own = join(shared, `ouro-${process.getuid?.() ?? 0}`);
  const open = tempFolder();
  mkdirSync(join(open, 'ouro'));
  chmodSync(join(open, 'ouro'), 0o755);
  expect(newSocketPath(home, { XDG_RUNTIME_DIR: open }).startsWith(own)).toBe(true);
  const linked = tempFolder();
  symlinkSync(tempFolder(), join(linked, 'ouro'));
  expect(newSocketPath(home, { XDG_RUNTIME_DIR: linked }).startsWith(own)).toBe(true);
});

test('without any folder that is short enough it says what to change', () => {
  const deep = join(tempFolder(), 'x'.repeat(100));
  useTempDir(deep);
  expect(() => newSocketPath(deep, {})).toThrow(/Set OURO_HOME to a shorter path/);
});

/** What the system calls its folder for temporary files, for one test. */
function useTempDir(folder: string): string {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  return folder;
}
