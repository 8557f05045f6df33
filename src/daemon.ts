/**
 * The composition root: makes one session out of journal, model, tools, mesh and control socket. What can
 * be wrong before the first request is found while opening and comes back as a value; nothing has been
 * written to the journal then, and every lock is free again.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { retryDelay } from '../actors/backoff.js';
import type { Time } from '../actors/ports.js';
import type { Environment } from '../config/home.js';
import { loadPrompt } from '../config/prompts.js';
import type { Config } from '../config/settings.js';
import type { Accepted } from '../config/trust.js';
import { ReplyRegistry } from '../messages/channels/oneshot.js';
import type { CallId } from '../messages/ids.js';
import type { Answer } from '../messages/questions.js';
import type { RunResult } from '../messages/result.js';
import { type QuitReason, type SandboxKind, type SessionSpec } from '../messages/session.js';
import type { AgentKind } from '../messages/subagents.js';
import type { WakeReason } from '../messages/sleeps.js';
import type { ToolOutcome } from '../messages/tools.js';
import { openGround, type Ground, type Work } from './ground.js';
import { createJudge, type CreatedJudge } from './permissions/judge.js';
import type { OpenedSandbox } from './sandbox/open-sandbox.js';
import { inSight, withoutCommands } from './session-sandbox.js';
import { keepResult, lineInIndex } from './session-listing.js';
import { openControl } from './session-control.js';
import { openHooks } from './open-hooks.js';
import { foldersText, usableFolders, type SessionFolders } from './session-folders.js';
import { sessionDelegation } from './session-delegation.js';
import { subAgentPlan } from './sub-agent-plan.js';
import { sessionModel, waitsForServer } from './session-model.js';
import { sessionTools } from './session-tools.js';
import { sessionWeb } from './session-web.js';
import { startEndpoint, type Endpoint } from './endpoint.js';
import { sessionBudget, unpricedLimit } from './session-budget.js';
import { structuredSession } from './session-output.js';
import { askPerson } from './session/ask-person.js';
import type { Ending } from './session/ending.js';
import type { Clock } from './session/actor-pump.js';
import { mirrorProgress } from './session/index-mirror.js';
import { SessionLife } from './session/life.js';
import { createMesh, type Mesh, type WaitingCalls } from './session/mesh.js';
import { fromJournal, fromNothing, type StartingPoint } from './session/starting-point.js';
import { withInstruction } from './output/instruction.js';
import { resultFile } from './store/layout.js';
import { capturedOutput } from './tools/captured-output.js';
import { endSurvivors } from './tools/process-survivors.js';
import { redactor } from './tools/redaction.js';
import { keepOutOfGit } from './workspace-folder.js';
import { VERSION } from './version.js';

export interface DaemonRequest {
  readonly home: string;
  readonly env: Environment;
  readonly config: Config;
  readonly work: Work;
  readonly shareWorkspace: boolean;
  /** The workspace's files that count; null or left out: none. `isForSession`: they do when it goes on. */
  readonly trust?: { readonly accepted: Accepted | null; readonly isForSession: boolean };
  /** A denied call does not by itself make the run a failure. */
  readonly tolerateDenials: boolean;
  /** Nobody waits for an exit code: what stops the work is a hold, not an end. */
  readonly holdAtLimit: boolean;
  /** Ask the server whether it is there before anything is started. */
  readonly checkFirst: boolean;
  /**
   * How long a model server may be away before the session ends; left out or null: it is held until the
   * server is back.
   */
  readonly maxWaitMs?: number | null;
  /** Nobody watches: end before the first request where no command could run. */
  readonly needsCommands: boolean;
}

export interface Daemon {
  readonly spec: SessionSpec;
  readonly goal: string;
  readonly mesh: Mesh;
  readonly sandbox: SandboxKind;
  /** Why there is no sandbox, though one was wanted. */
  readonly noSandbox: string | null;
  /** Notices that belong before the first request. */
  readonly warnings: readonly string[];
  /** Runs to the end. `announce` gets the result before clients are told and anything is cleaned up. */
  run(announce: (result: RunResult) => Promise<void>): Promise<RunResult>;
  quit(reason: QuitReason, detail?: string): void;
  /** An exception nobody caught. */
  fail(error: unknown): void;
}

export type OpenedDaemon =
  { readonly ok: true; readonly daemon: Daemon } | { readonly ok: false; readonly ending: Ending };

const systemTime: Time = { now: () => Date.now() };

export async function openDaemon(request: DaemonRequest): Promise<OpenedDaemon> {
  const { home, work, shareWorkspace } = request;
  // Before a new session leaves anything behind.
  const early = work.kind === 'new' ? unpricedLimit(work.spec, request.config) : null;
  if (early !== null) return { ok: false, ending: early };
  const opened = openGround({ home, work, shareWorkspace, time: systemTime });
  if (!opened.ok) return opened;
  const { ground } = opened;
  const { workspace, permissions } = ground.spec;
  const unpriced = unpricedLimit(ground.spec, request.config);
  if (unpriced !== null) {
    ground.release();
    return { ok: false, ending: unpriced };
  }
  const folders = usableFolders(ground.spec);
  const [endpoint, confined] = await Promise.all([
    startEndpoint(ground.spec, request, waitsForServer(ground, work)),
    confine(ground, folders, request),
  ]);
  const sandboxed = confined.ok && confined.sandbox !== null;
  const judge = createJudge({ ...permissions, workspace, ...folders, ouroHome: home, sandboxed });
  const idle =
    judge.ok && confined.ok ? withoutCommands(ground.spec, judge, confined.obstacle) : null;
  const goesOn = idle === null || !request.needsCommands;
  if (judge.ok && endpoint.ok && confined.ok && goesOn) {
    const said = { ...confined, notice: idle ?? confined.notice };
    const parts = { request, ground, folders, judge, endpoint: endpoint.endpoint, confined: said };
    return { ok: true, daemon: await assemble(parts) };
  }
  ground.release();
  // A session that never began leaves nothing behind.
  if (request.work.kind === 'new') rmSync(ground.dir, { recursive: true, force: true });
  if (!endpoint.ok) return endpoint;
  await endpoint.endpoint.close();
  const refused = confined.ok ? idle : confined.reason;
  const ending: Ending =
    refused === null
      ? { status: 'config', reason: judge.ok ? '' : judge.message, text: '' }
      : { status: 'permission_denied', reason: refused, text: '' };
  return { ok: false, ending };
}

/** Opens the sandbox that the session asks for; a session of old asks for none. */
async function confine(
  { spec, dir }: Ground,
  { addDirs }: SessionFolders,
  { home, env }: DaemonRequest,
): Promise<OpenedSandbox> {
  const { mode, network } = spec.sandbox ?? { mode: 'off', network: false };
  if (mode === 'off') return { ok: true, sandbox: null, notice: null, obstacle: null };
  const { openSandbox } = await import('./sandbox/open-sandbox.js');
  const tempDir = join(dir, 'temp');
  const { workspace } = spec;
  return openSandbox({ mode, network, workspace, addDirs, ouroHome: home, tempDir, env });
}

interface Parts {
  readonly request: DaemonRequest;
  readonly ground: Ground;
  readonly folders: SessionFolders;
  readonly judge: Extract<CreatedJudge, { ok: true }>;
  readonly endpoint: Endpoint;
  readonly confined: Extract<OpenedSandbox, { ok: true }>;
}

async function assemble(parts: Parts): Promise<Daemon> {
  const { request, ground, folders, judge, endpoint, confined } = parts;
  const { sandbox, notice, obstacle } = confined;
  const { home, env, config, tolerateDenials, maxWaitMs = null } = request;
  const { spec, journal, dir, index } = ground;
  const { trust } = request;
  if (trust?.isForSession === true && trust.accepted !== null)
    index.trust.set(spec.workspace, trust.accepted, spec.id);
  const spillDir = join(dir, 'output');
  const start = await startingPoint(request, ground, spillDir, endpoint.checked);
  const waiting: WaitingCalls = new ReplyRegistry<CallId, ToolOutcome>();
  const answers = new ReplyRegistry<CallId, Answer>();
  const wakes = new ReplyRegistry<CallId, WakeReason>();
  const time = systemTime;

  const hooks = await openHooks({
    ...request,
    ground,
    time,
    goal: start.state.goal,
    tell: (fact) => mesh.tell(fact),
  });
  const structured = await structuredSession(spec);
  const asking = sessionModel({
    spec,
    home,
    config,
    endpoint,
    time,
    clock: systemClock,
    maxWaitMs,
    mesh: () => mesh,
    giveUp: (reason) => life.quit('provider_error', reason),
  });
  const budget = sessionBudget({
    ground,
    config,
    time,
    model: structured.model(asking.model),
    holdAtLimit: request.holdAtLimit,
    tell: (message) => mesh.tell(message),
    deliver: (letter) => mesh.deliver(letter),
    facts: () => mesh.facts,
  });
  const web = sessionWeb({ env, config, spec, model: budget.model, judge: judge.judge });
  const delegation = sessionDelegation({
    recovered: ground.recovered,
    limits: config.agents,
    waiting,
    tell: (message) => mesh.tell(message),
    agents: () => mesh.snapshots.current.agents,
  });
  const tools = sessionTools({
    web,
    ground,
    home,
    env,
    folders,
    limits: config.tools,
    judge,
    sandbox,
    time,
    spillDir,
    delegation,
    askPerson: askPerson({
      onQuestion: spec.onQuestion,
      time,
      answers,
      tell: (message) => mesh.tell(message),
      fail: () => life.quit('needs_input'),
    }),
    hooks: hooks?.tools,
    wakes,
    resumedByPerson: request.work.kind === 'resume' && request.work.byPerson,
    tell: (message) => mesh.tell(message),
  });
  const agent = (kind: AgentKind) => ({
    model: spec.model,
    tools: tools.definitions(kind),
    retries: config.model.retries,
  });
  const mesh = createMesh(
    {
      time,
      clock: systemClock,
      journal,
      model: budget.model,
      modelFor: asking.modelFor,
      failures: asking.failures,
      tools,
      answers,
      hooks: hooks?.lifecycle,
      wakes,
      subAgent: (task) => subAgentPlan(task, spec, agent),
      children: delegation.desk,
      agentLimits: delegation.limits,
      alive: delegation.alive,
      retryDelay,
      root: (command) => life.onRoot(command),
      crash: (error) => life.fail(error),
    },
    inSight({ ...start.state, sandbox: sandbox?.kind ?? 'off' }, notice, time.now()),
    waiting,
  );
  mesh.facts.on((fact) => delegation.desk.hear(fact));
  // Ahead of whatever a person may do as soon as the socket is open.
  journal.append(start.rows).catch(() => undefined);
  const control = await openControl(ground, mesh, { home, time });
  index.put(lineInIndex(spec, start, control.socketPath));
  const mirroring = new AbortController();
  let announceTo: (result: RunResult) => Promise<void> = () => Promise.resolve();

  const life = new SessionLife({
    mesh,
    time,
    journal,
    reviveOthers: () => delegation.revive(mesh),
    main: {
      ...agent('main'),
      conversation: start.conversation,
      round: start.round,
      maxRounds: spec.limits.maxRounds,
      ...structured.setup,
    },
    maxTimeMs: spec.limits.maxTimeMs,
    probe: (action) => asking.probe(action),
    tolerateDenials,
    prologue: hooks && ((signal) => hooks.begin(signal)),
    permissions: spec.permissions,
    judgeOutput: (ending) => structured.judge(ending),
    ...budget.life,
    killProcesses: async () => {
      hooks?.endAll();
      await tools.terminateAll();
      await web.close();
    },
    announce: async (result) => {
      control.close();
      mirroring.abort();
      keepResult(ground, resultFile(home, spec.id), result, mesh);
      await announceTo(result);
    },
    sayBye: async (result) => {
      await Promise.all([control.bye(result), hooks?.end(result)]);
    },
    release: async () => {
      asking.close();
      await endpoint.close();
      ground.release();
    },
  });
  asking.follow();
  mesh.facts.on((fact) => {
    if (fact.type === 'tool.finished') keepOutOfGit(spec.workspace);
  });
  hooks?.observe(mesh.facts);
  void journal.failed.then((error) => life.fail(error));

  return {
    spec,
    goal: start.state.goal,
    mesh,
    sandbox: sandbox?.kind ?? 'off',
    noSandbox: obstacle?.reason ?? null,
    warnings: [...endpoint.warnings, ...folders.warnings, ...(notice === null ? [] : [notice])],
    run: (announce) => {
      announceTo = announce;
      void mirrorProgress(
        mesh.snapshots,
        (progress) => {
          try {
            // With its address: the index may have been made again meanwhile.
            const { socketPath: socket } = control;
            index.patch(spec.id, { ...progress, pid: process.pid, socket });
          } catch {
            // For listing only: the journal says so if the disk is full.
          }
        },
        mirroring.signal,
      );
      return life.run();
    },
    quit: (reason, detail) => life.quit(reason, detail),
    fail: (error) => life.fail(error),
  };
}

/** Timers of the machines: the system's own. */
const systemClock: Clock = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
};

async function startingPoint(
  request: DaemonRequest,
  ground: Ground,
  spillDir: string,
  answers: boolean,
): Promise<StartingPoint> {
  const { work } = request;
  const { spec, recovered, journal } = ground;
  const process_ = { version: VERSION, pid: process.pid };
  if (work.kind === 'new' || recovered === null) {
    const goal = work.kind === 'new' ? work.goal : '';
    const system = loadPrompt('system', { workspace: spec.workspace }) + foldersText(spec);
    const prompt =
      spec.outputSchema === undefined ? system : withInstruction(system, spec.outputSchema);
    return fromNothing(spec, goal, prompt, process_);
  }
  // Before anything is decided: a survivor could still be changing what the agent is about to check.
  const started = [...recovered.processes.values(), ...recovered.background.values()];
  await endSurvivors(started, spec.id);
  return fromJournal(recovered, {
    spec,
    goal: work.goal,
    notice: work.notice,
    byPerson: work.byPerson,
    // A run that waits for a while only does so from the first request on.
    outageIsOver: work.byPerson && (answers || typeof request.maxWaitMs === 'number'),
    process: process_,
    now: systemTime.now(),
    nextSeq: journal.lastSeq + 1,
    captured: (callId) => capturedOutput(spillDir, callId, redactor(request.env)),
  });
}
