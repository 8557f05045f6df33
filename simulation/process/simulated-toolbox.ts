/** The toolbox of a simulated session: the product's dispatch and waiting tools, and the simulated world's. */
import type {
  Approver,
  ChangeKeeper,
  Journal,
  PermissionJudge,
  ToolBox,
} from '../../actors/ports.js';
import type { Recovered } from '../../actors/recovery.js';
import type { ReplyRegistry } from '../../messages/channels/oneshot.js';
import type { CoordinatorMessage } from '../../messages/coordinator.js';
import type { CallId } from '../../messages/ids.js';
import { factOf, type TodoItem } from '../../messages/journal.js';
import type { Answer } from '../../messages/questions.js';
import type { SessionSpec } from '../../messages/session.js';
import type { WakeReason } from '../../messages/sleeps.js';
import type { SessionDelegation } from '../../src/session-delegation.js';
import { askPerson, type AskPerson } from '../../src/session/ask-person.js';
import { personApprover } from '../../src/session/person-approver.js';
import { sleeping, type Sleeping } from '../../src/session/sleeping.js';
import { Admission } from '../../src/tools/admission.js';
import { askUserTool } from '../../src/tools/ask-user.js';
import { checkAgentTool } from '../../src/tools/check-agent.js';
import { delegateTool } from '../../src/tools/delegate.js';
import { Dispatch } from '../../src/tools/dispatch.js';
import { recordDiscoveryTool } from '../../src/tools/record-discovery.js';
import { ResultCache } from '../../src/tools/result-cache.js';
import { ToolShelf } from '../../src/tools/shelf.js';
import { sleepTool } from '../../src/tools/sleep.js';
import { submitTool } from '../../src/tools/submit.js';
import { thinkTool } from '../../src/tools/think.js';
import { todoTool } from '../../src/tools/todo.js';
import type { Tool } from '../../src/tools/tool.js';
import type { Chance } from '../chance.js';
import { simulatedTools } from '../world/simulated-tools.js';
import { personAsAsked } from './faulty-ports.js';
import type { LifeParts } from './life-parts.js';
import type { SimulatedProcess } from './simulated-process.js';

export interface SimulatedToolBoxParts extends LifeParts {
  readonly process: SimulatedProcess;
  readonly recovered: Recovered | null;
  readonly journal: Journal;
  /** Null: it changes no files. */
  readonly changes: ChangeKeeper | null;
  readonly delegation: SessionDelegation;
  /** The tasks as they stand. */
  readonly todos: { current: readonly TodoItem[] };
  readonly answers: ReplyRegistry<CallId, Answer>;
  readonly wakes: ReplyRegistry<CallId, WakeReason>;
  /** Aborts when the programs that calls have started are ended. */
  readonly killed: AbortSignal;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
  /** A question came up where nobody is to be asked. */
  readonly fail: () => void;
}

export type SimulatedToolBox = ToolBox & { close(): void };

/** Short beside what slow tools take, so that it is reached. */
const TOOL_LIMIT_MS = 60_000;
/** Nothing that a simulated tool says is cut: what is cut is kept in a real file. */
const NO_CUT = 1_000_000;
const NOWHERE = '/simulated-output';

/** Some commands are refused, and one kind of change is a person's to allow. */
const FORBIDDEN_SHARE = 0.05;

export function simulatedToolBox(parts: SimulatedToolBoxParts): SimulatedToolBox {
  const { process: time, journal, delegation, scenario, chance, note } = parts;
  const { spec, toolMs, talk } = scenario;
  const ask = personAsAsked(asking(parts), parts.fault);
  const { resultChars } = talk;
  const worldly = simulatedTools({ ...parts, chance: chance.stream('tools'), toolMs, resultChars });
  const shelf = new ToolShelf([...worldly, ...otherTools(parts, ask)], (agent) =>
    delegation.kindOf(agent),
  );
  const remembered = new Set<string>();
  const admission = new Admission({
    boundary: { workspace: parts.world.workspace?.folder ?? spec.workspace, ouroHome: NOWHERE },
    judge: judgeOf(chance.stream('permissions'), remembered),
    approver: approverOf(spec, ask, remembered),
    hooks: null,
    shelf,
    redact: (text) => text,
  });
  const dispatch = new Dispatch({
    admission,
    shelf,
    cache: new ResultCache(() => true),
    hooks: null,
    instructionsFor: null,
    guideFor: null,
    changes: parts.changes,
    journal,
    time,
    timers: time,
    redact: (text) => text,
    spillDir: NOWHERE,
    toolTimeoutMs: TOOL_LIMIT_MS,
    maxResultBytes: NO_CUT,
  });
  return {
    definitions: (kind) => shelf.definitions(kind),
    canonical: (call) => shelf.canonical(call),
    plan: (agent, call) => {
      note({ type: 'call.planned', agent, callId: call.id });
      return dispatch.plan(agent, call);
    },
    run: (call, context) => dispatch.run(call, context),
    close: () => dispatch.close(),
  };
}

function judgeOf(chance: Chance, remembered: ReadonlySet<string>): PermissionJudge {
  return {
    judge: ({ tool, effect }) => {
      if (tool === 'edit_file' && !remembered.has(tool)) {
        return { allowed: false, ask: true, rule: 'ask edit_file', text: 'Error: not allowed' };
      }
      if (effect === 'execute' && chance.happens(FORBIDDEN_SHARE)) {
        return { allowed: false, rule: 'deny', text: 'Error: denied' };
      }
      return { allowed: true, rule: 'allow' };
    },
  };
}

/** As where the tools of a real session are put together. */
const approverOf = (
  { onQuestion }: SessionSpec,
  ask: AskPerson,
  remembered: Set<string>,
): Approver | null =>
  onQuestion === 'deny' ? null : personApprover(ask, ({ tool }) => remembered.add(tool));

const asking = (parts: SimulatedToolBoxParts): AskPerson =>
  askPerson({
    onQuestion: parts.scenario.spec.onQuestion,
    time: parts.process,
    answers: parts.answers,
    earlier: (callId, body) => parts.recovered?.answers.of(callId, body) ?? null,
    tell: parts.tell,
    fail: parts.fail,
  });

const sleepingOf = (parts: SimulatedToolBoxParts): Sleeping =>
  sleeping({
    somebodyThere: parts.scenario.spec.onQuestion === 'wait',
    resumedByPerson: parts.resumed?.byPerson ?? false,
    time: parts.process,
    wakes: parts.wakes,
    earlier: (callId) => parts.recovered?.waits.of(callId) ?? null,
    tell: parts.tell,
  });

function otherTools(parts: SimulatedToolBoxParts, ask: AskPerson): readonly Tool[] {
  const { process: time, journal, delegation, recovered, tell, todos } = parts;
  return [
    thinkTool,
    submitTool,
    todoTool({
      readTodos: () => todos.current,
      onTodos: (agent, round, list) => {
        todos.current = list;
        return journal.append([factOf('todo.set', agent, round, { todos: list })]);
      },
    }),
    recordDiscoveryTool({
      journal,
      onDiscovery: (agent, round, discovery) =>
        void tell({ type: 'discovery.added', agent, round, discovery, at: time.now() }),
    }),
    sleepTool({
      wait: sleepingOf(parts),
      begunAt: (callId) => recovered?.waits.of(callId)?.since ?? null,
      time,
      background: null,
    }),
    askUserTool(ask),
    delegateTool((task, context) => delegation.delegate(task, context)),
    checkAgentTool((agent, block, context) => delegation.check(agent, block, context)),
  ];
}
