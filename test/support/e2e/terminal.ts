/**
 * A real terminal: a tmux server of its own, with a shell in which the program is started as a person would.
 * Gone with its test. `hasTmux` says whether there can be one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { programFile } from './command-line.js';
import type { Place } from './place.js';
import { eventually } from './poll.js';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

const SIZE = { width: 100, height: 30 };
const PROMPT = 'ready>';

export class Terminal {
  readonly #place: Place;
  readonly #name = `ouro-e2e-${randomUUID().slice(0, 8)}`;
  #runs = 0;

  private constructor(place: Place) {
    this.#place = place;
    onTestFinished(() => {
      spawnSync('tmux', ['-L', this.#name, 'kill-server'], { env: this.#env });
    });
    const shell = ['env', `PS1=${PROMPT} `, 'bash', '--norc', '--noprofile'];
    const size = ['-x', String(SIZE.width), '-y', String(SIZE.height)];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-c', place.workspace, ...size, ...shell);
    this.#tmux('set-option', '-g', 'escape-time', '10');
  }

  static async open(place: Place): Promise<Terminal> {
    const terminal = new Terminal(place);
    await terminal.shows(PROMPT);
    return terminal;
  }

  get #env(): NodeJS.ProcessEnv {
    return { ...this.#place.env, TMUX_TMPDIR: this.#place.root };
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#name, ...args], { encoding: 'utf8', env: this.#env });
  }

  /** What is on it now, without blanks at the ends of lines. */
  get screen(): string {
    return this.#tmux('capture-pane', '-p').trimEnd();
  }

  get cursorIsShown(): boolean {
    return this.#tmux('display-message', '-p', '#{cursor_flag}').trim() === '1';
  }

  get isAlternate(): boolean {
    return this.#tmux('display-message', '-p', '#{alternate_on}').trim() === '1';
  }

  press(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  /** A line for the shell. */
  enter(line: string): void {
    this.type(line);
    this.press('Enter');
  }

  /** Starts the program in the shell; `exitCode` waits for its end. */
  ouro(...args: readonly string[]): void {
    const words = [process.execPath, programFile(), ...args].map((word) => `'${word}'`);
    this.#runs += 1;
    this.enter(`${words.join(' ')}; echo "run ${this.#runs} ended with $?."`);
  }

  /** The window is closed, with whatever runs in it. */
  close(): void {
    this.#tmux('kill-server');
  }

  resize(width: number, height: number): void {
    this.#tmux('resize-window', '-x', String(width), '-y', String(height));
  }

  shows(text: string | RegExp): Promise<string> {
    return this.#seen(String(text), (screen) => screen.search(patternOf(text)) >= 0);
  }

  hides(text: string): Promise<string> {
    return this.#seen(`no ${text}`, (screen) => !screen.includes(text));
  }

  /** The exit code of what was started last with `ouro`, once it has ended. */
  async exitCode(): Promise<number> {
    const end = new RegExp(`^run ${this.#runs} ended with (\\d+)\\.$`, 'm');
    return Number(end.exec(await this.shows(end))?.[1]);
  }

  /** The settings of the line, as `stty -a` prints them. */
  async settings(): Promise<string> {
    const file = join(this.#place.root, `stty-${randomUUID()}`);
    this.enter(`stty -a > ${file}.new; mv ${file}.new ${file}`);
    return eventually(
      'stty',
      () => spawnSync('cat', [file]).status === 0 && readFileSync(file, 'utf8'),
    );
  }

  async #seen(what: string, wanted: (screen: string) => boolean): Promise<string> {
    let last = '';
    try {
      return await eventually(what, () => {
        last = this.screen;
        return wanted(last) ? last : null;
      });
    } catch {
      return expect.fail(`waited in vain for ${what} on this screen:\n${last}`);
    }
  }
}

const patternOf = (text: string | RegExp): RegExp =>
  typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
