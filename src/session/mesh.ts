/**
 * Builds the mesh: the five actors, the mailboxes in front of them and the pumps between. It owns no
 * decision and touches nothing but its ports. Letters down are offered, never awaited; a letter that finds
 * its inbox full or closed is counted and, where somebody waits for an answer, answered.
 */
import type { AnyActorLogic } from 'xstate';
import { coordinatorMachine } from '../../actors/coordinator.js';
import { snapshotOf, type State } from '../../actors/coordinator-state.js';
import { pauseMachine } from '../../actors/pause-controller.js';
import {
  supervisorMachine,
  type AgentLimits,
  type Child,
} from '../../actors/sub-agent-supervisor.js';
import { executorMachine, OVERLOADED } from '../../actors/tool-executor.js';
import type { AgentPorts, ChildrenPort } from '../../actors/agent-steps.js';
import type { FailurePorts } from '../../actors/model-failure.js';
import type { Journal, LifecycleHooks, ModelClient, Time, ToolBox } from '../../actors/ports.js';
import { record } from '../../actors/agent-steps.js';
import type { AgentDelta } from '../../messages/agents.js';
import { Broadcast } from '../../messages/channels/broadcast.js';
import type { Mailbox } from '../../messages/channels/mailbox.js';
import { ReplyRegistry } from '../../messages/channels/oneshot.js';
import { Watch } from '../../messages/channels/watch.js';
import {
  AGENT_INBOX,
  COORDINATOR_INBOX,
  isControl,
  type CoordinatorMessage,
  type Letter,
  type ObservedFact,
  type RootCommand,
} from '../../messages/coordinator.js';
import type { CallId } from '../../messages/ids.js';
import { sessionFact, type JournalFact } from '../../messages/journal.js';
import { holdKey, isOpen, type Hold } from '../../messages/pause.js';
import type { Answer } from '../../messages/questions.js';
import type { WakeReason } from '../../messages/sleeps.js';
import type { Snapshot } from '../../messages/snapshot.js';
import type { SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { newMailbox, runActor, type Clock, type RunningActor } from './actor-pump.js';
import { keepersFor, type SessionContext } from './agent-context.js';
import { AgentHouse, type SubAgentPlan } from './agent-house.js';

export interface MeshPorts {
  readonly time: Time;
  /** Timers of the machines; a test advances them by hand. */
  readonly clock: Clock;
  readonly journal: Journal;
  readonly model: ModelClient;
  readonly tools: ToolBox;
  /** How a sub-agent of this task starts. */
  readonly subAgent: (task: SubAgentTask) => SubAgentPlan;
  readonly retryDelay: AgentPorts['retryDelay'];
  /** Left out: no command of the operator is asked. */
  readonly hooks?: LifecycleHooks | undefined;
  /** What works for an agent in the background; left out: nothing does. */
  readonly children?: ChildrenPort;
  readonly agentLimits?: AgentLimits;
  /** Sub-agents of an earlier run of the process that go on. */
  readonly alive?: readonly Child[];
  readonly modelFor?: AgentPorts['modelFor'];
  /** What becomes of requests that failed for good; left out: their turns end. */
  readonly failures?: Omit<FailurePorts, 'hold'>;
  /** Keeps the agents' contexts within their windows; left out: nothing does. */
  readonly context?: SessionContext;
  readonly root: (command: RootCommand) => void;
  /** Calls that wait for a person. */
  readonly answers: ReplyRegistry<CallId, Answer>;
  /** Calls that sleep; left out: there are none. */
  readonly wakes?: ReplyRegistry<CallId, WakeReason>;
  /** An error in a machine or a port is a bug: fatal for the process. */
  readonly crash: (error: unknown) => void;
}

export interface Mesh {
  readonly agents: AgentHouse;
  readonly snapshots: Watch<Snapshot>;
  readonly facts: Broadcast<ObservedFact>;
  readonly deltas: Broadcast<AgentDelta>;
  /** False: the mesh is closed. Waits while the inbox is full. */
  tell(message: CoordinatorMessage): Promise<boolean>;
  deliver(letter: Letter): void;
  /** Resolves when the coordinator has answered; false: the mesh is closed. */
  pulse(): Promise<boolean>;
  /** Closes every inbox and resolves once all that was accepted has been handled. */
  close(): Promise<void>;
}

/** Calls that wait for something outside the executor; the toolbox asks, the executor passes the answer on. */
export type WaitingCalls = ReplyRegistry<CallId, ToolOutcome>;

export function createMesh(ports: MeshPorts, initial: State, waiting: WaitingCalls): Mesh {
  const inbox = newMailbox<CoordinatorMessage>(COORDINATOR_INBOX);
  const view = () => ({
    depth: inbox.depth,
    highWater: inbox.highWater,
    capacity: inbox.capacity,
  });
  const snapshots = new Watch<Snapshot>(snapshotOf(initial, view()));
  const facts = new Broadcast<ObservedFact>();
  const deltas = new Broadcast<AgentDelta>();
  const holds = new Watch<readonly Hold[]>(initial.holds);
  const replies: ReplyRegistry<CallId, ToolOutcome> = new ReplyRegistry();
  const pulses: ReplyRegistry<string, boolean> = new ReplyRegistry();
  let pulsed = 0;
  const running: RunningActor[] = [];

  const tell = (message: CoordinatorMessage): Promise<boolean> =>
    inbox.put(message, isControl(message) ? 'control' : 'normal');
  const report = (message: CoordinatorMessage): void => void tell(message);

  const run = <M extends { type: string }>(logic: AnyActorLogic, box: Mailbox<M>): Mailbox<M> => {
    running.push(runActor(logic, box, ports));
    return box;
  };

  /** A hold that is lifted again before anybody looks was in force all the same: probes take longer. */
  const hold: FailurePorts['hold'] = async (wanted, signal) => {
    if (!(await tell({ type: 'hold.wanted', hold: wanted }))) return;
    const key = holdKey(wanted);
    await holds.when((current) => current.some((set) => holdKey(set) === key), signal);
  };
  const { modelFor, failures } = ports;
  const onOverflow: FailurePorts['onOverflow'] = ({ agent, round }) =>
    agents.makeRoom(agent, round);
  const base = {
    record: (...rows: JournalFact[]) => record(ports, ...rows),
    tell,
    now: () => ports.time.now(),
  };
  const agents = new AgentHouse({
    clock: ports.clock,
    crash: ports.crash,
    plan: ports.subAgent,
    ...(ports.context === undefined ? {} : { keeper: keepersFor(ports.context, base) }),
    agent: {
      time: ports.time,
      journal: ports.journal,
      model: ports.model,
      retryDelay: ports.retryDelay,
      ...(ports.hooks === undefined ? {} : { hooks: ports.hooks }),
      tell,
      delta: (delta) => deltas.publish(delta),
      ...(ports.children === undefined ? {} : { children: ports.children }),
      gate: {
        isOpen: (agent) => isOpen(holds.current, agent),
        opened: async (agent, signal) => {
          await holds.when((current) => isOpen(current, agent), signal);
        },
      },
      ...(modelFor === undefined ? {} : { modelFor }),
      ...(failures === undefined ? {} : { failures: { ...failures, hold, onOverflow } }),
      canonical: (call) => ports.tools.canonical(call),
      call: async (request) => {
        const answer = replies.ask(request.call.id);
        if (!(await tell(request))) replies.settle(request.call.id, OVERLOADED);
        return answer;
      },
    },
  });

  const tools = run(
    executorMachine({
      time: ports.time,
      tools: ports.tools,
      settle: (callId, outcome) => void replies.settle(callId, outcome),
      answer: (callId, outcome) => void waiting.settle(callId, outcome),
      report,
      crash: ports.crash,
    }),
    newMailbox<Extract<Letter, { to: 'tools' }>['message']>(COORDINATOR_INBOX),
  );
  const supervisor = run(
    supervisorMachine(
      {
        time: ports.time,
        carryOut: (effect) => {
          if (effect.do === 'record') record(ports, effect.fact);
          else if (effect.do === 'report') report(effect.fact);
          else {
            agents.carryOut(effect);
            // A call under way would keep it from ending.
            const { agent } = effect;
            if (effect.do === 'stop') tools.offer({ type: 'tool.cancelAll', agent }, 'control');
          }
        },
        ...(ports.agentLimits === undefined ? {} : { limits: ports.agentLimits }),
      },
      { alive: ports.alive ?? [], spawned: initial.spawned },
    ),
    newMailbox<Extract<Letter, { to: 'supervisor' }>['message']>(AGENT_INBOX),
  );
  const pause = run(
    pauseMachine(
      {
        time: ports.time,
        publish: (current) => holds.publish(current),
        report,
        record: (rows) => record(ports, ...rows),
      },
      initial.holds,
    ),
    newMailbox<Extract<Letter, { to: 'pause' }>['message']>(AGENT_INBOX),
  );

  const accepted = (letter: Letter): boolean => {
    switch (letter.to) {
      case 'agent':
        return agents.offer(letter.agent, letter.message);
      case 'tools':
        return tools.offer(
          letter.message,
          letter.message.type === 'tool.run' ? 'normal' : 'control',
        );
      case 'supervisor':
        return supervisor.offer(letter.message);
      case 'pause':
        return pause.offer(letter.message, 'control');
      case 'asker':
        return ports.answers.settle(letter.message.callId, letter.message.answer);
      case 'sleeper':
        return ports.wakes?.settle(letter.message.callId, letter.message.reason) ?? false;
      case 'pulse':
        return pulses.settle(letter.message.id, true);
      case 'observers':
        keepQuestion(ports, letter.message);
        facts.publish(letter.message);
        return true;
      case 'root':
        ports.root(letter.message);
        return true;
    }
  };
  const deliver = (letter: Letter): void => {
    if (accepted(letter)) return;
    const { to, message } = letter;
    report({ type: 'letter.dead', to, what: message.type });
    if (message.type === 'tool.run') replies.settle(message.call.id, OVERLOADED);
    if (message.type === 'subagent.spawn') waiting.settle(message.callId, OVERLOADED);
  };

  run(
    coordinatorMachine(
      { deliver, publish: (state) => snapshots.publish(snapshotOf(state, view())) },
      initial,
    ),
    inbox,
  );

  return {
    agents,
    snapshots,
    facts,
    deltas,
    tell,
    deliver,
    pulse: async () => {
      const id = String((pulsed += 1));
      const answer = pulses.ask(id);
      if (!(await tell({ type: 'pulse', id }))) pulses.settle(id, false);
      return answer;
    },
    close: async () => {
      await agents.close();
      for (const actor of running) await actor.close();
    },
  };
}

/** A question is on record before anybody can answer it: the row stands ahead of the answer's. */
function keepQuestion(ports: Pick<MeshPorts, 'journal'>, fact: ObservedFact): void {
  if (fact.type === 'question.opened') {
    record(ports, sessionFact('question.opened', { question: fact.question }));
  } else if (fact.type === 'question.answered') {
    const { question, answer } = fact;
    record(ports, sessionFact('question.answered', { id: question.id, answer }));
  }
}
