/** Starts another program and waits for its end: the floor of every tool that does. */
import { spawn } from 'node:child_process';

/** Resolves with the exit code once all of the output has been read. */
export function runProgram(file: string, args: readonly string[], cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => void parts.push(part));
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
}
