/** The toolbox of a session in this process, with a real journal, for what is measured below the model. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CallContext, CommandSandbox, Journal, ToolBox } from '../actors/ports.js';
import { callIdOf, MAIN_AGENT, type SessionId } from '../messages/ids.js';
import type { ToolOutcome } from '../messages/tools.js';
import { createJudge } from '../src/permissions/judge.js';
import { openJournal, type JournalStore } from '../src/store/journal-store.js';
import { createToolBox } from '../src/tools/toolbox.js';
import { environmentOf, type Place } from './ouro.js';

const LIMITS = { toolTimeoutMs: 60_000, shellTimeoutMs: 60_000, maxResultBytes: 30_000 };

const time = { now: (): number => Date.now() };

export const sessionJournal = ({ home }: Place, session: SessionId): JournalStore => {
  const dir = join(home, 'sessions', session);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return openJournal({ dir, session, mode: 'create', time });
};

/** Commits nothing, in the same turns of the event loop as a journal that does. */
export function forgetfulJournal(): Journal {
  let seq = 0;
  return {
    append: (facts) =>
      new Promise((resolve) => {
        setImmediate(() => {
          resolve(seq + 1);
          seq += facts.length;
        });
      }),
  };
}

export function toolBoxOn(
  { home, workspace }: Place,
  journal: Journal,
  sandbox: CommandSandbox | null = null,
): ToolBox {
  const judge = createJudge({ mode: 'default', allow: [], workspace, ouroHome: home });
  if (!judge.ok) throw new Error(judge.message);
  return createToolBox({
    workspace,
    ouroHome: home,
    session: newSession(),
    spillDir: join(home, 'output'),
    journal,
    time,
    judge: judge.judge,
    sandbox,
    limits: LIMITS,
    environment: environmentOf({ home }),
    kindOf: () => 'main',
    onDiscovery: () => undefined,
    delegate: () => Promise.reject(new Error('nothing is delegated here')),
  });
}

export const newSession = (): SessionId => randomUUID() as SessionId;

let round = 0;

/** Runs one call as the executor would. Throws when it did not end well. */
export async function callTool(tools: ToolBox, name: string, args: unknown): Promise<ToolOutcome> {
  round += 1;
  const id = callIdOf(MAIN_AGENT, round, 1);
  const signal = new AbortController().signal;
  const context: CallContext = {
    agent: MAIN_AGENT,
    round,
    callId: id,
    signal,
    parked: (wait) => wait(),
  };
  const { outcome, committed } = await tools.run({ id, name, args }, context);
  void committed;
  if (outcome.status !== 'ok') throw new Error(`${name}: ${outcome.status}: ${outcome.text}`);
  return outcome;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
