/** The whole mesh over simulated ports: scripted agents, tools without a world, a journal in memory. */
import type { SimulatedClock } from 'xstate';
import { factOf } from '../../messages/journal.js';
import { initialState, type State } from '../../actors/coordinator-state.js';
import { Conversation, userMessage } from '../../actors/conversation.js';
import type { AgentSetup } from '../../actors/agent-steps.js';
import type { ModelClient } from '../../actors/ports.js';
import type { ActionRequest } from '../../messages/actions.js';
import type { CycleEnd } from '../../messages/agents.js';
import { ReplyRegistry } from '../../messages/channels/oneshot.js';
import type { ObservedFact, RootCommand } from '../../messages/coordinator.js';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import type { SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { delegation } from '../../src/session/delegation.js';
import { SubAgentDesk } from '../../src/session/sub-agent-desk.js';
import { createMesh, type Mesh, type MeshPorts } from '../../src/session/mesh.js';
import { newClock, RETRY_MS, startOf } from './agent-run.js';
import { MemoryJournal } from './memory-journal.js';
import { Recorder } from './recorder.js';
import { ScriptedModel, type Turn } from './scripted-model.js';
import { specOf } from './session-samples.js';
import { SimulatedTools, type SimulatedTool } from './simulated-tools.js';

export interface MeshRunOptions {
  /** What each agent's model says; `sub` is for all sub-agents together. */
  readonly main?: readonly Turn[];
  readonly sub?: readonly Turn[];
  readonly tools?: Readonly<Record<string, SimulatedTool>>;
  readonly initial?: Partial<State>;
  readonly failures?: MeshPorts['failures'];
}

export class MeshRun {
  readonly clock: SimulatedClock = newClock();
  readonly time = { now: (): number => this.clock.now() };
  readonly journal = new MemoryJournal(this.time);
  readonly waiting = new ReplyRegistry<CallId, ToolOutcome>();
  readonly root = new Recorder<RootCommand>();
  readonly facts = new Recorder<ObservedFact>();
  readonly crashes: unknown[] = [];
  readonly mainModel: ScriptedModel;
  readonly subModel: ScriptedModel;
  readonly tools: SimulatedTools;
  readonly mesh: Mesh;
  readonly desk = new SubAgentDesk([], () => null);
  readonly delegation = delegation({
    desk: this.desk,
    waiting: this.waiting,
    tell: (message) => this.mesh.tell(message),
    viewOf: (agent) => this.mesh.snapshots.current.agents.find(({ id }) => id === agent) ?? null,
  });
  readonly conversation = startOf('count the files');
  #actions = 0;

  constructor(options: MeshRunOptions = {}) {
    const { main = [], sub = [], tools = {}, initial = {}, failures } = options;
    this.mainModel = new ScriptedModel(main);
    this.subModel = new ScriptedModel(sub);
    this.tools = new SimulatedTools(this.journal, { delegate: this.#delegate, ...tools });
    const state = { ...initialState(specOf(), 'count the files'), ...initial };
    this.mesh = createMesh(
      {
        time: this.time,
        clock: this.clock,
        journal: this.journal,
        model: this.#model,
        tools: this.tools,
        answers: new ReplyRegistry(),
        children: this.desk,
        subAgent: (task) => ({ setup: setupOf(new Conversation()), messages: tasked(task) }),
        retryDelay: (attempt) => RETRY_MS * attempt,
        ...(failures === undefined ? {} : { failures }),
        root: (command) => this.root.push(command),
        crash: (error) => void this.crashes.push(error),
      },
      state,
      this.waiting,
    );
    this.mesh.facts.on((fact) => this.desk.hear(fact));
    this.mesh.facts.on((fact) => this.facts.push(fact));
  }

  get #model(): ModelClient {
    return {
      ask: (request, onDelta, signal) => {
        const model = request.agent === MAIN_AGENT ? this.mainModel : this.subModel;
        return model.ask(request, onDelta, signal);
      },
    };
  }

  /** As the composition root wires it. */
  get #delegate(): SimulatedTool {
    return {
      waits: true,
      run: (call, context) => {
        const { task = 'look', background = false } = call.args as Partial<SubAgentTask>;
        const base = { kind: 'explore', task, context: '' } as const;
        return this.delegation.delegate(background ? { ...base, background } : base, context);
      },
    };
  }

  start(): this {
    const setup = { ...setupOf(this.conversation), agent: MAIN_AGENT };
    this.mesh.agents.start(setup);
    return this;
  }

  /** How the main agent's turn ended, as the root is told. */
  async end(): Promise<CycleEnd> {
    const command = await this.root.find(({ type }) => type === 'root.ended');
    return command.type === 'root.ended' ? command.fact.end : Promise.reject(new Error('no end'));
  }

  /** As the gateway does it: into the journal, into the control lane, and back with the answer. */
  async act(action: ActionRequest): Promise<ObservedFact> {
    const id = `action ${(this.#actions += 1)}`;
    const seq = await this.journal.append([factOf('user.action', MAIN_AGENT, 0, { action })]);
    await this.mesh.tell({ type: 'user.action', id, seq, action, at: this.clock.now() });
    return this.facts.find((fact) => fact.type === 'action.done' && fact.id === id);
  }
}

const setupOf = (conversation: Conversation): Omit<AgentSetup, 'agent'> => ({
  model: 'scripted',
  tools: [],
  conversation,
  round: 0,
  maxRounds: null,
  retries: 3,
});

const tasked = ({ task }: SubAgentTask) => [
  { role: 'system' as const, text: 'You look around.' },
  userMessage(task, 'parent'),
];
