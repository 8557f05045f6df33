import { expect, test } from 'vitest';
import type { CallContext } from '../../actors/ports.js';
import type { EarlierWait } from '../../actors/recovered-waits.js';
import { ReplyRegistry } from '../../messages/channels/oneshot.js';
import type { CoordinatorMessage } from '../../messages/coordinator.js';
import type { CallId } from '../../messages/ids.js';
import type { WaitRequest, WakeReason } from '../../messages/sleeps.js';
import { sleeping, type SleepPorts } from '../../src/session/sleeping.js';
import { callId, MAIN, START } from '../support/session-samples.js';
import { settled, stateOf } from '../support/settled.js';

const CALL = callId('main_1_1');
const TIMER: WaitRequest = { mode: 'timer', since: START, until: START + 1_000 };
const MANUAL: WaitRequest = { mode: 'manual', since: START };
const EVENT: WaitRequest = {
  mode: 'event',
  event: { kind: 'path', path: 'a' },
  since: START,
  until: START + 1_000,
};

function bed(parts: Partial<SleepPorts> = {}) {
  const wakes = new ReplyRegistry<CallId, WakeReason>();
  const told: CoordinatorMessage[] = [];
  const controller = new AbortController();
  const sleep = sleeping({
    somebodyThere: true,
    resumedByPerson: false,
    time: { now: () => START },
    wakes,
    earlier: () => null,
    tell: (message) => {
      told.push(message);
      return Promise.resolve(true);
    },
    ...parts,
  });
  const context: CallContext = {
    agent: MAIN,
    round: 1,
    callId: CALL,
    signal: controller.signal,
    parked: (wait) => wait(),
  };
  return { wakes, told, controller, sleep: (request: WaitRequest) => sleep(request, context) };
}

test('a call sleeps until the coordinator wakes it, with its reason', async () => {
  const { sleep, wakes, told } = bed();
  const woken = sleep(TIMER);
  await settled();
  expect(told).toEqual([
    { type: 'sleep.begin', agent: MAIN, callId: CALL, wait: TIMER, at: START },
  ]);
  expect(wakes.settle(CALL, 'timer_expired')).toBe(true);
  expect(await woken).toBe('timer_expired');
});

test('a cancelled call is withdrawn, and still answered by the coordinator', async () => {
  const { sleep, wakes, told, controller } = bed();
  const woken = sleep(TIMER);
  controller.abort();
  await settled();
  expect(told.map(({ type }) => type)).toEqual(['sleep.begin', 'sleep.withdraw']);
  expect(wakes.settle(CALL, 'shutdown')).toBe(true);
  expect(await woken).toBe('shutdown');
});

test('a mesh that hears nothing any more is the end of the session', async () => {
  const { sleep, wakes } = bed({ tell: () => Promise.resolve(false) });
  expect(await sleep(TIMER)).toBe('shutdown');
  expect(wakes.size).toBe(0);
});

test('in a run that asks nobody, nobody is waited for', async () => {
  const { sleep, told } = bed({ somebodyThere: false });
  expect(await sleep(MANUAL)).toBe('nobody_there');
  expect(told).toEqual([]);
});

const before = (part: Partial<EarlierWait> = {}) => ({
  earlier: () => ({ since: START, resumed: false, spokenTo: false, ...part }),
});

test.each([
  [TIMER, before({ spokenTo: true }), 'message_received'],
  [EVENT, before({ spokenTo: true }), 'message_received'],
  [TIMER, before({ resumed: true }), 'user_resumed'],
  [MANUAL, before({ resumed: true }), 'user_resumed'],
  [MANUAL, { ...before(), resumedByPerson: true }, 'user_resumed'],
] as const)(
  'what a person had woken before the crash wakes at once',
  async (wait, parts, reason) => {
    const { sleep, told } = bed(parts);
    expect(await sleep(wait)).toBe(reason);
    expect(told).toEqual([]);
  },
);

test.each([
  [TIMER, { ...before(), resumedByPerson: true }],
  [EVENT, before({ resumed: true })],
  [MANUAL, before()],
] as const)('what nobody had woken sleeps on', async (wait, parts) => {
  const { sleep, told } = bed(parts);
  const woken = sleep(wait);
  await settled();
  expect(await stateOf(woken)).toBe('pending');
  expect(told).toHaveLength(1);
});
