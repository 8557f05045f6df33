/** The operator's hooks of one session, tied to its mesh. Loaded only where hooks are configured. */
import type { LifecycleHooks, Time, ToolHooks } from '../actors/ports.js';
import type { Environment } from '../config/home.js';
import type { HookFact, HookSettings } from '../messages/hooks.js';
import { hookText } from '../messages/hooks.js';
import type { CallId } from '../messages/ids.js';
import { holdKey } from '../messages/pause.js';
import { promptOf } from '../messages/questions.js';
import type { RunResult } from '../messages/result.js';
import type { EndStatus, SessionSpec } from '../messages/session.js';
import { sanitiseLine } from '../tui/text/sanitise.js';
import { HookChain } from './hooks/hook-chain.js';
import { lifecycleHooks, type SessionHooks } from './hooks/lifecycle-hooks.js';
import type { HookShell } from './hooks/run-hook.js';
import { toolHooks } from './hooks/tool-hooks.js';
import type { Mesh } from './session/mesh.js';
import { withoutSecrets } from './tools/child-environment.js';
import { exitCode, ProcessGroups } from './tools/process.js';
import { redactor } from './tools/redaction.js';
import { launchOf } from './tools/shell-launch.js';

export interface SessionHooksParts {
  readonly settings: HookSettings;
  readonly spec: Pick<SessionSpec, 'id' | 'workspace'>;
  readonly source: 'startup' | 'resume';
  readonly goal: string;
  readonly env: Environment;
  readonly time: Time;
  /** False: the mesh is closed, and nobody listens any more. */
  readonly tell: (fact: HookFact) => Promise<boolean>;
}

export interface HooksOfSession {
  /** Undefined: none is about tools. */
  readonly tools: ToolHooks | undefined;
  readonly lifecycle: LifecycleHooks;
  /** Before anything else is done. */
  begin(signal: AbortSignal): Promise<void>;
  /** Has notifications go out for what the mesh says. */
  observe(facts: Mesh['facts']): void;
  /** Ends the notifications that still run. */
  endAll(): void;
  /** Once the result has been told; takes a bounded time. */
  end(result: RunResult): Promise<void>;
}

/** Endings after which the process has to be gone soon. */
const SIGNALS: readonly EndStatus[] = ['hangup', 'interrupted', 'terminated'];

export function sessionHooks(parts: SessionHooksParts): HooksOfSession {
  const { settings, spec, source, goal, env, time } = parts;
  const chain = new HookChain({
    settings,
    session: spec.id,
    workspace: spec.workspace,
    shell: hookShell(parts),
    redact: redactor(env),
    time,
    tell: (fact) => void report(parts, fact),
  });
  const lifecycle = lifecycleHooks(chain);
  const isAboutTools = chain.hasHooks('PreToolUse') || chain.hasHooks('PostToolUse');
  return {
    tools: isAboutTools ? toolHooks(chain) : undefined,
    lifecycle,
    begin: (signal) => lifecycle.begin(source, goal, signal),
    endAll: () => lifecycle.endAll(),
    end: (result) => lifecycle.end(result, SIGNALS.includes(result.status)),
    observe: (facts) => {
      if (chain.hasHooks('Notification')) notifyOf(facts, lifecycle);
    },
  };
}

/** What happens after the mesh has closed would be seen by nobody. */
async function report(parts: SessionHooksParts, fact: HookFact): Promise<void> {
  if ((await parts.tell(fact)) || fact.verdict === 'passed') return;
  process.stderr.write(`ouro: ${sanitiseLine(hookText(fact))}\n`);
}

/** Outside of the sandbox: these are the operator's own commands. */
function hookShell({ spec, env }: Pick<SessionHooksParts, 'spec' | 'env'>): HookShell {
  const groups = new ProcessGroups();
  const environment = withoutSecrets(env);
  const { id: session, workspace } = spec;
  const leaders = new Map<object, number>();
  // The process may have to go before a hook does.
  const onExit = (): void => {
    for (const leader of leaders.values()) killGroup(leader);
  };
  let running = 0;
  return async (run) => {
    const about = { text: '', cwd: workspace, callId: run.id as CallId, script: run.command };
    const launch = launchOf({ session, environment, sandbox: null }, about);
    let isOver = false;
    if ((running += 1) === 1) process.on('exit', onExit);
    const end = await groups.run({
      ...launch,
      env: { ...launch.env, ...run.variables },
      input: (stdin) => run.input(stdin),
      output: (chunk, from) => run.output(chunk, from),
      signal: run.signal,
      // It may come late: the start time is asked for meanwhile.
      started: (pid) => {
        if (!isOver) leaders.set(run, pid);
      },
    });
    isOver = true;
    leaders.delete(run);
    if ((running -= 1) === 0) process.off('exit', onExit);
    return end.kind === 'exited' ? { kind: 'exited', exitCode: exitCode(end.exit) } : end;
  };
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** Questions, and holds that are not a question's. */
function notifyOf(facts: Mesh['facts'], hooks: SessionHooks): void {
  let known = new Set<string>();
  facts.on((fact) => {
    if (fact.type === 'question.opened') {
      const { id, agent } = fact.question;
      hooks.notify('question', promptOf(fact.question), { question: id, asked_by: agent });
    } else if (fact.type === 'pause.changed') {
      for (const hold of fact.holds) {
        const { kind, reason, release } = hold;
        if (kind !== 'question' && !known.has(holdKey(hold)))
          hooks.notify('hold', reason, { hold: kind, release });
      }
      known = new Set(fact.holds.map(holdKey));
    }
  });
}
