/** The dashboard on a real terminal. Without tmux there is none to try it on. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const available = spawnSync('tmux', ['-V']).status === 0;
const SCRIPT = join(import.meta.dirname, 'tmux-session.ts');
const WAIT = { timeout: 40_000, interval: 100 };

let folder = '';
let socket = '';

const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
const screen = (): string => tmux('capture-pane', '-p');
const shows = (text: string): Promise<void> =>
  vi.waitFor(() => expect(screen()).toContain(text), WAIT);
const press = (...keys: string[]): string => tmux('send-keys', ...keys);
const type = (text: string): string => tmux('send-keys', '-l', text);

/** The process id, then what it was asked. */
const recorded = (): string[] => readFileSync(join(folder, 'asked'), 'utf8').split('\n');
const signal = (name: NodeJS.Signals): boolean => process.kill(Number(recorded()[0]), name);

/** A shell with job control in which the dashboard is started. */
async function begin(mode: 'run' | 'attach'): Promise<void> {
  tmux('new-session', '-d', '-x', '80', '-y', '24', 'bash', '--norc', '--noprofile');
  tmux('set-option', '-g', 'escape-time', '10');
  const record = join(folder, 'asked');
  writeFileSync(record, '');
  type(`PS1='ready> '; ${process.execPath} --import tsx ${SCRIPT} ${mode} ${record}`);
  press('Enter');
  await shows('being written now');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  socket = join(folder, 'tmux');
});
afterEach(() => {
  spawnSync('tmux', ['-S', socket, 'kill-server']);
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!available)(
  'on a real terminal it draws, resizes, sends, and gives everything back',
  async () => {
    await begin('attach');
    expect(screen()).toContain('漢字テスト and');
    expect(tmux('display-message', '-p', '#{pane_title}')).toContain('ouro: survey running');
    tmux('resize-window', '-x', '40', '-y', '12');
    await vi.waitFor(() => expect(screen()).not.toContain('│'), WAIT);
    tmux('resize-window', '-x', '100', '-y', '30');
    await shows('Discoveries');
    press('i');
    type('grüße 漢字');
    press('M-Enter');
    await vi.waitFor(() => {
      const [, first = ''] = recorded();
      expect(JSON.parse(first)).toEqual({ do: 'send', text: 'grüße 漢字', mode: 'queue' });
    }, WAIT);
    press('q');
    await shows('left: {"kind":"left"}');
    expect(screen()).not.toContain('Discoveries');
    expect(tmux('display-message', '-p', '#{pane_title}')).not.toContain('ouro');
    type('stty -a');
    press('Enter');
    await shows(' echo ');
  },
);

test.skipIf(!available)('Ctrl+Z goes to the shell and fg comes back', async () => {
  await begin('run');
  press('C-z');
  await shows('Stopped');
  expect(screen()).not.toContain('Discoveries');
  type('fg');
  press('Enter');
  await shows('Discoveries');
  press('C-c');
  await shows('again within 2 s stops the session');
  press('C-c');
  await shows('left: {"kind":"stopped-by-user"}');
});

test.skipIf(!available)(
  'an exception that nobody caught is shown on a terminal that works',
  async () => {
    await begin('attach');
    signal('SIGUSR2');
    await shows('a defect somewhere else');
    await shows('ready>');
    expect(screen()).not.toContain('Discoveries');
    type('stty -a');
    press('Enter');
    await shows(' echo ');
  },
);

test.skipIf(!available)('a terminal that closes ends the dashboard', async () => {
  await begin('attach');
  const pid = Number(recorded()[0]);
  tmux('kill-server');
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), WAIT);
});
