/** Folders and child processes that are gone when their test is over. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export function tempFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const fixture = (name: string): string =>
  fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));

/** `prepare` is a shell command that runs first, in the process that becomes the program. */
export function startFixture(
  name: string,
  args: readonly string[],
  prepare = 'true',
): ChildProcess {
  const run = [process.execPath, '--import', 'tsx', fixture(name), ...args];
  const child = spawn('bash', ['-c', `${prepare} && exec "$@"`, 'bash', ...run], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Everything the child printed until it ended. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await ended(child);
  return text;
}

export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('close', (code) => resolve(code)));

/** Resolves with the text so far, once it holds what is looked for. */
export function prints(child: ChildProcess, wanted: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (wanted(text)) resolve(text);
    });
    child.once('close', () => reject(new Error(`it ended after printing: ${text.slice(-500)}`)));
  });
}
