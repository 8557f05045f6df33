/**
 * Where agents live: one root actor and one inbox each, by id. Root actors rather than children of one
 * machine, because a machine copies its list of children at every spawn.
 */
import { agentMachine } from '../../actors/agent-loop.js';
import { record, type AgentPorts, type AgentSetup } from '../../actors/agent-steps.js';
import type { Tally } from '../../actors/tally.js';
import type { ContextKeeper } from '../../actors/context/keeper.js';
import type { SupervisorEffect } from '../../actors/sub-agent-supervisor.js';
import type { AgentCommand } from '../../messages/agents.js';
import type { Mailbox } from '../../messages/channels/mailbox.js';
import type { Message } from '../../messages/conversation.js';
import { AGENT_INBOX } from '../../messages/coordinator.js';
import type { AgentId } from '../../messages/ids.js';
import { factOf } from '../../messages/journal.js';
import type { SubAgentTask } from '../../messages/subagents.js';
import { newMailbox, runActor, type Clock, type RunningActor } from './actor-pump.js';

/** A sub-agent about to be born: what it is, and the messages it starts from. */
export interface SubAgentPlan {
  readonly setup: Omit<AgentSetup, 'agent'>;
  readonly messages: readonly Message[];
}

export interface HousePorts {
  readonly agent: AgentPorts;
  readonly plan: (task: SubAgentTask) => SubAgentPlan;
  /** Keeps an agent's context; left out: nothing does. */
  readonly keeper?: (setup: AgentSetup) => ContextKeeper;
  readonly clock: Clock;
  readonly crash: (error: unknown) => void;
}

export type Revived = Pick<AgentSetup, 'conversation' | 'round'>;

interface Lodger {
  readonly inbox: Mailbox<AgentCommand>;
  readonly running: RunningActor;
  /** Null: nothing keeps its context. */
  readonly keeper: ContextKeeper | null;
}

type HouseEffect = Extract<SupervisorEffect, { do: 'create' | 'stop' | 'remove' }>;

export class AgentHouse {
  readonly #ports: HousePorts;
  readonly #lodgers = new Map<AgentId, Lodger>();
  readonly #tallies = new Set<Tally>();
  /** Null: nobody is to end. */
  #stopReason: string | null = null;

  constructor(ports: HousePorts) {
    this.#ports = ports;
  }

  start(setup: AgentSetup): void {
    const inbox = newMailbox<AgentCommand>(AGENT_INBOX);
    // One object for both: what a person changes of it holds for both.
    const kept: AgentSetup = { ...setup };
    const keeper = this.#ports.keeper?.(kept) ?? null;
    if (keeper !== null) kept.keeper = keeper;
    const running = runActor(agentMachine(this.#ports.agent, kept), inbox, this.#ports);
    this.#lodgers.set(setup.agent, { inbox, running, keeper });
    this.#tallies.add(setup.conversation.tally);
    const reason = this.#stopReason;
    if (reason !== null) this.offer(setup.agent, { type: 'agent.stop', reason });
  }

  /** Frees room in an agent's conversation, whose length its server refuses. False: there is none to free. */
  async makeRoom(agent: AgentId, round: number): Promise<boolean> {
    return (await this.#lodgers.get(agent)?.keeper?.shrink(round)) ?? false;
  }

  carryOut(effect: HouseEffect): void {
    switch (effect.do) {
      case 'create':
        this.#bear(effect.agent, effect.task);
        return;
      case 'stop':
        this.offer(effect.agent, { type: 'agent.stop', reason: effect.reason });
        return;
      case 'remove': {
        const lodger = this.#lodgers.get(effect.agent);
        this.#lodgers.delete(effect.agent);
        lodger?.running.close().catch(this.#ports.crash);
      }
    }
  }

  /** One of an earlier run of the process goes on where its rows end. */
  revive(agent: AgentId, task: SubAgentTask, { conversation, round }: Revived): void {
    // It died before its first words were on record.
    if (conversation.messages.length === 0) {
      this.#bear(agent, task);
      return;
    }
    const { setup } = this.#ports.plan(task);
    const maxRounds = setup.maxRounds === null ? null : setup.maxRounds - round;
    this.start({ ...setup, agent, conversation, round, maxRounds });
  }

  /** The files that agents which live, or have lived, in this run of the process have written. */
  get written(): readonly string[] {
    return [...this.#tallies].flatMap(({ written }) => written);
  }

  #bear(agent: AgentId, task: SubAgentTask): void {
    const { setup, messages } = this.#ports.plan(task);
    for (const message of messages) setup.conversation.add(message);
    const rows = messages.map((message) => factOf('message.added', agent, 0, { message }));
    record(this.#ports.agent, ...rows);
    this.start({ ...setup, agent });
  }

  /** False: no such agent lives, or its inbox is full. */
  offer(agent: AgentId, message: AgentCommand): boolean {
    const lane = message.type === 'agent.say' ? 'normal' : 'control';
    return this.#lodgers.get(agent)?.inbox.offer(message, lane) ?? false;
  }

  /** Asks every agent to end its turn, also one that is born from now on, and resolves when all have. */
  async stopAll(reason: string): Promise<void> {
    this.#stopReason = reason;
    for (const agent of this.#lodgers.keys()) this.offer(agent, { type: 'agent.stop', reason });
    const waitedFor = new Set<Lodger>();
    for (;;) {
      const others = [...this.#lodgers.values()].filter((lodger) => !waitedFor.has(lodger));
      if (others.length === 0) return;
      for (const lodger of others) waitedFor.add(lodger);
      await Promise.all(others.map(({ running }) => running.ended));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lodgers.values()].map(({ running }) => running.close()));
    this.#lodgers.clear();
  }
}
