/** The toolbox of one session, tied to its journal and its mesh. */
import type { Approver, CommandSandbox, Time, ToolHooks } from '../actors/ports.js';
import type { Environment } from '../config/home.js';
import type { Config } from '../config/settings.js';
import type { CoordinatorMessage } from '../messages/coordinator.js';
import { MAIN_AGENT } from '../messages/ids.js';
import { factOf, type JournalFact } from '../messages/journal.js';
import type { Ground } from './ground.js';
import type { AskPerson } from './session/ask-person.js';
import { personApprover } from './session/person-approver.js';
import { exactRule, type CreatedJudge } from './permissions/judge.js';
import type { SessionFolders } from './session-folders.js';
import type { SessionWeb } from './session-web.js';
import type { ProcessFact } from './tools/background-process.js';
import type { WaitingCalls } from './session/mesh.js';
import { createToolBox, type SessionToolBox } from './tools/toolbox.js';

export interface SessionToolsParts {
  readonly ground: Ground;
  readonly home: string;
  readonly env: Environment;
  readonly folders: SessionFolders;
  readonly limits: Config['tools'];
  readonly judge: Pick<Extract<CreatedJudge, { ok: true }>, 'judge' | 'remember'>;
  readonly sandbox: CommandSandbox | null;
  readonly time: Time;
  readonly spillDir: string;
  /** Calls that wait for a sub-agent. */
  readonly waiting: WaitingCalls;
  readonly web: SessionWeb;
  readonly askPerson: AskPerson;
  readonly hooks?: ToolHooks | undefined;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
}

export function sessionTools(parts: SessionToolsParts): SessionToolBox {
  const { ground, limits, time, waiting, web, askPerson, tell } = parts;
  const { journal, recovered } = ground;
  const todos = recovered?.todos ?? [];
  return createToolBox({
    workspace: ground.spec.workspace,
    addDirs: parts.folders.addDirs,
    readDirs: parts.folders.readDirs,
    ouroHome: parts.home,
    session: ground.spec.id,
    spillDir: parts.spillDir,
    journal,
    time,
    judge: parts.judge.judge,
    sandbox: parts.sandbox,
    limits: {
      toolTimeoutMs: limits.timeoutMs,
      shellTimeoutMs: limits.shellTimeoutMs,
      maxResultBytes: limits.maxResultBytes,
    },
    environment: parts.env,
    kindOf: (agent) => (agent === MAIN_AGENT ? 'main' : 'explore'),
    onDiscovery: (agent, round, discovery) =>
      void tell({ type: 'discovery.added', agent, round, discovery, at: time.now() }),
    ...(ground.spec.onQuestion === 'deny' ? {} : { approver: approverOf(parts) }),
    ...(parts.hooks === undefined ? {} : { hooks: parts.hooks }),
    askUser: (question, timeoutMs, context) => askPerson(question, timeoutMs, context),
    readTodos: () => todos,
    onTodos: (agent, round, list) =>
      journal.append([factOf('todo.set', agent, round, { todos: list })]),
    onProcess: (fact) => journal.append([processFact(fact)]),
    web,
    delegate: async (task, { agent, callId }) => {
      const answer = waiting.ask(callId);
      await tell({ type: 'subagent.spawn', parent: agent, callId, task });
      return answer;
    },
  });
}

/** Where nobody is asked there is none: the refusal itself says which rule would do. */
const approverOf = ({ askPerson, judge }: SessionToolsParts): Approver =>
  personApprover(askPerson, (request) => judge.remember(exactRule(request), 'session'));

function processFact(fact: ProcessFact): JournalFact {
  const { id, callId, agent, round } = fact;
  if (fact.type === 'ended') {
    return factOf('process.ended', agent, round, { id, callId, exitCode: fact.exitCode });
  }
  const { pid, startTime, command } = fact;
  return factOf('process.started', agent, round, { id, callId, pid, startTime, command });
}
