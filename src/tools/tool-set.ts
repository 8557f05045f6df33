/**
 * Which tools a session has, in the order in which models are shown them: by tier, then by name. All of them
 * from the first request on: a tool that came later would cost the server all it remembers of the prompt.
 */
import { askUserTool } from './ask-user.js';
import { BackgroundProcesses } from './background-processes.js';
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
import { shellTool } from './shell.js';
import { sleepTool } from './sleep.js';
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

export function toolSet({ deps, boundary, groups, redact }: ToolSetParts): ToolSet {
  const { session, journal, time, spillDir } = deps;
  const sandbox = deps.sandbox ?? null;
  const environment = withoutSecrets(deps.environment);
  const launch = { session, environment, sandbox };
  const background = backgroundOf(deps, groups, launch);
  const tracker = new ReadTracker();
  const folders = new ShellFolders(deps.workspace);
  const defaultTimeoutMs = deps.limits.shellTimeoutMs;
  const search = { boundary, groups, environment };
  const shell = { ...launch, journal, groups, folders, background, spillDir, defaultTimeoutMs };
  const first = [
    readFileTool({ tracker, redact }),
    editFileTool(tracker),
    writeFileTool(tracker),
    grepTool(search),
    findFilesTool(search),
    listDirTool(boundary),
    shellTool(shell),
    thinkTool,
  ];
  const second = [
    readOutputTool({ spillDir, redact, storedOutput: deps.storedOutput ?? null }),
    recordDiscoveryTool({
      journal,
      onDiscovery: (agent, round, discovery) => deps.onDiscovery(agent, round, discovery),
    }),
    submitTool,
    ...(background === null ? [] : processTools({ background, sandbox, redact })),
    ...(deps.wait === undefined ? [] : [sleepTool({ wait: deps.wait, time, background })]),
    ...(deps.askUser === undefined ? [] : [askUserTool(deps.askUser)]),
    ...todoOf(deps),
    ...webOf(deps),
  ];
  const third = [delegateTool((task, context) => deps.delegate(task, context))];
  return { tools: [first, second, third].flatMap(byName), background };
}

type LaunchParts = ConstructorParameters<typeof BackgroundProcesses>[0];

function backgroundOf(
  deps: ToolBoxDeps,
  groups: ProcessGroups,
  launch: Pick<LaunchParts, 'session' | 'environment' | 'sandbox'>,
): BackgroundProcesses | null {
  const { onProcess, time, spillDir } = deps;
  if (onProcess === undefined) return null;
  const parts = { ...launch, groups, time, onProcess };
  return new BackgroundProcesses(parts, spillDir);
}

function todoOf({ onTodos, readTodos = () => [] }: ToolBoxDeps): Tool[] {
  return onTodos === undefined ? [] : [todoTool({ onTodos, readTodos })];
}

function webOf({ web }: ToolBoxDeps): Tool[] {
  const fetch = web?.fetch ?? null;
  const search = web?.search ?? null;
  return [
    ...(fetch === null ? [] : [webFetchTool(fetch)]),
    ...(search === null ? [] : [webSearchTool(search)]),
  ];
}

const byName = (tools: readonly Tool[]): Tool[] =>
  [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
