/**
 * Where attacks are tried: a workspace with a hostile neighbourhood, secrets in every place that has some, and
 * the tools of a session over it with their real judge and, where asked for, their real sandbox. After each
 * attempt `damage` says what it reached, by looking: files outside, and secrets in what came back or was kept.
 */
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MAIN_AGENT, type CallId, type SessionId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { createJudge, type JudgeOptions } from '../../src/permissions/judge.js';
import { openSandbox } from '../../src/sandbox/open-sandbox.js';
import { createToolBox } from '../../src/tools/toolbox.js';
import type { ToolBoxDeps } from '../../src/tools/toolbox-deps.js';
import { EVERYTHING } from '../tools/workbench.js';

/** None of them has a shape that would be recognised by itself. */
export const SECRETS = {
  environment: 'the-token-of-a-service-1',
  home: 'the-private-key-of-a-person-2',
  ouro: 'the-key-of-the-model-server-3',
  outside: 'the-notes-of-somebody-else-4',
} as const;

export interface GroundOptions {
  readonly confined: boolean;
  readonly rules?: Partial<Pick<JudgeOptions, 'allow' | 'ask' | 'deny' | 'mode'>>;
  readonly network?: boolean;
  readonly deps?: Partial<ToolBoxDeps>;
  readonly name?: string;
}

export interface Ground {
  readonly confined: boolean;
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
  readonly ouroHome: string;
  run(tool: string, args: unknown): Promise<ToolOutcome>;
  shell(command: string): Promise<ToolOutcome>;
  put(path: string, content: string | Uint8Array): string;
  /** What an attempt has changed or learned that it should not have; []: nothing. */
  damage(): readonly string[];
}

/** Not below /tmp, which the sandbox replaces. */
const BASE = '/var/tmp';

export async function newGround(options: GroundOptions): Promise<Ground> {
  const root = realpathSync(mkdtempSync(join(BASE, 'ouro-attack-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const place = (name: string): string => join(root, name);
  const workspace = place(options.name ?? 'work');
  const [outside, home, ouroHome] = [place('outside'), place('user'), place('ouro')];
  const put = (file: string, content: string | Uint8Array): string => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  mkdirSync(workspace);
  put(join(outside, 'secret.txt'), `${SECRETS.outside}\n`);
  put(join(`${workspace}-evil`, 'secret.txt'), `${SECRETS.outside}\n`);
  put(join(home, '.ssh', 'id'), `${SECRETS.home}\n`);
  put(join(ouroHome, '.env'), `OURO_API_KEY=${SECRETS.ouro}\n`);
  put(join(workspace, 'notes.txt'), 'plain notes\n');
  symlinkSync(join(outside, 'secret.txt'), join(workspace, 'file-link'));
  symlinkSync(outside, join(workspace, 'folder-link'));
  const before = picture([outside, `${workspace}-evil`, home, ouroHome]);
  const tools = await toolsOn({ workspace, home, ouroHome }, options);
  const heard: ToolOutcome[] = [];
  let calls = 0;
  const run: Ground['run'] = async (name, args) => {
    calls += 1;
    const id = `main_1_${calls}` as CallId;
    const context = {
      agent: MAIN_AGENT,
      round: 1,
      callId: id,
      signal: AbortSignal.timeout(50_000),
    };
    const parked = <T>(wait: () => Promise<T>): Promise<T> => wait();
    const { outcome, committed } = await tools.box.run({ id, name, args }, { ...context, parked });
    await committed;
    heard.push(outcome);
    return outcome;
  };
  return {
    ...{ confined: options.confined, workspace, outside, home, ouroHome, run },
    shell: (command) => run('shell', { command, timeout: 20 }),
    put: (path, content) => put(join(workspace, path), content),
    damage: () => {
      const after = picture([outside, `${workspace}-evil`, home, ouroHome]);
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (path) => before.get(path) !== after.get(path) && !path.startsWith(join(ouroHome, 'own')),
      );
      const kept = JSON.stringify([heard, tools.facts]);
      const learned = Object.values(SECRETS).filter((secret) => kept.includes(secret));
      return [...changed.map((path) => `changed ${path}`), ...learned.map((s) => `learned ${s}`)];
    },
  };
}

async function toolsOn(
  { workspace, home, ouroHome }: Pick<Ground, 'workspace' | 'home' | 'ouroHome'>,
  { confined, rules = {}, network = false, deps = {} }: GroundOptions,
) {
  const env = { PATH: process.env['PATH'], HOME: home, SERVICE_TOKEN: SECRETS.environment };
  const mode = confined ? 'require' : 'off';
  const tempDir = join(ouroHome, 'own', 'temp');
  const folders = { workspace, ouroHome, addDirs: [] };
  const opened = await openSandbox({ ...folders, mode, network, tempDir, env });
  if (!opened.ok) throw new Error(opened.reason);
  const created = createJudge({
    ...{ mode: 'default', allow: [], sandboxed: confined, workspace, ouroHome },
    ...rules,
  });
  if (!created.ok) throw new Error(created.message);
  const facts: JournalFact[] = [];
  const box = createToolBox({
    ...{ workspace, ouroHome, session: randomUUID() as SessionId, environment: env },
    ...EVERYTHING,
    spillDir: join(ouroHome, 'own', 'output'),
    journal: { append: (added) => Promise.resolve(facts.push(...added)) },
    time: { now: () => Date.now() },
    judge: created.judge,
    mayRead: created.mayRead,
    sandbox: opened.sandbox,
    limits: { toolTimeoutMs: 20_000, shellTimeoutMs: 20_000, maxResultBytes: 30_000 },
    kindOf: () => 'main',
    onDiscovery: () => undefined,
    delegate: () => Promise.resolve({ status: 'ok', text: '', truncated: false }),
    ...deps,
  });
  onTestFinished(() => box.terminateAll());
  return { box, facts };
}

/** Every path with what it holds. */
function picture(folders: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile()
        ? readFileSync(path, 'utf8')
        : entry.isSymbolicLink()
          ? readlinkSync(path)
          : '';
      found.set(path, content);
    }
  }
  return found;
}
