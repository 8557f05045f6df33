/** The toolbox of one session, tied to its journal and its mesh. */
import type { Approver, CommandSandbox, Time, ToolHooks } from '../actors/ports.js';
import type { Environment } from '../config/home.js';
import type { Config } from '../config/settings.js';
import type { ReplyRegistry } from '../messages/channels/oneshot.js';
import type { CoordinatorMessage } from '../messages/coordinator.js';
import type { AgentId, CallId } from '../messages/ids.js';
import { factOf, type JournalFact, type TodoItem } from '../messages/journal.js';
import type { WakeReason } from '../messages/sleeps.js';
import { PathInstructions, type InstructionSource } from './context/instructions.js';
import type { Ground } from './ground.js';
import { sleeping } from './session/sleeping.js';
import type { AskPerson } from './session/ask-person.js';
import { personApprover } from './session/person-approver.js';
import { exactRule, type CreatedJudge } from './permissions/judge.js';
import type { SessionFolders } from './session-folders.js';
import { storedOutputs } from './session-outputs.js';
import type { SessionGuides } from './session-guides.js';
import type { SessionWeb } from './session-web.js';
import type { ProcessFact } from './tools/background-program.js';
import type { SessionChanges } from './session-changes.js';
import type { SessionDelegation } from './session-delegation.js';
import { adoptedBy } from './session-kept.js';
import type { PlanDesk } from './tools/submit-plan.js';
import { createToolBox, type SessionToolBox } from './tools/toolbox.js';

export interface SessionToolsParts {
  readonly ground: Ground;
  readonly home: string;
  readonly env: Environment;
  readonly folders: SessionFolders;
  readonly limits: Config['tools'];
  readonly judge: Pick<Extract<CreatedJudge, { ok: true }>, 'judge' | 'remember' | 'mayRead'>;
  readonly sandbox: CommandSandbox | null;
  readonly time: Time;
  readonly spillDir: string;
  readonly delegation: Pick<SessionDelegation, 'delegate' | 'check' | 'kindOf'>;
  readonly web: SessionWeb;
  readonly instructions: InstructionSource;
  /** Null: they are turned off. */
  readonly guides: SessionGuides | null;
  /** The list as it is now. */
  readonly todos: { current: readonly TodoItem[] };
  readonly changes: SessionChanges;
  readonly planning: PlanDesk | undefined;
  readonly askPerson: AskPerson;
  readonly hooks?: ToolHooks | undefined;
  readonly wakes: ReplyRegistry<CallId, WakeReason>;
  /** A person started this run of a session that was not running. */
  readonly resumedByPerson: boolean;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
}

export function sessionTools(parts: SessionToolsParts): SessionToolBox {
  const { ground, limits, time, delegation, web, todos, askPerson, tell } = parts;
  const { journal, recovered } = ground;
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
    mayRead: parts.judge.mayRead,
    sandbox: parts.sandbox,
    limits: {
      toolTimeoutMs: limits.timeoutMs,
      shellTimeoutMs: limits.shellTimeoutMs,
      maxResultBytes: limits.maxResultBytes,
    },
    environment: parts.env,
    kindOf: (agent) => delegation.kindOf(agent),
    onDiscovery: (agent, round, discovery) =>
      void tell({ type: 'discovery.added', agent, round, discovery, at: time.now() }),
    ...(ground.spec.onQuestion === 'deny' ? {} : { approver: approverOf(parts) }),
    ...(parts.hooks === undefined ? {} : { hooks: parts.hooks }),
    askUser: (question, timeoutMs, context) => askPerson(question, timeoutMs, context),
    wait: sleeping({
      somebodyThere: ground.spec.onQuestion === 'wait',
      resumedByPerson: parts.resumedByPerson,
      time,
      wakes: parts.wakes,
      earlier: (callId) => recovered?.waits.of(callId) ?? null,
      tell,
    }),
    sleptSince: (callId) => recovered?.waits.of(callId)?.since ?? null,
    readTodos: () => todos.current,
    onTodos: (agent, round, list) => {
      todos.current = list;
      return journal.append([factOf('todo.set', agent, round, { todos: list })]);
    },
    instructionsFor: instructionsByAgent(parts.instructions),
    guideFor: (agent, tool) => parts.guides?.first(agent, tool) ?? null,
    onProcess: (fact) => {
      parts.changes.processTold(fact);
      return journal.append([processFact(fact)]);
    },
    adopted: adoptedBy(recovered, parts.changes),
    changes: parts.changes,
    ...(parts.planning === undefined ? {} : { planning: parts.planning }),
    web,
    storedOutputs: storedOutputs(ground),
    delegate: (task, context) => delegation.delegate(task, context),
    checkAgent: (agent, block, context) => delegation.check(agent, block, context),
  });
}

/** Each agent is told by itself: none sees what another was told. */
function instructionsByAgent(source: InstructionSource) {
  const byAgent = new Map<AgentId, PathInstructions>();
  return (agent: AgentId, real: string): string | null => {
    const known = byAgent.get(agent) ?? new PathInstructions(source);
    byAgent.set(agent, known);
    return known.forPath(real);
  };
}

/** Where nobody is asked there is none: the refusal itself says which rule would do. */
const approverOf = ({ askPerson, judge }: SessionToolsParts): Approver =>
  personApprover(askPerson, (request) => judge.remember(exactRule(request), 'session'));

function processFact(fact: ProcessFact): JournalFact {
  const { id, callId, agent, round } = fact;
  if (fact.type === 'ended') {
    const { exitCode, unseen } = fact;
    const how = unseen === undefined ? {} : { unseen };
    return factOf('process.ended', agent, round, { id, callId, exitCode, ...how });
  }
  const { pid, startTime, command, keep } = fact;
  const kept = keep === undefined ? {} : { keep };
  return factOf('process.started', agent, round, { id, callId, pid, startTime, command, ...kept });
}
