import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { feedWatchdog, NOTIFIER } from '../../src/cli/service-watchdog.js';

/** A notifier that notes what it is told, where, and the folder it stands in. */
function notifier(): { readonly bin: string; readonly told: () => string } {
  const bin = mkdtempSync(join(tmpdir(), 'notifier-'));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  const [file, notes] = [join(bin, NOTIFIER), join(bin, 'notes')];
  writeFileSync(notes, '');
  writeFileSync(file, `#!/bin/sh\necho "$* $NOTIFY_SOCKET" >>'${notes}'\n`);
  chmodSync(file, 0o755);
  return { bin, told: () => readFileSync(notes, 'utf8') };
}

test('the manager that listens is told', async () => {
  const { bin, told } = notifier();
  await feedWatchdog({ PATH: `${bin}:/usr/bin:/bin`, NOTIFY_SOCKET: '/run/notify' });
  expect(told()).toBe('WATCHDOG=1 /run/notify\n');
});

test('without a manager nobody is, and without the program nothing happens', async () => {
  const { bin, told } = notifier();
  await feedWatchdog({ PATH: `${bin}:/usr/bin:/bin` });
  await feedWatchdog({ PATH: '/nowhere', NOTIFY_SOCKET: '/run/notify' });
  expect(told()).toBe('');
});
