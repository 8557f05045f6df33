/** What a seed decides before anything happens: the session, the tempers of those around it, and its deaths. */
import type { AgentLimits } from '../actors/sub-agent-supervisor.js';
import { AGENT_LIMITS } from '../actors/sub-agent-supervisor.js';
import type { SessionId } from '../messages/ids.js';
import type { OnQuestion, SessionSpec } from '../messages/session.js';
import type { Chance } from './chance.js';
import { moneyOf, type Money } from './money.js';
import { talkOf, type Talk } from './talk.js';

/**
 * Where a process dies: at the commit that would write the n-th row of its life, with nothing of it written,
 * or with all of it written and nobody told. `disk-full` is no death: nothing can be written from there on.
 */
export interface Fate {
  readonly rows: number;
  readonly how: 'before-commit' | 'after-commit' | 'disk-full';
}

export interface ModelTemper {
  /** From quick to slow, in milliseconds. */
  readonly latencyMs: number;
  /** Share of requests that fail. */
  readonly failing: number;
  /** Share of answers that are odd: broken arguments, unknown tools, no end. */
  readonly odd: number;
  /** After so many requests it only wants to finish. */
  readonly patience: number;
}

export interface PersonTemper {
  /** Between two looks at the session, on the average. */
  readonly everyMs: number;
  /** Share of looks at which something is done that nothing asked for. */
  readonly meddling: number;
  /** Looks after which all that is open is answered and lifted, and then the session is stopped. */
  readonly patience: number;
}

export interface Scenario {
  readonly spec: SessionSpec;
  readonly limits: AgentLimits;
  /** One for each life, in order; a life without one ends by itself. */
  readonly fates: readonly Fate[];
  /** How often a session that has ended is given a further goal. */
  readonly furtherGoals: number;
  readonly model: ModelTemper;
  readonly person: PersonTemper;
  readonly money: Money;
  /** Its calls change real files, which it keeps so that they can be put back. */
  readonly hasFiles: boolean;
  readonly talk: Talk;
  /** Longest time of a call, in milliseconds. */
  readonly toolMs: number;
  /** Longest time of a commit, in milliseconds. */
  readonly commitMs: number;
  /** From one checkpoint to the next. */
  readonly checkpointRounds: number;
}

/** Real files are slow beside everything else. */
const FILES_SHARE = 0.1;

/** Lives of one session, so that every history has an end. */
const MAX_FATES = 4;

export function scenarioOf(chance: Chance): Scenario {
  const money = moneyOf(chance.stream('money'));
  const { budget } = money;
  return {
    spec: { ...specOf(chance), ...(budget === undefined ? {} : { budget }) },
    money,
    hasFiles: chance.stream('files').happens(FILES_SHARE),
    talk: talkOf(chance.stream('talk')),
    limits: chance.happens(0.5)
      ? AGENT_LIMITS
      : {
          atOnce: chance.between(1, 3),
          alive: chance.between(1, 5),
          depth: chance.between(1, 3),
        },
    fates: Array.from({ length: chance.between(0, MAX_FATES) }, () => fateOf(chance)),
    furtherGoals: chance.weighted([
      [0, 6],
      [1, 3],
      [2, 1],
    ]),
    model: {
      latencyMs: chance.pick([20, 500, 5_000]),
      failing: chance.pick([0, 0.05, 0.25]),
      odd: chance.pick([0, 0.1, 0.3]),
      patience: chance.between(2, 35),
    },
    person: {
      everyMs: chance.pick([200, 2_000, 20_000, 200_000]),
      meddling: chance.pick([0, 0.2, 0.7]),
      patience: chance.between(3, 25),
    },
    toolMs: chance.pick([5, 500, 20_000, 200_000]),
    commitMs: chance.pick([0, 5, 50]),
    checkpointRounds: chance.stream('checkpoints').between(1, 6),
  };
}

const fateOf = (chance: Chance): Fate => ({
  // A small number of rows is a death while the session is being resumed.
  rows: chance.happens(0.3) ? chance.between(1, 8) : chance.between(1, 90),
  how: chance.weighted([
    ['before-commit', 4],
    ['after-commit', 4],
    ['disk-full', 1],
  ]),
});

const specOf = (chance: Chance): SessionSpec => ({
  id: '5e550000-0000-4000-8000-000000000001' as SessionId,
  name: 'simulated',
  workspace: '/simulated',
  model: 'first',
  ...(chance.happens(0.3) ? { fallback: ['second', 'third'] } : {}),
  baseUrl: 'http://simulated.invalid/v1',
  local: chance.happens(0.5),
  onQuestion: chance.weighted<OnQuestion>([
    ['wait', 6],
    ['deny', 2],
    ['fail', 1],
  ]),
  sharesWorkspace: false,
  // Its model server is its own: no places at a real one are taken.
  rehearsal: 'simulation',
  permissions: { mode: 'default', allow: [] },
  limits: {
    maxRounds: chance.happens(0.4) ? chance.between(1, 12) : null,
    maxTimeMs: chance.happens(0.2) ? chance.between(1, 600) * 1_000 : null,
  },
  startedAt: 0,
});
