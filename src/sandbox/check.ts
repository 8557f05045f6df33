/** Whether commands can be confined on this machine, for whoever asks before a session does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSandbox } from './find-sandbox.js';
import type { SandboxRequest } from './ground.js';
import { tryOut } from './probe.js';

export type SandboxReport =
  | {
      readonly works: true;
      readonly kind: 'bubblewrap' | 'sandbox-exec';
      readonly program: string;
      /** As the program says it; null: it has none to say. */
      readonly version: string | null;
    }
  | {
      readonly works: false;
      readonly reason: string;
      /** What would change it; reads on after "To change this,". */
      readonly remedy: string;
    };

/** Runs a command in the sandbox that a session with these folders would get, and leaves nothing behind. */
export async function sandboxReport(
  request: Omit<SandboxRequest, 'tempDir'>,
): Promise<SandboxReport> {
  const tempDir = mkdtempSync(join(tmpdir(), 'ouro-check-'));
  try {
    const found = await findSandbox({ ...request, tempDir });
    if (!found.works) return found;
    const { kind } = found.sandbox;
    const version = kind === 'bubblewrap' ? await versionOf(found.program, request.env) : null;
    return { works: true, kind, program: found.program, version };
  } finally {
    rmSync(tempDir, { recursive: true, force: true });
  }
}

async function versionOf(program: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const trial = await tryOut({ file: program, args: ['--version'], cwd: '/', env });
  return trial.ok ? trial.output.trim() : null;
}
