/** One agent's loop over simulated ports: a scripted model, tools without a world, a clock moved by hand. */
import { createActor, SimulatedClock, type Actor } from 'xstate';
import { agentMachine } from '../../actors/agent-loop.js';
import type { AgentPorts, AgentSetup } from '../../actors/agent-steps.js';
import { Conversation, userMessage } from '../../actors/conversation.js';
import type { LifecycleHooks, ModelClient, ToolBox } from '../../actors/ports.js';
import type { AgentCommand, AgentDelta, AgentFact, CycleEnd } from '../../messages/agents.js';
import { Watch } from '../../messages/channels/watch.js';
import { isOpen, type Hold } from '../../messages/pause.js';
import { MemoryJournal } from './memory-journal.js';
import { ofType, Recorder } from './recorder.js';
import { ScriptedModel, type Turn } from './scripted-model.js';
import { MAIN, START } from './session-samples.js';
import { SimulatedTools, type SimulatedTool } from './simulated-tools.js';

export interface AgentRunOptions {
  readonly turns?: readonly Turn[];
  readonly model?: ModelClient;
  readonly tools?: Readonly<Record<string, SimulatedTool>>;
  readonly holds?: readonly Hold[];
  readonly setup?: Partial<AgentSetup>;
  readonly journal?: MemoryJournal;
  readonly hooks?: Partial<LifecycleHooks>;
  readonly modelFor?: AgentPorts['modelFor'];
  readonly failures?: AgentPorts['failures'];
  /** Called with each fact, as it is told. */
  readonly onFact?: (fact: AgentFact) => void;
  /** Where calls go; by default straight to the tools. */
  readonly call?: (tools: ToolBox) => AgentPorts['call'];
}

/** Long enough to be told apart, and the same for every attempt but for its number. */
export const RETRY_MS = 1_000;

const SILENT_HOOKS: LifecycleHooks = {
  preModel: () => Promise.resolve({ decision: 'go', message: null }),
  onStop: () => Promise.resolve({ decision: 'go', message: null }),
  preCompact: () => Promise.resolve({ decision: 'go', message: null }),
};

export function newClock(): SimulatedClock {
  const clock = new SimulatedClock();
  clock.set(START);
  return clock;
}

export class AgentRun {
  readonly clock = newClock();
  readonly facts = new Recorder<AgentFact>();
  readonly deltas: AgentDelta[] = [];
  readonly errors: unknown[] = [];
  readonly journal: MemoryJournal;
  readonly model: ScriptedModel;
  readonly tools: SimulatedTools;
  readonly holds: Watch<readonly Hold[]>;
  readonly conversation: Conversation;
  readonly actor: Actor<ReturnType<typeof agentMachine>>;

  constructor(options: AgentRunOptions = {}) {
    const time = { now: () => this.clock.now() };
    this.journal = options.journal ?? new MemoryJournal(time);
    this.model = new ScriptedModel(options.turns ?? []);
    this.tools = new SimulatedTools(this.journal, options.tools);
    this.holds = new Watch(options.holds ?? []);
    this.conversation = options.setup?.conversation ?? startOf('count the files');
    const ports: AgentPorts = {
      time,
      journal: this.journal,
      model: options.model ?? this.model,
      ...(options.modelFor === undefined ? {} : { modelFor: options.modelFor }),
      ...(options.failures === undefined ? {} : { failures: options.failures }),
      canonical: (call) => this.tools.canonical(call),
      gate: {
        isOpen: (agent) => isOpen(this.holds.current, agent),
        opened: async (agent, signal) => {
          await this.holds.when((holds) => isOpen(holds, agent), signal);
        },
      },
      call: (options.call ?? directly)(this.tools),
      tell: async (fact) => {
        options.onFact?.(fact);
        this.facts.push(fact);
        return Promise.resolve();
      },
      ...(options.hooks === undefined ? {} : { hooks: { ...SILENT_HOOKS, ...options.hooks } }),
      delta: (delta) => void this.deltas.push(delta),
      retryDelay: (attempt, error) => error.retryAfterMs ?? RETRY_MS * attempt,
    };
    const machine = agentMachine(ports, {
      agent: MAIN,
      model: 'scripted',
      tools: [],
      round: 0,
      maxRounds: null,
      retries: 3,
      ...options.setup,
      conversation: this.conversation,
    });
    this.actor = createActor(machine, { clock: this.clock });
    this.actor.subscribe({ error: (error) => void this.errors.push(error) });
  }

  start(): this {
    this.actor.start();
    return this;
  }

  send(command: AgentCommand): void {
    this.actor.send(command);
  }

  /** How the turn ended, once that is written down. */
  async end(): Promise<CycleEnd> {
    const fact = await this.facts.find(({ type }) => type === 'agent.ended');
    await this.journal.committed();
    return ofType([fact], 'agent.ended')[0]?.end as CycleEnd;
  }

  async phase(phase: string): Promise<void> {
    await this.facts.find((fact) => fact.type === 'agent.status' && fact.phase === phase);
  }

  get phases(): string[] {
    return ofType(this.facts.items, 'agent.status').map(({ phase }) => phase);
  }
}

const directly =
  (tools: ToolBox): AgentPorts['call'] =>
  async ({ call, agent, round }) => {
    const { signal } = new AbortController();
    const parked = <T>(wait: () => Promise<T>): Promise<T> => wait();
    return (await tools.run(call, { agent, round, callId: call.id, signal, parked })).outcome;
  };

export function startOf(goal: string): Conversation {
  const conversation = new Conversation();
  conversation.add({ role: 'system', text: 'You work.' });
  conversation.add(userMessage(goal, 'goal'));
  return conversation;
}
