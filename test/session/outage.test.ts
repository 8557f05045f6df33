import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { AfterRetries, ModelFailure } from '../../actors/model-failure.js';
import type { ModelError, ModelErrorKind } from '../../messages/model.js';
import type { EndpointProbed, Hold } from '../../messages/pause.js';
import { probeDelayMs } from '../../src/session/failure-policy.js';
import { Outage, type OutagePorts } from '../../src/session/outage.js';
import { holdOf, MAIN, modelError, START, usageOf } from '../support/session-samples.js';
import { settled } from '../support/settled.js';

class Watched {
  readonly clock = new SimulatedClock();
  readonly told: EndpointProbed[] = [];
  readonly givenUp: string[] = [];
  probes = 0;
  answers = false;
  readonly outage: Outage;

  constructor(ports: Partial<OutagePorts> = {}) {
    this.clock.set(START);
    this.outage = new Outage({
      time: { now: () => this.clock.now() },
      clock: this.clock,
      maxWaitMs: null,
      release: 'ouro resume 3f0c2a9e',
      keyAdvice: 'Put OPENAI_API_KEY somewhere.',
      nextModel: () => null,
      probe: () => {
        this.probes += 1;
        return Promise.resolve(this.answers);
      },
      tell: (message) => this.told.push(message),
      giveUp: (reason) => void this.givenUp.push(reason),
      ...ports,
    });
  }

  fails(kind: ModelErrorKind, more: Partial<ModelError> = {}): AfterRetries {
    const error = { ...modelError(kind), ...more };
    const failure: ModelFailure = { agent: MAIN, round: 3, model: 'm', error, first: error };
    return this.outage.afterRetries(failure);
  }

  /** As the mesh does it. */
  held(kind: ModelErrorKind, more: Partial<ModelError> = {}): Hold {
    const after = this.fails(kind, more);
    if (after.do !== 'hold') throw new Error(`not held: ${after.do}`);
    this.holds(after.hold);
    return after.hold;
  }

  holds(...holds: Hold[]): void {
    this.outage.onFact({ type: 'pause.changed', holds, at: this.clock.now() });
  }

  async later(ms: number): Promise<void> {
    this.clock.increment(ms);
    await settled(3);
  }
}

const KINDS: readonly ModelErrorKind[] = [
  'auth',
  'not-found',
  'bad-request',
  'context-overflow',
  'rate-limit',
  'overloaded',
  'server',
  'network',
  'stalled',
  'cut',
  'empty',
];

/** What follows a failure of each kind: where somebody may come, and where nobody is. */
const TABLE: Readonly<Record<string, readonly [patient: string, headless: string]>> = {
  auth: ['auth', 'end'],
  'not-found': ['end', 'end'],
  'bad-request': ['end', 'end'],
  'context-overflow': ['end', 'end'],
  'rate-limit': ['rate-limit', 'rate-limit'],
  overloaded: ['endpoint', 'endpoint'],
  server: ['endpoint', 'endpoint'],
  network: ['endpoint', 'endpoint'],
  stalled: ['endpoint', 'endpoint'],
  cut: ['endpoint', 'endpoint'],
  empty: ['end', 'end'],
};

const nameOf = (after: AfterRetries): string => (after.do === 'hold' ? after.hold.kind : after.do);

test.each(KINDS)('a failure of kind %s leads to what the table says', (kind) => {
  const found = [null, 300_000].map((maxWaitMs) => nameOf(new Watched({ maxWaitMs }).fails(kind)));
  expect(found).toEqual(TABLE[kind]);
});

test('a run that may not wait ends at once, whatever failed', () => {
  for (const kind of KINDS)
    expect(new Watched({ maxWaitMs: 0 }).fails(kind)).toEqual({ do: 'end' });
});

test('a hold says what is wrong, and with which command the server is asked again', () => {
  expect(new Watched().fails('network')).toEqual({
    do: 'hold',
    hold: {
      kind: 'endpoint',
      scope: 'session',
      since: START,
      until: null,
      reason: 'the server said: network',
      release: 'ouro resume 3f0c2a9e',
    },
  });
});

test('a hold for another key names where to put it', () => {
  expect(new Watched().held('auth').reason).toBe(
    'the server said: auth Put OPENAI_API_KEY somewhere.',
  );
});

test('the server is looked for at 5 s, 15 s, 1 min, 5 min, and then every 15 min', async () => {
  const watched = new Watched();
  watched.held('network');
  for (const [n, ms] of [5_000, 15_000, 60_000, 300_000, 900_000, 900_000].entries()) {
    await watched.later(ms - 1);
    expect(watched.probes).toBe(n);
    await watched.later(1);
    expect(watched.probes).toBe(n + 1);
  }
  expect(watched.told.every(({ ok }) => !ok)).toBe(true);
});

test('a server that answers is reported, and is not looked for once the hold is lifted', async () => {
  const watched = new Watched();
  watched.held('network');
  watched.answers = true;
  await watched.later(5_000);
  expect(watched.told).toEqual([{ type: 'endpoint.probed', ok: true, action: null }]);
  watched.holds();
  await watched.later(3_600_000);
  expect(watched.probes).toBe(1);
});

test('a server that answers probes and fails requests is asked ever more rarely, until a request succeeds', async () => {
  const watched = new Watched();
  watched.answers = true;
  for (const ms of [5_000, 15_000, 60_000]) {
    watched.held('server');
    await watched.later(ms - 1);
    const before = watched.probes;
    await watched.later(1);
    expect(watched.probes).toBe(before + 1);
    watched.holds();
  }
  watched.outage.onFact({
    type: 'model.used',
    agent: MAIN,
    round: 4,
    model: 'm',
    usage: usageOf(1, 1),
    at: START,
  });
  watched.held('server');
  await watched.later(5_000);
  expect(watched.probes).toBe(4);
});

test('nobody looks for a server while the hold waits for a key or a limit', async () => {
  const watched = new Watched();
  watched.held('auth');
  await watched.later(3_600_000);
  expect(watched.probes).toBe(0);
});

test('a rate limit is held with a countdown: what the server asks for, or longer each time', () => {
  const watched = new Watched();
  expect(watched.held('rate-limit', { retryAfterMs: 90_000 }).until).toBe(START + 90_000);
  expect(watched.held('rate-limit').until).toBe(START + 90_000);
  watched.holds();
  expect(watched.held('rate-limit').until).toBe(START + probeDelayMs(1));
});

test('the wait is given up at its limit, counted from the first failure', async () => {
  const watched = new Watched({ maxWaitMs: 60_000 });
  watched.answers = true;
  watched.held('network');
  await watched.later(40_000);
  watched.holds();
  watched.held('network');
  await watched.later(19_999);
  expect(watched.givenUp).toEqual([]);
  await watched.later(1);
  expect(watched.givenUp).toEqual([
    expect.stringMatching(/^the server said: network .*--max-wait/),
  ]);
  expect(watched.fails('network')).toEqual({ do: 'end' });
});

test('a limit that will pass too late is not waited for', () => {
  const watched = new Watched({ maxWaitMs: 60_000 });
  expect(watched.fails('rate-limit', { retryAfterMs: 61_000 })).toEqual({ do: 'end' });
});

test('a resumed session that is held has its server looked for', async () => {
  const watched = new Watched();
  watched.outage.follow([holdOf({ kind: 'endpoint' })]);
  watched.answers = true;
  await watched.later(5_000);
  expect(watched.told).toEqual([{ type: 'endpoint.probed', ok: true, action: null }]);
});

test('a person who asks is answered at once', async () => {
  const watched = new Watched();
  watched.held('auth');
  await watched.outage.probeFor('action 1');
  expect(watched.told).toEqual([{ type: 'endpoint.probed', ok: false, action: 'action 1' }]);
});

test('another model goes before a hold, and what is left is judged by the first failure', () => {
  const watched = new Watched({ nextModel: ({ model }) => (model === 'm' ? 'n' : null) });
  expect(watched.fails('overloaded')).toEqual({ do: 'again', model: 'n' });
  const failure: ModelFailure = {
    agent: MAIN,
    round: 3,
    model: 'n',
    error: modelError('not-found'),
    first: modelError('overloaded'),
  };
  expect(nameOf(watched.outage.afterRetries(failure))).toBe('endpoint');
});

test('failures that somebody else judges go before everything', () => {
  const hold = holdOf({ kind: 'budget' });
  const watched = new Watched({ special: () => ({ do: 'hold', hold }), nextModel: () => 'n' });
  expect(watched.fails('server')).toEqual({ do: 'hold', hold });
});

test('after the end nothing is looked for any more', async () => {
  const watched = new Watched({ maxWaitMs: 60_000 });
  watched.held('network');
  watched.outage.close();
  await watched.later(3_600_000);
  expect([watched.probes, watched.givenUp]).toEqual([0, []]);
});
