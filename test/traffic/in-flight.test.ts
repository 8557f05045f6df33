import { expect, test } from 'vitest';
import type { AgentId } from '../../messages/ids.js';
import type { ModelOutcome, ModelRequest } from '../../messages/model.js';
import { InFlightLimit } from '../../src/traffic/in-flight.js';
import { says } from '../support/scripted-model.js';
import { MAIN } from '../support/session-samples.js';
import { settled, stateOf } from '../support/settled.js';

/** Places and a server that answers when it is told to. */
class Traffic {
  free: number;
  readonly closed = new Set<AgentId>();
  readonly asked: AgentId[] = [];
  readonly queue: string[] = [];
  readonly timers: (() => void)[] = [];
  readonly #answers: ((outcome: ModelOutcome) => void)[] = [];
  readonly limit: InFlightLimit;

  constructor(places: number) {
    this.free = places;
    this.limit = new InFlightLimit({
      model: {
        ask: ({ agent }) => {
          this.asked.push(agent);
          return new Promise((resolve) => this.#answers.push(resolve));
        },
      },
      tryTake: () => {
        if (this.free === 0) return null;
        this.free -= 1;
        return () => void (this.free += 1);
      },
      mayAsk: (agent) => !this.closed.has(agent),
      onQueued: ({ agent }, waiting) => void this.queue.push(`${waiting ? '+' : '-'}${agent}`),
      setTimeout: (run) => this.timers.push(run),
    });
  }

  ask(agent: AgentId, signal = new AbortController().signal): Promise<ModelOutcome> {
    const request: ModelRequest = { agent, round: 1, model: 'm', messages: [], tools: [] };
    return this.limit.ask(request, () => undefined, signal);
  }

  async answer(): Promise<void> {
    this.#answers.shift()?.(says('fine'));
    await settled(2);
  }

  async lookAgain(): Promise<void> {
    for (const run of this.timers.splice(0)) run();
    await settled(2);
  }
}

const sub = (n: number): AgentId => `sub-${n}` as AgentId;

test('requests beyond the places wait, and say so', async () => {
  const traffic = new Traffic(2);
  const all = [MAIN, sub(1), sub(2)].map((agent) => traffic.ask(agent));
  await settled(2);
  expect(traffic.asked).toEqual([MAIN, sub(1)]);
  expect(traffic.queue).toEqual(['+sub-2']);
  await traffic.answer();
  expect(traffic.asked).toEqual([MAIN, sub(1), sub(2)]);
  expect(traffic.queue).toEqual(['+sub-2', '-sub-2']);
  await traffic.answer();
  await traffic.answer();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(traffic.free).toBe(2);
});

test('the main agent goes before sub-agents that came first', async () => {
  const traffic = new Traffic(1);
  for (const agent of [sub(1), sub(2), MAIN]) void traffic.ask(agent);
  await settled(2);
  await traffic.answer();
  await traffic.answer();
  expect(traffic.asked).toEqual([sub(1), MAIN, sub(2)]);
});

test('a place that another process gave back is found', async () => {
  const traffic = new Traffic(0);
  void traffic.ask(MAIN);
  await traffic.lookAgain();
  expect(traffic.asked).toEqual([]);
  traffic.free = 1;
  await traffic.lookAgain();
  expect(traffic.asked).toEqual([MAIN]);
  expect(traffic.timers).toEqual([]);
});

test('an aborted request leaves the queue at once, and takes no place later', async () => {
  const traffic = new Traffic(0);
  const abort = new AbortController();
  const asked = traffic.ask(MAIN, abort.signal);
  await settled(2);
  abort.abort();
  expect(await stateOf(asked)).toEqual({ status: 'cancelled' });
  traffic.free = 1;
  await traffic.lookAgain();
  expect([traffic.free, traffic.asked]).toEqual([1, []]);
});

test('who is held meanwhile leaves the queue, and the others stay', async () => {
  const traffic = new Traffic(0);
  const [main, other] = [traffic.ask(MAIN), traffic.ask(sub(1))];
  traffic.closed.add(MAIN);
  traffic.limit.recheck();
  expect(await stateOf(main)).toEqual({ status: 'cancelled' });
  expect(await stateOf(other)).toBe('pending');
});

test('a place is given back when the client fails', async () => {
  const traffic = new Traffic(1);
  const limit = new InFlightLimit({
    model: { ask: () => Promise.reject(new Error('a bug')) },
    tryTake: () => {
      traffic.free -= 1;
      return () => void (traffic.free += 1);
    },
    mayAsk: () => true,
    onQueued: () => undefined,
    setTimeout: () => undefined,
  });
  const request: ModelRequest = { agent: MAIN, model: 'm', messages: [], tools: [] };
  await expect(limit.ask(request, () => undefined, new AbortController().signal)).rejects.toThrow(
    'a bug',
  );
  expect(traffic.free).toBe(1);
});
