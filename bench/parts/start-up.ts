/** Verbs that do not touch a model: what a person waits for a prompt to come back. */
import { randomUUID } from 'node:crypto';
import type { SessionId } from '../../messages/ids.js';
import { openIndex } from '../../src/store/index-store.js';
import { ensureHome } from '../../src/store/layout.js';
import type { SessionRecord } from '../../src/store/session-record.js';
import { median, notMeasured, ratioRow, summarise, type Row } from '../figures.js';
import { bareNodeMs, newPlace, removePlace, requireOk, startOuro, type Place } from '../ouro.js';
import { byExtent, type Part } from '../part.js';

const SESSIONS = 20;

const VERBS = [
  { words: ['--version'], name: 'ouro --version', limit: 1.5 },
  { words: ['ls', '--all'], name: `ouro ls --all, ${SESSIONS} sessions`, limit: 2.5 },
] as const;

export const startUp: Part = {
  name: 'start-up',
  about: 'ouro --version and ouro ls against node -e 0',
  async run(bench) {
    const place = newPlace();
    try {
      fillIndex(place);
      const samples = byExtent(bench, { quick: 8, normal: 25, long: 50 });
      return await measure(place, samples);
    } finally {
      removePlace(place);
    }
  },
};

async function measure(place: Place, samples: number): Promise<Row[]> {
  const node: number[] = [];
  const taken = VERBS.map((): number[] => []);
  const failed = new Map<number, string>();
  for (let i = 0; i < samples; i += 1) {
    node.push(await bareNodeMs());
    for (const [v, { words, name }] of VERBS.entries()) {
      if (failed.has(v)) continue;
      const ended = await startOuro(place, words).ended;
      if (ended.code === 0) taken[v]?.push(ended.ms);
      else failed.set(v, await complaint(place, words, name));
    }
  }
  const floor = { what: 'node -e 0', p50: median(node) };
  return VERBS.map(({ name, limit }, v) => {
    const why = failed.get(v);
    if (why !== undefined) return notMeasured(name, `≤ ${limit} ×`, why);
    return ratioRow({ name, unit: 'ms', floor, measured: summarise(taken[v] ?? []), limit });
  });
}

/** The first line of what it says when it fails. */
async function complaint(place: Place, words: readonly string[], name: string): Promise<string> {
  try {
    requireOk(await startOuro(place, words, { keepOutput: true }).ended, name);
    return 'it failed once';
  } catch (error) {
    return String(error).split('\n', 1)[0] ?? '';
  }
}

/** The index is what is read; the folders of the sessions are not there, as after pruning. */
function fillIndex({ home, workspace }: Place): void {
  ensureHome(home);
  const index = openIndex({ home, time: { now: () => Date.now() } });
  for (let i = 0; i < SESSIONS; i += 1) index.put(record(workspace, i));
  index.close();
}

const record = (workspace: string, n: number): SessionRecord => ({
  id: randomUUID() as SessionId,
  name: `session ${n}`,
  workspace,
  goal: `Goal number ${n}`,
  model: 'bench',
  state: 'done',
  pid: null,
  startedAt: Date.now() - n * 60_000,
  updatedAt: Date.now(),
  rounds: n,
  costUsd: 0,
  promptTokens: 1000 * n,
  completionTokens: 100 * n,
  holds: [],
  socket: null,
  endStatus: 'done',
  exitCode: 0,
});
