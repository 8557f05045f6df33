/**
 * A tool box on a real temporary workspace. The journal keeps its rows in memory and tells in which order
 * things happened; everything else is the real thing.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CallContext, FinishedCall, PermissionRequest } from '../../actors/ports.js';
import { MAIN_AGENT, type AgentId, type CallId, type SessionId } from '../../messages/ids.js';
import type { Discovery, JournalFact } from '../../messages/journal.js';
import type { SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import type { ToolBoxDeps } from '../../src/tools/toolbox-deps.js';
import { createToolBox, type SessionToolBox } from '../../src/tools/toolbox.js';

export const EXPLORER = 'sub-1' as AgentId;

export interface Workbench {
  readonly session: SessionId;
  readonly workspace: string;
  readonly outside: string;
  readonly ouroHome: string;
  readonly spillDir: string;
  readonly tools: SessionToolBox;
  readonly facts: JournalFact[];
  readonly judged: PermissionRequest[];
  readonly discoveries: Discovery[];
  readonly delegated: SubAgentTask[];
  /** Runs one call; its outcome is committed when this resolves. */
  run(name: string, args: unknown, options?: RunOptions): Promise<ToolOutcome>;
  start(name: string, args: unknown, options?: RunOptions): Promise<FinishedCall>;
  /** Puts a file into the workspace and returns its path. */
  write(path: string, content: string | Uint8Array): string;
  /** Makes something look as if it had been as it is for a while; results about it can be remembered. */
  age(...paths: string[]): void;
}

export interface RunOptions {
  readonly agent?: AgentId;
  readonly signal?: AbortSignal;
  readonly invalid?: string;
  readonly cut?: true;
  readonly round?: number;
  readonly parked?: CallContext['parked'];
}

export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `ouro-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What lets a session have every tool; nobody answers and nothing is found. */
export const EVERYTHING = {
  onTodos: () => Promise.resolve(),
  onProcess: () => Promise.resolve(),
  wait: () => Promise.resolve('user_resumed'),
  checkAgent: () => Promise.resolve(NOTHING),
  askUser: () => Promise.resolve({ status: 'skipped' }),
  web: { fetch: () => Promise.resolve(NOTHING), search: () => Promise.resolve(NOTHING) },
} satisfies Partial<ToolBoxDeps>;

const NOTHING: ToolOutcome = { status: 'ok', text: 'nothing', truncated: false };

const unparked: CallContext['parked'] = (wait) => wait();

export function workbench(overrides: Partial<ToolBoxDeps> = {}): Workbench {
  const root = temporaryFolder('tools');
  const [workspace, outside, ouroHome] = ['workspace', 'outside', 'home'].map((name) => {
    mkdirSync(join(root, name));
    return join(root, name);
  }) as [string, string, string];
  const spillDir = join(ouroHome, 'spill');
  // A session of its own: ending one bench's processes must not end another's.
  const session = randomUUID() as SessionId;
  const facts: JournalFact[] = [];
  const judged: PermissionRequest[] = [];
  const discoveries: Discovery[] = [];
  const delegated: SubAgentTask[] = [];
  const tools = createToolBox({
    workspace,
    ouroHome,
    session,
    spillDir,
    journal: {
      append: (added) => {
        facts.push(...added);
        return Promise.resolve(facts.length);
      },
    },
    time: { now: () => Date.now() },
    judge: {
      judge: (request) => {
        judged.push(request);
        return { allowed: true, rule: 'test' };
      },
    },
    limits: { toolTimeoutMs: 60_000, shellTimeoutMs: 120_000, maxResultBytes: 30_000 },
    environment: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    kindOf: (agent) => (agent === MAIN_AGENT ? 'main' : 'explore'),
    onDiscovery: (_agent, _round, discovery) => discoveries.push(discovery),
    delegate: (task) => {
      delegated.push(task);
      return Promise.resolve({ status: 'ok', text: 'found it', truncated: false });
    },
    ...overrides,
  });
  onTestFinished(() => tools.terminateAll());
  let calls = 0;
  const start = (name: string, args: unknown, options: RunOptions = {}): Promise<FinishedCall> => {
    calls += 1;
    const { agent = MAIN_AGENT, signal = new AbortController().signal, invalid, cut } = options;
    const id = `${agent}_1_${calls}` as CallId;
    const { round = 1, parked = unparked } = options;
    const context: CallContext = { agent, round, callId: id, signal, parked };
    const broken = {
      ...(invalid === undefined ? {} : { invalid }),
      ...(cut === undefined ? {} : { cut }),
    };
    return tools.run({ id, name, args, ...broken }, context);
  };
  return {
    session,
    workspace,
    outside,
    ouroHome,
    spillDir,
    tools,
    facts,
    judged,
    discoveries,
    delegated,
    start,
    async run(name, args, options) {
      const { outcome, committed } = await start(name, args, options);
      await committed;
      return outcome;
    },
    write(path, content) {
      const file = join(workspace, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    age(...paths) {
      const then = new Date(Date.now() - 60_000);
      for (const path of paths) utimesSync(join(workspace, path), then, then);
    },
  };
}
