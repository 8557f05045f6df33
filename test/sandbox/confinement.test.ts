import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { confined, ended, launchOf, opened, playground, shellIn, start } from './playground.js';

confined('a command writes in the workspace and in added folders, and nowhere else', async () => {
  const place = playground();
  const added = join(place.root, 'added');
  mkdirSync(added);
  const options = { ...place.options, addDirs: [added] };
  const run = await shellIn({ ...place, options });
  expect(await run(`echo 1 > inside; echo 2 > ${added}/too`)).toEqual({ code: 0, output: '' });
  expect(readFileSync(join(place.workspace, 'inside'), 'utf8')).toBe('1\n');
  expect(readFileSync(join(added, 'too'), 'utf8')).toBe('2\n');
  for (const path of [`${place.root}/outside`, `${place.home}/x`, '/usr/x', '/etc/x', '/x']) {
    const { code, output } = await run(`echo 3 > ${path}`);
    expect([code, output]).toEqual([1, expect.stringContaining('Read-only file system')]);
  }
});

confined(
  'the temporary folder is the session’s own and lasts from command to command',
  async () => {
    const place = playground();
    const run = await shellIn(place);
    const secret = join(tmpdir(), `ouro-sandbox-${process.pid}`);
    writeFileSync(secret, 'of somebody else');
    onTestFinished(() => rmSync(secret));
    expect(await run(`cat ${secret}`)).toMatchObject({ code: 1 });
    // A name that nobody else on the machine has used.
    const own = `own-${randomUUID()}`;
    const kept = { code: 0, output: 'kept\n' };
    expect(await run(`echo kept > $TMPDIR/${own} && cat /tmp/${own}`)).toEqual(kept);
    expect(await run(`cat /tmp/${own}`)).toEqual(kept);
    expect(existsSync(`/tmp/${own}`)).toBe(false);
  },
);

confined('a workspace in the temporary folder of the machine is there all the same', async () => {
  const place = playground({}, tmpdir());
  const run = await shellIn(place);
  expect(await run('pwd -P; echo 1 > inside')).toEqual({ code: 0, output: `${place.workspace}\n` });
  expect(existsSync(join(place.workspace, 'inside'))).toBe(true);
  expect(await run(`cat ${place.ouroHome}/x; ls ${place.root}`)).toEqual({
    code: 0,
    output: expect.stringMatching(/No such file or directory\nworkspace\n$/) as string,
  });
});

confined('keys, tokens, ouro’s own home and the sockets in /run cannot be seen', async () => {
  const place = playground();
  for (const name of ['.ssh', '.aws', '.gnupg', '.docker', '.config/gcloud']) {
    mkdirSync(join(place.home, name), { recursive: true });
    writeFileSync(join(place.home, name, 'key'), 'SECRET');
  }
  for (const name of ['.netrc', '.npmrc']) writeFileSync(join(place.home, name), 'SECRET');
  writeFileSync(join(place.home, '.gitconfig'), '[user] name = me\n');
  writeFileSync(join(place.ouroHome, 'token'), 'SECRET');
  const run = await shellIn(place);
  const { output } = await run(
    `cat ~/.[a-z]*/* ~/.config/*/* ~/.netrc ~/.npmrc ${place.ouroHome}/*`,
  );
  expect(output).not.toContain('SECRET');
  expect(await run(`ls -A /run ~/.ssh ${place.ouroHome} && cat ~/.gitconfig`)).toEqual({
    code: 0,
    output: `/run:\n\n${place.home}/.ssh:\n\n${place.ouroHome}:\n[user] name = me\n`,
  });
  expect(await run('echo x >> ~/.ssh/authorized_keys')).toMatchObject({ code: 1 });
});

confined('a workspace that holds keys and ouro’s home neither shows nor loses them', async () => {
  const place = playground();
  mkdirSync(join(place.root, 'home/.config/gcloud'), { recursive: true });
  writeFileSync(join(place.root, 'home/.config/gcloud/key'), 'SECRET');
  writeFileSync(join(place.ouroHome, 'token'), 'SECRET');
  const options = { ...place.options, workspace: place.root };
  const run = await shellIn({ ...place, options, workspace: place.root });
  expect((await run('mv home/.config moved; mv ouro elsewhere')).output).toMatch(/(busy[^]*){2}/);
  expect(await run('grep -rs SECRET .')).toEqual({ code: 1, output: '' });
  expect(await run('echo 1 > home/new')).toMatchObject({ code: 0 });
  expect(existsSync(join(place.root, 'home/.config/gcloud/key'))).toBe(true);
});

confined('a workspace inside of ouro’s home is open, what lies around it is not', async () => {
  const place = playground();
  const workspace = join(place.ouroHome, 'worktrees', 'one');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(place.ouroHome, 'token'), 'SECRET');
  const inner = { ...place, workspace, options: { ...place.options, workspace } };
  const run = await shellIn(inner);
  expect(await run(`echo 1 > a; ls ../..`)).toEqual({ code: 0, output: 'worktrees\n' });
});

confined('a home reached through a link is hidden where it really is', async () => {
  const place = playground();
  mkdirSync(join(place.root, 'keys'));
  writeFileSync(join(place.root, 'keys', 'key'), 'SECRET');
  symlinkSync(join(place.root, 'keys'), join(place.home, '.ssh'));
  const run = await shellIn(place);
  expect((await run(`cat ~/.ssh/key ${place.root}/keys/key`)).output).not.toContain('SECRET');
});

confined('a server on the machine is reached only with the network on', async () => {
  const server = createServer((socket) => socket.end('hello'));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const ask = `exec 4<>/dev/tcp/127.0.0.1/${address.port} && cat <&4`;
  const off = await (await shellIn(playground()))(ask);
  expect([off.code, off.output]).toEqual([1, expect.stringContaining('Connection refused')]);
  const on = await (await shellIn(playground({ network: true })))(ask);
  expect(on).toEqual({ code: 0, output: 'hello' });
});

confined('with the network on, names are looked up where the machine does it', async () => {
  const run = await shellIn(playground({ network: true }));
  const { output } = await run('cat /etc/resolv.conf; ls -A /run');
  expect(output).toContain(readFileSync('/etc/resolv.conf', 'utf8'));
});

confined('other processes and their environment cannot be seen', async () => {
  const env = { PATH: process.env['PATH'], MARK: 'of-another-process' };
  const other = spawn('sleep', ['600'], { env, stdio: 'ignore' });
  onTestFinished(() => void other.kill('SIGKILL'));
  const run = await shellIn(playground());
  const { output } = await run(
    'cat /proc/[0-9]*/environ | tr "\\0" "\\n"; echo; echo /proc/[0-9]*',
  );
  expect(output).not.toContain('of-another-process');
  expect(output.trim().split('\n').at(-1)?.split(' ').length).toBeLessThan(8);
});

confined('a command has no privileges, even as root', async () => {
  const run = await shellIn(playground());
  const { output } = await run(
    'grep -E "Cap(Eff|Prm)|NoNewPrivs" /proc/self/status; mount -t tmpfs x .',
  );
  expect(output).toMatch(/CapPrm:\t0+\nCapEff:\t0+\nNoNewPrivs:\t1\n.+/);
});

confined('it works for a user without privileges', async (context) => {
  context.skip(process.getuid?.() !== 0, 'only root can become somebody else');
  const place = playground();
  // Folders of programs below /tmp would be made in there by root, who opens the sandbox here.
  const env = { ...place.options.env, PATH: '/usr/bin:/bin' };
  const sandbox = await opened({ ...place.options, env });
  const NOBODY = 65_534;
  const own = [place.root, place.workspace, place.ouroHome, join(place.ouroHome, 'sessions')];
  const temp = [join(place.ouroHome, 'sessions/one'), place.options.tempDir];
  const files = ['tmp', 'empty'].map((name) => join(place.options.tempDir, name));
  for (const path of [...own, ...temp, ...files]) chownSync(path, NOBODY, NOBODY);
  const command = 'id -u; echo 1 > inside && echo 2 > $TMPDIR/x && echo 3 > /etc/x';
  const child = start(sandbox, launchOf(place, command), { uid: NOBODY });
  const { code, output } = await ended(child);
  expect([code, output]).toEqual([1, expect.stringMatching(/^65534\n.*(Read-only|denied)/)]);
  expect(existsSync(join(place.workspace, 'inside'))).toBe(true);
});

confined('the key agent is out of reach, and programs beside it are found', async () => {
  const place = playground();
  const runtime = join(place.root, 'runtime');
  mkdirSync(join(runtime, 'bin'), { recursive: true });
  writeFileSync(join(runtime, 'bin', 'greet'), '#!/bin/sh\necho hello\n', { mode: 0o755 });
  const socket = join(place.home, 'agent.sock');
  const agent = createServer();
  onTestFinished(() => void agent.close());
  await new Promise<void>((resolve) => agent.listen(socket, resolve));
  const PATH = `${process.env['PATH'] ?? ''}:${join(runtime, 'bin')}`;
  const env = { ...place.options.env, PATH, XDG_RUNTIME_DIR: runtime, SSH_AUTH_SOCK: socket };
  const run = await shellIn({ ...place, options: { ...place.options, env } });
  expect(await run(`greet; ls ${runtime}; test -S ${socket} || echo none`)).toEqual({
    code: 0,
    output: 'hello\nbin\nnone\n',
  });
});
