import { expect, test } from 'vitest';
import type { Launch } from '../../actors/ports.js';
import { inBubblewrap } from '../../src/sandbox/bubblewrap.js';
import { layered, type Place } from '../../src/sandbox/places.js';
import { inSandboxExec, profileOf } from '../../src/sandbox/sandbox-exec.js';

const launch: Launch = { file: '/bin/bash', args: ['-c', 'x'], cwd: '/w/a', env: { A: '1' } };

const places: Place[] = layered([
  { path: '/w', source: '/w', treatment: 'writable', folder: true },
  { path: '/w/.git/config', source: '/w/.git/config', treatment: 'protected', folder: false },
  { path: '/h', source: '/h', treatment: 'hidden', folder: true },
  { path: '/h/s/tmp', source: '/h/s/tmp', treatment: 'temp', folder: true },
  { path: '/k', source: '/h/s/empty', treatment: 'hidden', folder: false },
]);

const how = { program: '/usr/bin/bwrap', network: false, userNamespace: false };

test('bubblewrap gets the places from the outside in, then closes the empty folders', () => {
  const { file, args, cwd } = inBubblewrap(how, places, launch);
  const mounts = args.join(' ');
  expect([file, cwd]).toEqual(['/usr/bin/bwrap', '/']);
  expect(mounts).toMatch(/^--ro-bind \/ \/ --dev \/dev --proc \/proc --tmpfs \/h /);
  expect(mounts).toContain(
    '--ro-bind /h/s/empty /k --bind /w /w --bind /w/.git /w/.git --bind /h/s/tmp /h/s/tmp --ro-bind /w/.git/config /w/.git/config --remount-ro /h',
  );
  expect(mounts).toMatch(/--unshare-net --chdir \/w\/a -- \/bin\/bash -c x$/);
});

test('with the network on, and with a user namespace, bubblewrap is told so', () => {
  const { args } = inBubblewrap({ ...how, network: true, userNamespace: true }, [], launch);
  expect(args).not.toContain('--unshare-net');
  expect(args).toContain('--unshare-user');
});

test('the whole machine as workspace is writable, and the rest holds', () => {
  const whole: Place = { path: '/', source: '/', treatment: 'writable', folder: true };
  const { args } = inBubblewrap(how, layered([whole, ...places]), launch);
  expect(args.slice(0, 5)).toEqual(['--bind', '/', '/', '--dev', '/dev']);
  expect(args.join(' ')).toContain('--tmpfs /h');
});

test('sandbox-exec gets a rule for each place, the inner ones last', () => {
  expect(profileOf(false, places).split('\n')).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny file-write*)',
    expect.stringContaining('(literal "/dev/null")'),
    '(deny file-read-data file-read-xattr file-write* (subpath "/h"))',
    '(deny file-read-data file-read-xattr file-write* (subpath "/k"))',
    '(allow file-read* file-write* (subpath "/w"))',
    '(deny file-write-unlink (literal "/w"))',
    '(allow file-read* file-write* (subpath "/w/.git"))',
    '(deny file-write-unlink (literal "/w/.git"))',
    '(allow file-read* file-write* (subpath "/h/s/tmp"))',
    '(deny file-write-unlink (literal "/h/s/tmp"))',
    '(deny file-write* (subpath "/w/.git/config"))',
  ]);
  expect(profileOf(true, places)).not.toContain('network');
});

test('a path cannot end its quotation in a profile', () => {
  const odd: Place = { path: '/a"b\\c', source: '/', treatment: 'protected', folder: true };
  expect(profileOf(false, [odd])).toContain('(subpath "/a\\"b\\\\c")');
});

test('sandbox-exec runs the command where it was to run, with its temporary folder', () => {
  const wrapped = inSandboxExec(false, '/h/s/tmp', places, launch);
  expect(wrapped).toMatchObject({ file: '/usr/bin/sandbox-exec', cwd: '/w/a' });
  expect(wrapped.args.slice(2)).toEqual(['/bin/bash', '-c', 'x']);
  expect(wrapped.env).toEqual({ A: '1', TMPDIR: '/h/s/tmp' });
});
