import { assign, setup, SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { CONTROL_LANE } from '../../messages/coordinator.js';
import { newMailbox, runActor } from '../../src/session/actor-pump.js';
import { settled } from '../support/settled.js';

type Message = { type: 'add'; n: number } | { type: 'end' } | { type: 'break' };

function pump() {
  const heard: number[] = [];
  const crashes: unknown[] = [];
  const adding = setup({
    types: { context: {} as { sum: number }, events: {} as Message },
    actions: {
      fail: () => {
        throw new Error('a bug');
      },
    },
  });
  const machine = adding.createMachine({
    context: { sum: 0 },
    initial: 'open',
    states: {
      open: {
        on: {
          add: {
            actions: [
              assign({ sum: ({ context, event }) => context.sum + event.n }),
              ({ event }) => void heard.push(event.n),
            ],
          },
          end: 'over',
          break: { actions: 'fail' },
        },
      },
      over: { type: 'final' },
    },
  });
  const box = newMailbox<Message>(4);
  const crash = (error: unknown): void => void crashes.push(error);
  const running = runActor(machine, box, { clock: new SimulatedClock(), crash });
  return { box, running, heard, crashes };
}

test('messages reach the machine in the order of the mailbox', async () => {
  const { box, running, heard } = pump();
  for (const n of [1, 2, 3]) box.offer({ type: 'add', n });
  box.offer({ type: 'add', n: 0 }, 'control');
  await running.close();
  expect(heard).toEqual([0, 1, 2, 3]);
});

test('closing handles what was accepted and refuses what comes', async () => {
  const { box, running, heard } = pump();
  box.offer({ type: 'add', n: 1 });
  const closed = running.close();
  expect(box.offer({ type: 'add', n: 2 })).toBe(false);
  await closed;
  expect(heard).toEqual([1]);
});

test('it says when the machine has reached its end', async () => {
  const { box, running } = pump();
  box.offer({ type: 'end' });
  await running.ended;
  await running.close();
});

test('an error in the machine is reported once', async () => {
  const { box, running, crashes } = pump();
  box.offer({ type: 'break' });
  box.offer({ type: 'add', n: 1 });
  await settled(2);
  await running.close();
  expect(crashes).toMatchObject([{ message: 'a bug' }]);
});

test('every mailbox has a lane for control', () => {
  const box = newMailbox<Message>(1);
  const accepted = Array.from({ length: CONTROL_LANE + 1 }, () =>
    box.offer({ type: 'end' }, 'control'),
  );
  expect(accepted.filter(Boolean)).toHaveLength(CONTROL_LANE);
});
