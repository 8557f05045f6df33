import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isServiceInstalled, service, type ServiceVerb } from '../../src/cli/service.js';
import { launchdAgent, systemdUnit } from '../../src/cli/service-files.js';
import type { VerbContext } from '../../src/cli/verb-context.js';
import { cleared, newDesk, type Desk } from './fake-session.js';

const COMMAND = {
  node: '/opt/node',
  main: '/opt/ouro/main.js',
  home: '/home/me/.ouro',
  path: '/bin',
  notifies: false,
};

/** A desk with a service manager that notes what it is asked, and fails when it is told to. */
function managed(): {
  readonly desk: Desk;
  readonly asked: () => string[];
  readonly fails: (words: string) => void;
} {
  const bare = newDesk();
  const folder = dirname(bare.cwd);
  const [bin, notes, failing] = ['bin', 'notes', 'failing'].map((name) => join(folder, name));
  if (bin === undefined || notes === undefined || failing === undefined)
    throw new Error('no place');
  mkdirSync(bin);
  writeFileSync(notes, '');
  writeFileSync(failing, 'nothing');
  const script = `#!/bin/sh
echo "$*" >>'${notes}'
case "$*" in *"$(cat '${failing}')"*) echo 'no bus' >&2; exit 1 ;; esac
`;
  writeFileSync(join(bin, 'systemctl'), script);
  chmodSync(join(bin, 'systemctl'), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder };
  return {
    desk: cleared(bare, { env }),
    asked: () => readFileSync(notes, 'utf8').split('\n').filter(Boolean),
    fails: (words) => writeFileSync(failing, words),
  };
}

const unitOf = ({ env }: VerbContext): string =>
  join(env['HOME'] ?? '', '.config', 'systemd', 'user', 'ouro.service');

const on = (verb: ServiceVerb, desk: Desk): Promise<number> =>
  service(verb, { platform: 'linux' }, desk);

test('a unit leaves the sessions alone when it is stopped, and its words are no expansions', () => {
  const unit = systemdUnit({ ...COMMAND, main: '/opt/a "b" $c 100%/main.js' });
  expect(unit).toContain('KillMode=process\n');
  expect(unit).toContain('Restart=on-failure\n');
  expect(unit).toContain('ExecStart="/opt/node" "/opt/a \\"b\\" $$c 100%%/main.js" service run\n');
  expect(unit).toContain('Environment="OURO_HOME=/home/me/.ouro"\n');
});

test('a unit has a watchdog where there is a program to feed it', () => {
  expect(systemdUnit({ ...COMMAND, notifies: true })).toContain(
    'RestartSec=10\nNotifyAccess=all\nWatchdogSec=300\n\n[Install]\n',
  );
  expect(systemdUnit(COMMAND)).toContain('RestartSec=10\n\n[Install]\n');
});

test('a launchd agent leaves the sessions alone too, and its text is escaped', () => {
  const agent = launchdAgent({ ...COMMAND, home: '/Users/a&b' });
  expect(agent).toContain('<key>AbandonProcessGroup</key><true/>');
  expect(agent).toContain('<string>/Users/a&amp;b</string>');
});

test('install writes the unit and has it started, and a second time changes nothing', async () => {
  const { desk, asked } = managed();
  expect(isServiceInstalled(desk)).toBe(false);
  expect(await on('install', desk)).toBe(0);
  expect(desk.out.text).toContain('loginctl enable-linger');
  expect(readFileSync(unitOf(desk), 'utf8')).toContain(`OURO_HOME=${desk.home}`);
  expect(asked()).toEqual(['--user daemon-reload', '--user enable --now ouro.service']);
  if (process.platform === 'linux') expect(isServiceInstalled(desk)).toBe(true);
  const again = cleared(desk);
  expect(await on('install', again)).toBe(0);
  expect(again.out.text).toContain('installed already');
  expect(asked()).toHaveLength(3);
  expect(await on('status', cleared(desk))).toBe(0);
});

test('a unit for another program is said to be one, and is replaced', async () => {
  const { desk, asked } = managed();
  mkdirSync(dirname(unitOf(desk)), { recursive: true });
  writeFileSync(unitOf(desk), systemdUnit(COMMAND));
  expect(await on('status', desk)).toBe(1);
  expect(desk.out.text).toContain('another program');
  expect(await on('install', cleared(desk))).toBe(0);
  expect(asked()).toContain('--user disable --now ouro.service');
  expect(await on('status', cleared(desk))).toBe(0);
});

test('a manager that refuses is a failure, with its words and what to try', async () => {
  const { desk, fails } = managed();
  fails('daemon-reload');
  expect(await on('install', desk)).toBe(1);
  expect(desk.err.text).toContain('no bus');
  expect(desk.err.text).toContain('systemctl --user daemon-reload');
});

test('uninstall takes it away, also twice, and print touches nothing', async () => {
  const { desk, asked } = managed();
  expect(await on('print', desk)).toBe(0);
  expect(desk.out.text).toContain('[Service]');
  expect(existsSync(unitOf(desk))).toBe(false);
  await on('install', cleared(desk));
  expect(await on('uninstall', cleared(desk))).toBe(0);
  expect(existsSync(unitOf(desk))).toBe(false);
  expect(asked().at(-1)).toBe('--user disable --now ouro.service');
  const again = cleared(desk);
  expect(await on('uninstall', again)).toBe(0);
  expect(again.out.text).toContain('was not installed');
  expect(await on('status', cleared(desk))).toBe(1);
});

test('on a system without a known manager the way to do it by hand is named', async () => {
  const { desk } = managed();
  expect(await service('install', { platform: 'freebsd' }, desk)).toBe(1);
  expect(desk.err.text).toContain('ouro service run');
});
