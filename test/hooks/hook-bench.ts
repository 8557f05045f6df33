/** The hooks of a session as the daemon has them, over real commands in a temporary workspace. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HookedCall, HookVerdict } from '../../actors/ports.js';
import type { HookCommand, HookEvent, HookFact } from '../../messages/hooks.js';
import { MAIN_AGENT, type AgentId, type CallId } from '../../messages/ids.js';
import { sessionHooks, type HooksOfSession } from '../../src/session-hooks.js';
import { specOf } from '../support/session-samples.js';

export interface HookBench {
  readonly workspace: string;
  readonly hooks: HooksOfSession;
  readonly facts: HookFact[];
  readonly told: () => readonly string[];
  before(tool: string, args?: unknown, signal?: AbortSignal): Promise<HookVerdict>;
  after(tool: string, result: string): Promise<string | null>;
  stop(agent?: AgentId): ReturnType<HooksOfSession['lifecycle']['onStop']>;
  /** The objects that hooks wrote into a file of the workspace with `cat >> NAME`. */
  seen(name: string): readonly Readonly<Record<string, unknown>>[];
}

export const hook = (command: string, more: Partial<HookCommand> = {}): HookCommand => ({
  command,
  matcher: null,
  timeoutMs: 30_000,
  onError: 'warn',
  ...more,
});

export const never = new AbortController().signal;

const callOf = (tool: string, args: unknown): HookedCall => ({
  callId: 'main_1_1' as CallId,
  agent: MAIN_AGENT,
  round: 1,
  tool,
  args,
});

export function hookBench(
  settings: Partial<Record<HookEvent, readonly (string | HookCommand)[]>>,
  env: Readonly<Record<string, string>> = {},
): HookBench {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'ouro-hooks-')));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true, maxRetries: 5 }));
  const facts: HookFact[] = [];
  const listed = Object.entries(settings).map(([event, hooks]) => {
    return [event, hooks.map((one) => (typeof one === 'string' ? hook(one) : one))] as const;
  });
  const hooks = sessionHooks({
    settings: Object.fromEntries(listed),
    spec: { ...specOf(), workspace },
    source: 'startup',
    goal: 'tidy up',
    env: { PATH: process.env['PATH'] ?? '', ...env },
    time: { now: () => Date.now() },
    tell: (fact) => {
      facts.push(fact);
      return Promise.resolve(true);
    },
  });
  const { tools, lifecycle } = hooks;
  return {
    workspace,
    hooks,
    facts,
    told: () => facts.map(({ event, verdict, text }) => `${event} ${verdict}: ${text}`),
    before: async (tool, args = {}, signal = never) => {
      return (await tools?.before(callOf(tool, args), signal)) ?? { decision: 'go', message: null };
    },
    after: async (tool, text) => {
      const outcome = { status: 'ok', text, truncated: false } as const;
      return (await tools?.after(callOf(tool, { path: 'a' }), outcome, never)) ?? null;
    },
    stop: (agent = MAIN_AGENT) =>
      lifecycle.onStop({ agent, round: 3, text: 'All done.', outcome: 'done' }, never),
    seen: (name) => {
      const file = join(workspace, name);
      const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
      return text === ''
        ? []
        : text.split('\n').map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    },
  };
}
