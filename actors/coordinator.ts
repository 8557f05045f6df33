/**
 * The coordinator: owns the canonical state, hears everything on one inbox and awaits nothing. What a
 * message means is decided by `step`; this machine only keeps the state and hands the letters over.
 */
import { setup } from 'xstate';
import type { CoordinatorMessage, Letter } from '../messages/coordinator.js';
import { step } from './coordinator-step.js';
import type { State } from './coordinator-state.js';

export interface CoordinatorPorts {
  /** Hands a letter over without waiting. Must not throw: that would end the coordinator. */
  deliver(letter: Letter): void;
  /** Called after each message that changed something, with the state that resulted. */
  publish(state: State): void;
}

export function coordinatorMachine(ports: CoordinatorPorts, initial: State) {
  const coordinator = setup({
    types: { context: {} as State, events: {} as CoordinatorMessage },
  });
  const handle = coordinator.enqueueActions(({ context, event, enqueue }) => {
    const [state, letters] = step(context, event);
    if (state !== context) {
      enqueue.assign(state);
      enqueue(() => ports.publish(state));
    }
    enqueue(() => {
      for (const letter of letters) ports.deliver(letter);
    });
  });
  return coordinator.createMachine({
    id: 'coordinator',
    context: initial,
    on: { '*': { actions: handle } },
  });
}
