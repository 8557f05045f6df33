/**
 * A sandbox around real folders, outside of `/tmp`, which the sandbox replaces. Where none works, the tests
 * that need one are skipped, and say why.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished, test, type TestContext } from 'vitest';
import type { CommandSandbox, Launch } from '../../actors/ports.js';
import { sandboxReport } from '../../src/sandbox/check.js';
import { openSandbox, type SandboxOptions } from '../../src/sandbox/open-sandbox.js';

const OUTSIDE_OF_TMP = '/var/tmp';

export interface Playground {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly ouroHome: string;
  readonly options: SandboxOptions;
}

export function playground(
  overrides: Partial<SandboxOptions> = {},
  base = OUTSIDE_OF_TMP,
): Playground {
  const root = realpathSync(mkdtempSync(join(base, 'ouro-sandbox-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, home, ouroHome] = ['workspace', 'home', 'ouro'].map((name) => {
    mkdirSync(join(root, name));
    return join(root, name);
  }) as [string, string, string];
  const tempDir = join(ouroHome, 'sessions', 'one', 'temp');
  const env = { PATH: process.env['PATH'], HOME: home };
  const options: SandboxOptions = {
    ...{ mode: 'require', network: false, addDirs: [], workspace, ouroHome, tempDir, env },
    ...overrides,
  };
  return { root, workspace: options.workspace, home, ouroHome, options };
}

export async function opened(options: SandboxOptions): Promise<CommandSandbox> {
  const result = await openSandbox(options);
  if (!result.ok) throw new Error(result.reason);
  if (result.sandbox === null) throw new Error('no sandbox');
  return result.sandbox;
}

/** Runs in a shell in the workspace, each command in a sandbox of its own over the same folders. */
export async function shellIn(place: Playground): Promise<(command: string) => Promise<Ended>> {
  const sandbox = await opened(place.options);
  return (command) => ended(start(sandbox, launchOf(place, command)));
}

export const launchOf = ({ workspace, options }: Playground, command: string): Launch => ({
  file: 'bash',
  args: ['-c', command],
  cwd: workspace,
  env: options.env,
});

export interface StartOptions {
  readonly extraFile?: number;
  readonly uid?: number;
}

/** As the shell tool does it: a group of its own, and a file at descriptor 3. */
export function start(
  sandbox: CommandSandbox,
  launch: Launch,
  { extraFile, uid }: StartOptions = {},
): ChildProcess {
  const { file, args, cwd, env } = sandbox.wrap(launch);
  const child = spawn(file, args, {
    ...{ cwd, env, detached: true },
    stdio: ['pipe', 'pipe', 'pipe', ...(extraFile === undefined ? [] : [extraFile])],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export function ended(child: ChildProcess): Promise<Ended> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** Processes that carry `text` in their environment, as the host sees them. */
export function carriersOf(text: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(text);
    } catch {
      return false;
    }
  });
}

/** Fails by the time limit of its test. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

/** Null: bubblewrap works here. */
export const whyNot = await reasonAgainst();

async function reasonAgainst(): Promise<string | null> {
  if (process.platform !== 'linux') return 'bubblewrap is for Linux';
  const folder = realpathSync(mkdtempSync(join(OUTSIDE_OF_TMP, 'ouro-sandbox-')));
  const env = { PATH: process.env['PATH'], HOME: folder };
  const place = { workspace: folder, addDirs: [], ouroHome: join(folder, 'ouro') };
  const report = await sandboxReport({ network: false, env, ...place });
  rmSync(folder, { recursive: true });
  return report.works ? null : report.reason;
}

/** A test that needs bubblewrap. */
export function confined(name: string, body: (context: TestContext) => Promise<void>): void {
  test(name, async (context) => {
    context.skip(whyNot !== null, `no sandbox here: ${whyNot ?? ''}`);
    await body(context);
  });
}
