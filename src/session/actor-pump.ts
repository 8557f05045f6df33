/** Runs a machine behind its mailbox: one message at a time, in the mailbox's order. */
import { createActor, type ActorOptions, type AnyActorLogic } from 'xstate';
import { Mailbox } from '../../messages/channels/mailbox.js';
import { CONTROL_LANE } from '../../messages/coordinator.js';

export const newMailbox = <M>(capacity: number): Mailbox<M> =>
  new Mailbox<M>({ capacity, controlCapacity: CONTROL_LANE });

export type Clock = NonNullable<ActorOptions<AnyActorLogic>['clock']>;

export interface RunningActor {
  /** Resolves when the machine has reached its end, or has thrown; else never. */
  readonly ended: Promise<void>;
  /** Handles what was accepted, then stops the actor. */
  close(): Promise<void>;
}

export interface PumpPorts {
  readonly clock: Clock;
  /** Hears of every error: a machine that has thrown is finished, and so is the process. */
  readonly crash: (error: unknown) => void;
}

export function runActor<M extends { type: string }>(
  logic: AnyActorLogic,
  box: Mailbox<M>,
  { clock, crash }: PumpPorts,
): RunningActor {
  const actor = createActor(logic, { clock });
  const ended = new Promise<void>((resolve) => {
    const error = (thrown: unknown): void => {
      resolve();
      crash(thrown);
    };
    actor.subscribe({ error, complete: resolve });
  });
  actor.start();
  const pump = async (): Promise<void> => {
    for await (const message of box) actor.send(message);
  };
  const pumped = pump().catch(crash);
  return {
    ended,
    close: async () => {
      box.close();
      await pumped;
      actor.stop();
    },
  };
}
