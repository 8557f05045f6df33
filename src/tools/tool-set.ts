/**
 * Which tools a session has, in the order in which models are shown them: by tier, then by name. All of them
 * from the first request on: a tool that came later would cost the server all it remembers of the prompt.
 */
import { askUserTool } from './ask-user.js';
import { BackgroundProcesses } from './background-processes.js';
import { checkAgentTool } from './check-agent.js';
import { withoutSecrets } from './child-environment.js';
import { delegateTool } from './delegate.js';
import { editFileTool } from './edit-file.js';
import { findFilesTool } from './find-files.js';
import { grepTool } from './grep.js';
import { listDirTool } from './list-dir.js';
import type { Boundary } from './paths.js';
import { processTools } from './process-tools.js';
import type { ProcessGroups } from './process.js';
import { readFileTool } from './read-file.js';
import { readOutputTool } from './read-output.js';
import { ReadTracker } from './read-tracker.js';
import { recordDiscoveryTool } from './record-discovery.js';
import type { Redact } from './redaction.js';
import { ShellFolders } from './shell-folder.js';
import type { LaunchParts } from './shell-launch.js';
import { shellTool } from './shell.js';
import { sleepTool } from './sleep.js';
import { submitPlanTool } from './submit-plan.js';
import { submitTool } from './submit.js';
import { thinkTool } from './think.js';
import { todoTool } from './todo.js';
import type { Tool } from './tool.js';
import type { ToolBoxDeps } from './toolbox-deps.js';
import { webFetchTool } from './web-fetch.js';
import { webSearchTool } from './web-search.js';
import { writeFileTool } from './write-file.js';

export interface ToolSetParts {
  readonly deps: ToolBoxDeps;
  readonly boundary: Boundary;
  readonly groups: ProcessGroups;
  readonly redact: Redact;
}

export interface ToolSet {
  readonly tools: readonly Tool[];
  /** Null: no process goes on after its call. */
  readonly background: BackgroundProcesses | null;
}

export function toolSet(parts: ToolSetParts): ToolSet {
  const { deps, groups } = parts;
  const environment = withoutSecrets(deps.environment);
  const launch = { session: deps.session, environment, sandbox: deps.sandbox ?? null };
  const { onProcess, time, spillDir, adopted } = deps;
  const background =
    onProcess === undefined
      ? null
      : new BackgroundProcesses({ ...launch, groups, time, onProcess }, spillDir, adopted);
  const tiers = [
    firstTier(parts, launch, background),
    secondTier(parts, launch, background),
    thirdTier(deps),
  ];
  return { tools: tiers.flatMap(byName), background };
}

function firstTier(
  { deps, boundary, groups, redact }: ToolSetParts,
  launch: LaunchParts,
  background: BackgroundProcesses | null,
): Tool[] {
  const { journal, spillDir, workspace, mayRead = null } = deps;
  const tracker = new ReadTracker();
  const folders = new ShellFolders(workspace);
  const defaultTimeoutMs = deps.limits.shellTimeoutMs;
  const search = { boundary, groups, environment: launch.environment, mayRead };
  return [
    readFileTool({ tracker, redact }),
    editFileTool(tracker),
    writeFileTool(tracker),
    grepTool(search),
    findFilesTool(search),
    listDirTool(boundary),
    shellTool({ ...launch, journal, groups, folders, background, spillDir, defaultTimeoutMs }),
    thinkTool,
  ];
}

function secondTier(
  { deps, redact }: ToolSetParts,
  { sandbox }: LaunchParts,
  background: BackgroundProcesses | null,
): Tool[] {
  const { journal, spillDir, time, wait, askUser, storedOutputs = null } = deps;
  const begunAt = deps.sleptSince ?? (() => null);
  return [
    readOutputTool({ spillDir, redact, storedOutputs }),
    recordDiscoveryTool({
      journal,
      onDiscovery: (agent, round, discovery) => deps.onDiscovery(agent, round, discovery),
    }),
    submitTool,
    ...(deps.planning === undefined ? [] : [submitPlanTool(deps.planning)]),
    ...(background === null ? [] : processTools({ background, sandbox, redact })),
    ...(wait === undefined ? [] : [sleepTool({ wait, begunAt, time, background })]),
    ...(askUser === undefined ? [] : [askUserTool(askUser)]),
    ...todoOf(deps),
    ...webOf(deps),
  ];
}

function thirdTier(deps: ToolBoxDeps): Tool[] {
  const { checkAgent } = deps;
  const delegate = delegateTool((task, context) => deps.delegate(task, context));
  return checkAgent === undefined ? [delegate] : [delegate, checkAgentTool(checkAgent)];
}

function todoOf({ onTodos, readTodos = () => [] }: ToolBoxDeps): Tool[] {
  return onTodos === undefined ? [] : [todoTool({ onTodos, readTodos })];
}

function webOf({ web }: ToolBoxDeps): Tool[] {
  const fetch = web?.fetch ?? null;
  const search = web?.search ?? null;
  return [
    ...(fetch === null ? [] : [webFetchTool(fetch, web?.fetchLimitMs)]),
    ...(search === null ? [] : [webSearchTool(search)]),
  ];
}

const byName = (tools: readonly Tool[]): Tool[] =>
  [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
