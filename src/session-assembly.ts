/** Puts a session together, once all that can be wrong beforehand has been found right. */
import { retryDelay } from '../actors/backoff.js';
import type { RunResult } from '../messages/result.js';
import type { AgentKind } from '../messages/subagents.js';
import type { Daemon } from './daemon-request.js';
import { knownEndpoint } from './known-endpoint.js';
import { openHooks } from './open-hooks.js';
import { sessionBudget } from './session-budget.js';
import { writeCheckpoints } from './session-checkpoints.js';
import { sessionChanges, type SessionChanges } from './session-changes.js';
import { sessionContext } from './session-context.js';
import { openControl } from './session-control.js';
import { sessionDisk } from './session-disk.js';
import { sessionDelegation } from './session-delegation.js';
import { sessionGate } from './session-gate.js';
import { keepInIndex, keepResult, lineInIndex } from './session-listing.js';
import { leavesKept } from './session-kept.js';
import { sessionModel } from './session-model.js';
import { structuredSession } from './session-output.js';
import { inSight } from './session-sandbox.js';
import { instructionsOf, keepTrust, spillDirOf, type Parts } from './session-parts.js';
import { SessionSettings } from './session-settings.js';
import { startingPoint } from './session-start.js';
import { sessionTitle } from './session-title.js';
import { sessionTools } from './session-tools.js';
import { nobodyWaits, type Late, type Waiting } from './session-waiting.js';
import { sessionWeb } from './session-web.js';
import { askPerson } from './session/ask-person.js';
import { Planning } from './session/planning.js';
import { systemClock } from './session/system-clock.js';
import { SessionLife, type LifeParts } from './session/life.js';
import { createMesh, type Mesh } from './session/mesh.js';
import { watchForWake } from './session/wake-watch.js';
import type { StartingPoint } from './session/starting-point.js';
import { resultFile } from './store/layout.js';
import { subAgentPlan } from './sub-agent-plan.js';
import { keepOutOfGit } from './workspace-folder.js';

export async function assembleSession(parts: Parts): Promise<Daemon> {
  const { request, ground, endpoint, confined, folders, past, time } = parts;
  const { spec, journal, index } = ground;
  keepTrust(parts);
  const { home, config } = request;
  const late = {} as Late;
  const disk = sessionDisk(parts, late);
  const changes = sessionChanges({ ground, home, limits: config.undo, ...disk });
  const start = await startingPoint(parts, () => changes.recover());
  const waiting = nobodyWaits();
  const minds = await mindsOf(parts, start, late);
  const hands = handsOf(parts, waiting, { minds, late, changes });
  const mesh = (late.mesh = meshOf(parts, start, waiting, { minds, hands, late }));
  mesh.facts.on((fact) => hands.delegation.desk.hear(fact));
  past.observe(mesh.facts);
  disk.follow();
  // Ahead of whatever a person may do as soon as the socket is open.
  journal.append(start.rows).catch(() => undefined);
  const control = await openControl(ground, mesh, { home, time, admit: minds.settings.admit });
  index.put(lineInIndex(spec, start, control.socketPath));
  const ending = {
    announce: (_result: RunResult) => Promise.resolve(),
    mirror: new AbortController(),
  };
  const life = (late.life = new SessionLife({
    mesh,
    time,
    journal,
    ...workOf(parts, start, { minds, hands, mesh }),
    ...writeCheckpoints(journal, mesh.facts),
    ...disk.life(minds.asking),
    announce: async (result) => {
      control.close();
      ending.mirror.abort();
      keepResult(ground, resultFile(home, spec.id), result, mesh);
      await ending.announce(result);
      past.keep(result);
    },
    sayBye: async (result) => {
      await Promise.all([control.bye(result), minds.hooks?.end(result)]);
    },
    release: async () => {
      minds.asking.close();
      await endpoint.close();
      ground.release();
    },
  }));
  minds.asking.follow();
  minds.title.follow();
  mesh.facts.on((fact) => {
    if (fact.type === 'tool.finished') keepOutOfGit(spec.workspace);
  });
  minds.hooks?.observe(mesh.facts);
  const { sandbox, notice, obstacle } = confined;
  return {
    spec,
    goal: start.state.goal,
    mesh,
    sandbox: sandbox?.kind ?? 'off',
    noSandbox: obstacle?.reason ?? null,
    warnings: [
      ...endpoint.warnings,
      ...folders.warnings,
      ...past.warnings,
      ...(notice === null ? [] : [notice]),
    ],
    run: (announce) => {
      ending.announce = announce;
      keepInIndex(ground, mesh, control.socketPath, ending.mirror.signal);
      return life.run();
    },
    quit: (reason, detail) => life.quit(reason, detail),
    fail: (error) => life.fail(error),
  };
}

/** Who thinks along: the hooks, and the model with its places, its budget and the form of its answer. */
async function mindsOf(parts: Parts, start: StartingPoint, late: Late) {
  const { request, ground, endpoint, judge, time } = parts;
  const { home, env, config, maxWaitMs = null } = request;
  const { spec } = ground;
  const hooks = await openHooks({
    ...request,
    ground,
    time,
    goal: start.state.goal,
    tell: (fact) => late.mesh.tell(fact),
  });
  const structured = await structuredSession(spec);
  const settings = new SessionSettings({ ground, home, config, judge });
  const asking = sessionModel({
    spec,
    home,
    config,
    endpoint,
    fallback: () => settings.inForce.fallback ?? [],
    slots: knownEndpoint({ spec, config, index: ground.index, time }).slots,
    time,
    clock: systemClock,
    maxWaitMs,
    mesh: () => late.mesh,
    giveUp: (reason) => late.life.quit('provider_error', reason),
  });
  const budget = sessionBudget({
    ground,
    config,
    time,
    model: structured.model(asking.model),
    holdAtLimit: request.holdAtLimit,
    tell: (message) => late.mesh.tell(message),
    deliver: (letter) => late.mesh.deliver(letter),
    facts: () => late.mesh.facts,
    gate: sessionGate(() => late.mesh),
  });
  const sideModel = settings.following(budget.model);
  const web = sessionWeb({ env, config, spec, model: sideModel, judge: judge.judge });
  const title = sessionTitle(parts, { settings, budget, start, mesh: () => late.mesh });
  return { hooks, structured, asking, budget, web, settings, sideModel, title };
}

type Minds = Awaited<ReturnType<typeof mindsOf>>;

/** What acts: the tools, and those that work for an agent. */
function handsOf(
  parts: Parts,
  waiting: Waiting,
  {
    minds: { hooks, web, settings },
    late,
    changes,
  }: { minds: Minds; late: Late; changes: SessionChanges },
) {
  const { request, ground, folders, judge, confined, time } = parts;
  const { home, env, config, work } = request;
  const { spec, recovered } = ground;
  const delegation = sessionDelegation({
    recovered,
    limits: config.agents,
    waiting: waiting.calls,
    tell: (message) => late.mesh.tell(message),
    agents: () => late.mesh.snapshots.current.agents,
  });
  const todos = { current: recovered?.todos ?? [] };
  const planning =
    spec.plan === true ? new Planning(spec.limits.maxRounds, ground.journal.rows()) : undefined;
  const tools = sessionTools({
    guides: config.context.toolGuides ? parts.past.guides : null,
    planning,
    web,
    ground,
    home,
    env,
    folders,
    limits: config.tools,
    judge,
    sandbox: confined.sandbox,
    time,
    spillDir: spillDirOf(parts),
    delegation,
    instructions: instructionsOf(parts),
    todos,
    askPerson: askPerson({
      onQuestion: spec.onQuestion,
      time,
      answers: waiting.answers,
      earlier: (callId, body) => recovered?.answers.of(callId, body) ?? null,
      tell: (message) => late.mesh.tell(message),
      fail: () => late.life.quit('needs_input'),
    }),
    hooks: hooks?.tools,
    changes,
    wakes: waiting.wakes,
    resumedByPerson: work.kind === 'resume' && work.byPerson,
    tell: (message) => late.mesh.tell(message),
  });
  const agent = (kind: AgentKind) => ({
    model: settings.inForce.model,
    tools: tools.definitions(kind),
    retries: config.model.retries,
  });
  return { delegation, todos, tools, agent, changes, planning };
}

type Hands = ReturnType<typeof handsOf>;

function meshOf(
  parts: Parts,
  start: StartingPoint,
  waiting: Waiting,
  { minds, hands, late }: { minds: Minds; hands: Hands; late: Late },
): Mesh {
  const { request, ground, confined, time } = parts;
  const { spec, journal } = ground;
  const { delegation, tools, agent, todos, planning } = hands;
  const { asking, budget, hooks } = minds;
  return createMesh(
    {
      time,
      clock: systemClock,
      journal,
      model: budget.model,
      modelFor: asking.modelFor,
      failures: asking.failures,
      tools,
      answers: waiting.answers,
      wakes: waiting.wakes,
      hooks: hooks?.lifecycle,
      context: sessionContext({
        spec,
        config: request.config,
        known: knownEndpoint({ spec, config: request.config, index: ground.index, time }),
        time,
        instructions: instructionsOf(parts),
        model: minds.sideModel,
        gate: sessionGate(() => late.mesh),
        hooks: hooks?.lifecycle,
        findings: () => late.mesh.snapshots.current.discoveries,
        todos: () => todos.current,
        plan: () => planning?.plan ?? null,
        budget: () => late.mesh.snapshots.current.budget ?? [],
        estimators: parts.past.estimators,
      }),
      subAgent: (task) => subAgentPlan(task, spec, agent),
      children: delegation.desk,
      agentLimits: delegation.limits,
      alive: delegation.alive,
      retryDelay,
      root: (command) => late.life.onRoot(command),
      crash: (error) => late.life.fail(error),
    },
    inSight(
      { ...start.state, sandbox: confined.sandbox?.kind ?? 'off' },
      confined.notice,
      time.now(),
    ),
    waiting.calls,
  );
}

type Work = Omit<LifeParts, 'mesh' | 'time' | 'journal' | 'announce' | 'sayBye' | 'release'>;

function workOf(
  { request, ground, ground: { spec }, time }: Parts,
  start: StartingPoint,
  { minds, hands, mesh }: { minds: Minds; hands: Hands; mesh: Mesh },
): Work {
  const { hooks, structured, budget, web, settings, title } = minds;
  const { delegation, tools, agent, changes, planning } = hands;
  return {
    changed: () => changes.changed,
    reviveOthers: () => delegation.revive(mesh),
    main: {
      ...agent('main'),
      conversation: start.conversation,
      round: start.round,
      maxRounds: spec.limits.maxRounds,
      ...structured.setup,
      ...(planning === undefined ? {} : { plan: planning }),
    },
    maxTimeMs: spec.limits.maxTimeMs,
    tolerateDenials: request.tolerateDenials,
    watchForWake: (woke) => watchForWake({ time, clock: systemClock, woke }),
    prologue: hooks && ((signal) => hooks.begin(signal)),
    permissions: spec.permissions,
    judgeOutput: (ending) => structured.judge(ending),
    ...budget.life,
    raised: settings.after(budget.life.raised),
    killProcesses: async (why) => {
      hooks?.endAll();
      await tools.terminateAll(leavesKept({ request, ground }, why));
      await Promise.all([web.close(), changes.close(), title.close()]);
    },
  };
}
