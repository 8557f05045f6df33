/** Puts the tools of one session together behind the port that the executor knows. */
import type { CallContext, Journal, PermissionJudge, Time, ToolBox } from '../../actors/ports.js';
import type { AgentId, SessionId } from '../../messages/ids.js';
import type { Discovery } from '../../messages/journal.js';
import type { SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { withoutSecrets } from './child-environment.js';
import type { AgentKind } from './definitions.js';
import { delegateTool } from './delegate.js';
import { Dispatch } from './dispatch.js';
import { editFileTool } from './edit-file.js';
import { findFilesTool } from './find-files.js';
import { grepTool } from './grep.js';
import { listDirTool } from './list-dir.js';
import { realPathOf, type Boundary } from './paths.js';
import { endSurvivors } from './process-survivors.js';
import { ProcessGroups } from './process.js';
import { readFileTool } from './read-file.js';
import { ReadTracker } from './read-tracker.js';
import { recordDiscoveryTool } from './record-discovery.js';
import { redactor, type Redact } from './redaction.js';
import { ShellFolders } from './shell-folder.js';
import { ToolShelf } from './shelf.js';
import { shellTool } from './shell.js';
import { submitTool } from './submit.js';
import { thinkTool } from './think.js';
import type { Tool } from './tool.js';
import { writeFileTool } from './write-file.js';

export interface ToolBoxDeps {
  /** Real path. */
  readonly workspace: string;
  /** Closed to tools, wherever it is. */
  readonly ouroHome: string;
  readonly session: SessionId;
  /** Where output that is too long for a model is kept whole; made when it is needed. */
  readonly spillDir: string;
  readonly journal: Journal;
  readonly time: Time;
  readonly judge: PermissionJudge;
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
  /** Waits for the sub-agent's end. */
  delegate(task: SubAgentTask, context: CallContext): Promise<ToolOutcome>;
  /** Takes secrets out of results; by default those of `environment` and of known shapes. */
  readonly redact?: Redact;
}

export interface SessionToolBox extends ToolBox {
  /**
   * Cancels what runs, ends every process that calls have started, and lets no further call begin.
   * Resolves when they are gone.
   */
  terminateAll(): Promise<void>;
}

export function createToolBox(deps: ToolBoxDeps): SessionToolBox {
  const home = realPathOf(deps.ouroHome);
  const ouroHome = home.ok ? home.real : deps.ouroHome;
  const boundary: Boundary = { workspace: deps.workspace, ouroHome };
  const groups = new ProcessGroups();
  const shelf = new ToolShelf(toolsOf(deps, boundary, groups), (agent) => deps.kindOf(agent));
  const { journal, time, judge, limits } = deps;
  const { toolTimeoutMs, maxResultBytes } = limits;
  const redact = deps.redact ?? redactor(deps.environment);
  const dispatch = new Dispatch({
    boundary,
    journal,
    time,
    judge,
    shelf,
    redact,
    toolTimeoutMs,
    maxResultBytes,
  });
  return {
    definitions: (kind) => shelf.definitions(kind),
    plan: (agent, call) => dispatch.plan(agent, call),
    run: (call, context) => dispatch.run(call, context),
    async terminateAll() {
      dispatch.close();
      await groups.endAll();
      // What has left its group is still known by its environment.
      await endSurvivors([], deps.session);
    },
  };
}

/** In the order in which models are shown them. */
function toolsOf(deps: ToolBoxDeps, boundary: Boundary, groups: ProcessGroups): readonly Tool[] {
  const { session, journal, spillDir } = deps;
  const tracker = new ReadTracker();
  const environment = withoutSecrets(deps.environment);
  const folders = new ShellFolders(deps.workspace);
  const defaultTimeoutMs = deps.limits.shellTimeoutMs;
  return [
    readFileTool(tracker),
    editFileTool(tracker),
    writeFileTool(tracker),
    grepTool({ boundary, groups, environment }),
    findFilesTool(boundary),
    listDirTool(boundary),
    shellTool({ session, journal, groups, folders, environment, spillDir, defaultTimeoutMs }),
    thinkTool,
    recordDiscoveryTool({
      journal,
      onDiscovery: (agent, round, discovery) => deps.onDiscovery(agent, round, discovery),
    }),
    submitTool,
    delegateTool((task, context) => deps.delegate(task, context)),
  ];
}
