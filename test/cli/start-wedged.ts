/** Starts a session whose process lives and hears nobody. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { sessionDir, sessionLock } from '../../src/store/layout.js';
import { identityOf } from '../../src/store/process-identity.js';
import { prints } from '../store/temp-folder.js';
import type { Desk } from './fake-session.js';

/** A process that hangs, and the pid of a program that it has started. */
export async function startWedged(
  desk: Desk,
  id: SessionId,
): Promise<{ process: ChildProcess; program: number }> {
  mkdirSync(sessionDir(desk.home, id), { recursive: true });
  const file = fileURLToPath(new URL('fixtures/wedged-session.ts', import.meta.url));
  const args = ['--import', 'tsx', file, sessionLock(desk.home, id), id];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const program = Number(await prints(child, (text) => text.endsWith('\n')));
  onTestFinished(() => {
    if (identityOf(program) !== null) process.kill(program, 'SIGKILL');
  });
  return { process: child, program };
}
