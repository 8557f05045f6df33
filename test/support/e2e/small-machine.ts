/**
 * A place whose home and workspace are on a small disk of their own, in memory: what is run there sees it, and
 * nobody else. Needs bubblewrap, no rights.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { programFile } from './command-line.js';
import { newPlace, type Place } from './place.js';

export interface Said {
  readonly code: number;
  readonly stdout: string;
}

/** Nothing here takes a tenth of it on an idle machine. */
const LIMIT_MS = 50_000;

export class SmallMachine {
  readonly place: Place = newPlace();
  readonly #shell: ChildProcess;
  #said = '';
  #last: Promise<unknown> = Promise.resolve();

  constructor(bytes: number) {
    const { root, env } = this.place;
    const args = ['--dev-bind', '/', '/', '--size', `${bytes}`, '--tmpfs', root, 'bash'];
    this.#shell = spawn('bwrap', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#shell.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    onTestFinished(() => this.#end());
    void this.run(
      `mkdir '${join(root, 'work')}' '${join(root, 'user')}'; cd '${join(root, 'work')}'`,
    );
  }

  /** A line for bash, in the workspace; one after the other. */
  run(line: string): Promise<Said> {
    const said = this.#last.then(() => this.#run(line));
    this.#last = said.catch(() => undefined);
    return said;
  }

  /** Its stdout alone. */
  ouro(args: string): Promise<Said> {
    return this.run(`'${process.execPath}' '${programFile()}' ${args} 2>/dev/null </dev/null`);
  }

  async json<T>(args: string): Promise<T> {
    const { stdout } = await this.ouro(`${args} --json`);
    try {
      return JSON.parse(stdout) as T;
    } catch (cause) {
      throw new Error(`ouro ${args} --json printed no JSON: ${stdout}`, { cause });
    }
  }

  #run(line: string): Promise<Said> {
    const { stdin, stdout } = this.#shell;
    this.#said = '';
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        reject(new Error(`it did not end: ${line}\n${this.#said}`));
      }, LIMIT_MS);
      const look = (): void => {
        const end = /\n?~over (\d+)~\n$/.exec(this.#said);
        if (end === null) return;
        clearTimeout(limit);
        stdout?.off('data', look);
        resolve({ code: Number(end[1]), stdout: this.#said.slice(0, end.index) });
      };
      stdout?.on('data', look);
      stdin?.write(`${line}\necho "~over $?~"\n`);
    });
  }

  async #end(): Promise<void> {
    const ended = new Promise((resolve) => this.#shell.once('close', resolve));
    this.#shell.stdin?.end('exit\n');
    await ended;
  }
}

/** A test for machines that can have such a disk; skipped where there is none to be had. */
export function onSmallDisk(
  name: string,
  bytes: number,
  body: (machine: SmallMachine) => Promise<void>,
): void {
  test(name, async (context) => {
    const probe = ['--dev-bind', '/', '/', '--size', '1000000', '--tmpfs', '/mnt', 'true'];
    context.skip(spawnSync('bwrap', probe).status !== 0, 'no disk of its own can be had here');
    await body(new SmallMachine(bytes));
  });
}
