/** How conversations are kept within their window: real and made-up sessions replayed under several strategies. */
import { loadPrompt } from '../../config/prompts.js';
import { estimateRows } from '../context/estimates.js';
import { recordedTrace } from '../context/recorded-trace.js';
import { replay, type Replayed, type ReplaySetup } from '../context/replay.js';
import { rowsOf, strategyTable, type Replays } from '../context/report.js';
import { STRATEGIES, type StrategyName } from '../context/strategies.js';
import { syntheticTrace } from '../context/synthetic-trace.js';
import { o200k, remembering } from '../context/tokens.js';
import type { Trace } from '../context/trace.js';
import type { Row } from '../figures.js';
import { newPlace, removePlace, type Place } from '../ouro.js';
import { byExtent, type Bench, type Part } from '../part.js';
import { forgetfulJournal, newSession, toolBoxOn } from '../tool-ground.js';

/** Of the models that long sessions are run with. */
const WINDOW_TOKENS = 200_000;
const RECORDED_ROUNDS = 200;

type Common = Omit<ReplaySetup, 'trace' | 'strategy'>;

export const context: Part = {
  name: 'context',
  about: 'sessions replayed under several ways to keep a conversation within its window',
  async run(bench): Promise<Row[]> {
    const place = newPlace();
    try {
      return await measure(bench, place);
    } finally {
      removePlace(place);
    }
  },
};

async function measure(bench: Bench, place: Place): Promise<Row[]> {
  const common = commonOf(place);
  const recorded = await recordedTrace(bench.server, RECORDED_ROUNDS);
  const synthetic = syntheticTrace(byExtent(bench, { quick: 500, normal: 5_000, long: 5_000 }));
  const rows: Row[] = [];
  let learnt: Replayed | undefined;
  for (const trace of [recorded, synthetic]) {
    const replays = await replayAll(trace, common);
    learnt ??= replays.get('mask + summary');
    bench.say(`\n${trace.name}:\n\n${strategyTable(trace, replays)}\n`);
    rows.push(...rowsOf(trace, replays));
  }
  if (learnt === undefined) throw new Error('nothing was replayed');
  return [...rows, ...estimateRows(recorded, learnt.estimator, common.count)];
}

async function replayAll(trace: Trace, common: Common): Promise<Replays> {
  const replays = new Map<StrategyName, Replayed>();
  for (const strategy of STRATEGIES) {
    replays.set(strategy, await replay({ ...common, trace, strategy }));
  }
  return replays;
}

function commonOf(place: Place): Common {
  const { workspace, home } = place;
  return {
    windowTokens: WINDOW_TOKENS,
    system: loadPrompt('system', { workspace }),
    tools: toolBoxOn(place, forgetfulJournal()).definitions('main'),
    spec: {
      ...{ id: newSession(), name: 'bench', workspace, model: 'bench' },
      ...{ baseUrl: 'http://127.0.0.1', rehearsal: null, local: true, onQuestion: 'deny' },
      ...{ sharesWorkspace: false, permissions: { mode: 'default', allow: [] } },
      ...{ limits: { maxRounds: null, maxTimeMs: null }, startedAt: 0 },
    },
    home,
    count: remembering(o200k),
  };
}
