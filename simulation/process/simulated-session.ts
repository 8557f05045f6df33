/**
 * The composition root of a simulated session, after that of a real one: the same parts in the same order,
 * with the process, the journal's disk, the model's server and the world simulated.
 */
import { retryDelay } from '../../actors/backoff.js';
import type { Recovered } from '../../actors/recovery.js';
import { DEFAULTS } from '../../config/settings.js';
import { ReplyRegistry } from '../../messages/channels/oneshot.js';
import type { CallId } from '../../messages/ids.js';
import type { Answer } from '../../messages/questions.js';
import type { RunResult } from '../../messages/result.js';
import type { QuitReason } from '../../messages/session.js';
import type { WakeReason } from '../../messages/sleeps.js';
import type { Snapshot } from '../../messages/snapshot.js';
import type { AgentKind } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { createActionGateway, type ActionGateway } from '../../src/control/action-gateway.js';
import { writeCheckpoints } from '../../src/session-checkpoints.js';
import { sessionDelegation, type SessionDelegation } from '../../src/session-delegation.js';
import { SessionLife } from '../../src/session/life.js';
import { createMesh, type Mesh, type WaitingCalls } from '../../src/session/mesh.js';
import type { StartingPoint } from '../../src/session/starting-point.js';
import { subAgentPlan } from '../../src/sub-agent-plan.js';
import type { SimulatedJournal } from '../journal/simulated-journal.js';
import {
  journalOfTools,
  limitsAsKnown,
  openBehindItsBack,
  roundsAsKnown,
  toolsAsHeard,
} from './faulty-ports.js';
import type { LifeParts } from './life-parts.js';
import { simulatedAsking } from './simulated-asking.js';
import type { SimulatedChanges } from './simulated-changes.js';
import { simulatedMinds, type SimulatedMinds } from './simulated-minds.js';
import type { SimulatedProcess } from './simulated-process.js';
import { simulatedToolBox, type SimulatedToolBox } from './simulated-toolbox.js';

export interface SessionParts extends LifeParts {
  readonly process: SimulatedProcess;
  readonly journal: SimulatedJournal;
  readonly recovered: Recovered | null;
  readonly start: StartingPoint;
  /** Null: it changes no files. */
  readonly changes: SimulatedChanges | null;
}

export interface SimulatedSession {
  readonly gateway: ActionGateway;
  readonly snapshot: () => Snapshot;
  run(): Promise<RunResult>;
  quit(reason: QuitReason): void;
}

/** Who waits for what. */
interface Registries {
  readonly waiting: WaitingCalls;
  readonly answers: ReplyRegistry<CallId, Answer>;
  readonly wakes: ReplyRegistry<CallId, WakeReason>;
}

type Asking = ReturnType<typeof simulatedAsking>;

/** Made one after the other; each finds the later ones here when it needs them. */
interface Whole extends SessionParts, Registries {
  readonly delegation: SessionDelegation;
  readonly tools: SimulatedToolBox;
  readonly asking: Asking;
  readonly minds: SimulatedMinds;
  readonly killed: AbortController;
}

/** What a program in the system does not outlive once it is told to end. */
const LONGEST_KILL_MS = 2_000;

export function assembleSession(parts: SessionParts): SimulatedSession {
  const { scenario, fault, process, journal, start } = parts;
  const registries: Registries = {
    waiting: new ReplyRegistry<CallId, ToolOutcome>(),
    answers: new ReplyRegistry<CallId, Answer>(),
    wakes: new ReplyRegistry<CallId, WakeReason>(),
  };
  const tell: Mesh['tell'] = (message) => mesh.tell(message);
  const quit = (reason: QuitReason, detail?: string): void => life.quit(reason, detail);
  const killed = new AbortController();
  const delegation = sessionDelegation({
    recovered: parts.recovered,
    limits: limitsAsKnown(scenario.limits, fault),
    waiting: registries.waiting,
    tell,
    agents: () => mesh.snapshots.current.agents,
  });
  const todos = { current: parts.recovered?.todos ?? [] };
  const tools = toolsAsHeard(
    simulatedToolBox({
      ...parts,
      ...registries,
      journal: journalOfTools(journal, fault),
      delegation,
      todos,
      killed: killed.signal,
      tell,
      fail: () => quit('needs_input'),
    }),
    fault,
  );
  const asking = simulatedAsking(parts, () => mesh, quit);
  const { spec } = start;
  const { model } = asking;
  const minds = simulatedMinds({ ...parts, spec, model, todos, mesh: () => mesh });
  const whole: Whole = { ...parts, ...registries, delegation, tools, asking, minds, killed };
  const mesh: Mesh = meshOf(whole, () => life);
  mesh.facts.on((fact) => delegation.desk.hear(fact));
  mesh.facts.on((fact) => parts.note({ type: 'fact', fact }));
  journal.append(start.rows).catch(() => undefined);
  const gateway = gatewayOf(parts, mesh);
  const life: SessionLife = lifeOf(whole, mesh, gateway);
  asking.follow();
  void journal.failed.then((error) => life.fail(error));
  if (fault === 'ignore-hold') openBehindItsBack(mesh);
  return {
    gateway,
    snapshot: () => mesh.snapshots.current,
    run: () => life.run(),
    quit: (reason) => {
      if (fault !== 'never-stop' && process.isAlive) quit(reason);
    },
  };
}

const agentOf =
  ({ start: { spec }, tools }: Pick<Whole, 'start' | 'tools'>) =>
  (kind: AgentKind) => ({
    model: spec.model,
    tools: tools.definitions(kind),
    retries: DEFAULTS.model.retries,
  });

function meshOf(whole: Whole, life: () => SessionLife): Mesh {
  const { process, journal, asking, delegation, fault, note, start, minds } = whole;
  return createMesh(
    {
      time: process,
      clock: process,
      journal,
      model: minds.model,
      context: minds.context,
      modelFor: asking.modelFor,
      failures: asking.failures,
      tools: whole.tools,
      answers: whole.answers,
      wakes: whole.wakes,
      subAgent: (task) => subAgentPlan(task, start.spec, agentOf(whole)),
      children: delegation.desk,
      agentLimits: delegation.limits,
      alive: delegation.alive,
      retryDelay,
      root: (command) => {
        if (fault !== 'never-stop') life().onRoot(command);
      },
      crash: (error) => {
        // That nothing can be written is fatal, and no bug.
        if (!journal.hasFailed) note({ type: 'bug', error });
        life().fail(error);
      },
    },
    start.state,
    whole.waiting,
  );
}

function lifeOf(whole: Whole, mesh: Mesh, gateway: ActionGateway): SessionLife {
  const { process, journal, start, delegation, tools, asking, minds, killed, changes } = whole;
  const { chance, fault } = whole;
  const { maxRounds, maxTimeMs } = start.spec.limits;
  const killing = chance.stream('killing');
  return new SessionLife({
    mesh,
    time: process,
    clock: process,
    journal,
    reviveOthers: () => delegation.revive(mesh),
    main: {
      ...agentOf(whole)('main'),
      conversation: start.conversation,
      round: start.round,
      maxRounds: roundsAsKnown(maxRounds, fault),
    },
    maxTimeMs,
    ...minds.life,
    probe: (action) => asking.probe(action),
    tolerateDenials: true,
    ...writeCheckpoints(journal, mesh.facts, whole.scenario.checkpointRounds),
    killProcesses: async () => {
      tools.close();
      await process.wait(killing.skewed(0, LONGEST_KILL_MS));
      killed.abort();
      await changes?.close();
    },
    announce: () => {
      gateway.close();
      return Promise.resolve();
    },
    sayBye: () => Promise.resolve(),
    release: () => {
      asking.close();
      return Promise.resolve();
    },
  });
}

function gatewayOf({ journal, process }: SessionParts, mesh: Mesh): ActionGateway {
  let actions = 0;
  return createActionGateway({
    journal,
    ids: () => `action-${(actions += 1)}`,
    time: process,
    deliver: (action) => mesh.tell(action),
    stop: () => void mesh.tell({ type: 'quit', reason: 'stopped', at: process.now() }),
    facts: mesh.facts,
    agentRound: () => mesh.snapshots.current.agents[0]?.round ?? 0,
  });
}
