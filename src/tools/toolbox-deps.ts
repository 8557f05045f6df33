/** What the tools of a session need from the outside. What is left out leaves out the tools that need it. */
import type {
  Approver,
  CallContext,
  ChangeKeeper,
  CommandSandbox,
  Journal,
  PermissionJudge,
  Time,
  ToolHooks,
} from '../../actors/ports.js';
import type { AgentId, CallId, Millis, SessionId } from '../../messages/ids.js';
import type { Discovery } from '../../messages/journal.js';
import type { AgentKind, SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import type { AskUser } from './ask-user.js';
import type { ProcessFact } from './background-program.js';
import type { CheckAgent } from './check-agent.js';
import type { MayRead } from './closed-files.js';
import type { KeptIdentity } from './kept-process.js';
import type { StoredOutputs } from './read-output.js';
import type { Redact } from './redaction.js';
import type { Wait } from './sleep.js';
import type { PlanDesk } from './submit-plan.js';
import type { OnTodos, Todo } from './todo.js';
import type { WebFetch } from './web-fetch.js';
import type { WebSearch } from './web-search.js';

export interface ToolBoxDeps {
  /** Real path. */
  readonly workspace: string;
  /** Real paths of further folders for reading and writing, and for reading alone. */
  readonly addDirs?: readonly string[];
  readonly readDirs?: readonly string[];
  /** Closed to tools, wherever it is. */
  readonly ouroHome: string;
  readonly session: SessionId;
  /** Where output that is too long for a model is kept whole; made when it is needed. */
  readonly spillDir: string;
  readonly journal: Journal;
  readonly time: Time;
  readonly judge: PermissionJudge;
  /** What a search may show; null or left out: no rule closes any file. */
  readonly mayRead?: MayRead | null;
  /** Left out: what the rules leave to a person is refused. */
  readonly approver?: Approver;
  /** Left out: no command of the operator is asked. */
  readonly hooks?: ToolHooks;
  /** Left out: what calls change is not kept. */
  readonly changes?: ChangeKeeper;
  /** Null or left out: commands are not confined. */
  readonly sandbox?: CommandSandbox | null;
  readonly limits: {
    readonly toolTimeoutMs: number;
    readonly shellTimeoutMs: number;
    readonly maxResultBytes: number;
  };
  /** What children inherit from, before secrets are taken out of it. */
  readonly environment: NodeJS.ProcessEnv;
  kindOf(agent: AgentId): AgentKind;
  /** Called once the discovery is on disk. Must not throw. */
  onDiscovery(agent: AgentId, round: number, discovery: Discovery): void;
  /** Waits for the sub-agent's end, or begins it in the background. */
  delegate(task: SubAgentTask, context: CallContext): Promise<ToolOutcome>;
  /** Left out: there is no `check_agent`. */
  readonly checkAgent?: CheckAgent;
  /** Takes secrets out of results; by default those of `environment` and of known shapes. */
  readonly redact?: Redact;
  /** Puts the list on record; it counts once that is done. Left out: there is no `todo`. */
  readonly onTodos?: OnTodos;
  /** The list as an earlier run of the session left it; asked once. Left out: none. */
  readonly readTodos?: () => readonly Todo[];
  /** What was shown of an earlier call. Left out: only what was too long for that can be read back. */
  readonly storedOutputs?: StoredOutputs;
  /** Puts the start and the end of a background process on record. Left out: there are none. */
  readonly onProcess?: (fact: ProcessFact) => Promise<unknown>;
  /** Background processes of an earlier run of the session that go on. Left out: there are none. */
  readonly adopted?: readonly KeptIdentity[];
  /** Left out: there is no `sleep`. */
  readonly wait?: Wait;
  /** When a sleep that an earlier run of the process began did so. Left out: none did. */
  readonly sleptSince?: (callId: CallId) => Millis | null;
  /** What people wrote down about this real path and the agent was not told yet; null: nothing. */
  readonly instructionsFor?: (agent: AgentId, real: string) => string | null;
  /** What the agent is told of a tool with its first result of it; null: nothing. Left out: never anything. */
  readonly guideFor?: (agent: AgentId, tool: string) => string | null;
  /** Left out: there is no `ask_user`. */
  readonly askUser?: AskUser;
  /** Left out: the session does not plan, and there is no `submit_plan`. */
  readonly planning?: PlanDesk;
  /** Null or left out: nothing goes to the web. Each of the two may be missing by itself. */
  readonly web?: {
    readonly fetch: WebFetch | null;
    /** Left out: the general limit. */
    readonly fetchLimitMs?: number;
    readonly search: WebSearch | null;
  } | null;
}
