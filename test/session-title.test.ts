/** When a title is asked for, what it gives way to, and what it never replaces. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULTS, type Config } from '../config/settings.js';
import type { AgentPhase } from '../messages/agents.js';
import { Broadcast } from '../messages/channels/broadcast.js';
import type { CoordinatorMessage, ObservedFact } from '../messages/coordinator.js';
import type { AgentId } from '../messages/ids.js';
import type { Hold } from '../messages/pause.js';
import type { SessionSpec } from '../messages/session.js';
import type { Ground } from '../src/ground.js';
import { SessionTitle } from '../src/session-title.js';
import { sessionDir } from '../src/store/layout.js';
import { giveName } from '../src/store/session-labels.js';
import { MemoryJournal } from './support/memory-journal.js';
import { fails, hangs, says, ScriptedModel, type Turn } from './support/scripted-model.js';
import { holdOf, MAIN, specOf, START, SUB } from './support/session-samples.js';
import { eventually, settled } from './support/settled.js';

interface Changes {
  readonly spec?: Partial<SessionSpec>;
  readonly model?: Partial<Config['model']>;
  readonly turns?: readonly Turn[];
  readonly headless?: boolean;
}

function titled({ spec: changes = {}, model = {}, turns, headless = false }: Changes = {}) {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-title-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const spec = specOf({ rehearsal: null, local: true, named: false, ...changes });
  mkdirSync(sessionDir(home, spec.id), { recursive: true });
  const time = { now: () => START };
  const journal = new MemoryJournal(time);
  const facts = new Broadcast<ObservedFact>();
  const told: CoordinatorMessage[] = [];
  const patches: object[] = [];
  const current = { holds: [] as readonly Hold[] };
  const small = new ScriptedModel(turns ?? [says('Repair the parser')]);
  const index = { patch: (_id: string, change: object) => void patches.push(change) };
  const settings = { inForce: spec, title: () => undefined };
  const title = new SessionTitle({
    ground: { spec, journal, index } as unknown as Ground,
    request: {
      home,
      env: { SECRET_TOKEN: 'abcdef0123456789' },
      config: { ...DEFAULTS, model: { ...DEFAULTS.model, ...model } },
      needsCommands: headless,
    },
    goal: 'repair the parser, it fails on commas',
    model: small,
    settings,
    time,
    mesh: () =>
      ({
        facts,
        snapshots: { current },
        tell: (message: CoordinatorMessage) => Promise.resolve(told.push(message) > 0),
      }) as never,
  });
  title.follow();
  const phase = (now: AgentPhase, agent: AgentId = MAIN, round = 1): void =>
    facts.publish({ type: 'agent.status', agent, phase: now, round, at: START });
  const { items: requests } = small.requests;
  return { title, home, spec, settings, journal, facts, told, patches, current, requests, phase };
}

const titles = ({ journal }: ReturnType<typeof titled>) =>
  journal.ofKind('session.titled').map(({ body }) => body.title);

test('it is asked for once the first answer is there, and is on record before it is shown', async () => {
  const run = titled();
  run.phase('preparing', MAIN, 0);
  run.phase('asking');
  await settled();
  expect(run.requests).toEqual([]);
  run.phase('acting');
  await eventually(() => run.told.length === 1);
  expect(run.requests).toMatchObject([{ agent: 'titler', model: 'scripted', tools: [] }]);
  expect(run.requests[0]?.messages[1]?.text).toContain('repair the parser, it fails on commas');
  expect(run.journal.ofKind('session.titled')[0]?.body).toMatchObject({
    title: 'Repair the parser',
    modelUse: [{ model: 'scripted-1', usage: { promptTokens: 10 } }],
  });
  expect(run.told).toMatchObject([{ type: 'session.titled', title: 'Repair the parser' }]);
  expect(run.patches).toEqual([{ name: 'Repair the parser' }]);
  run.phase('acting', MAIN, 2);
  await settled();
  expect(run.requests).toHaveLength(1);
});

test.each<[string, Changes, boolean]>([
  ['a server that wants money, and no small model', { spec: { local: false } }, false],
  ['a small model', { spec: { local: false }, model: { small: 'mini' } }, true],
  ['titles wanted all the same', { spec: { local: false }, model: { titles: true } }, true],
  ['titles not wanted', { model: { titles: false, small: 'mini' } }, false],
  ['a script', { spec: { rehearsal: 'survey' }, model: { small: 'mini' } }, false],
  ['a run that nobody looks at', { headless: true }, false],
  ['a name of its own', { spec: { named: true } }, false],
  ['a session of an older program', { spec: { named: undefined as never } }, false],
])('with %s: %o', async (_, changes, asks) => {
  const run = titled(changes);
  run.phase('acting');
  await settled();
  expect(run.requests.length > 0).toBe(asks);
  if (asks) expect(run.requests[0]?.model).toBe(changes.model?.small ?? 'scripted');
});

test('it leaves its place to whoever waits for one, and is tried once more', async () => {
  const run = titled({ turns: [hangs, hangs, says('never')] });
  for (const [round, waiting] of [MAIN, SUB].entries()) {
    run.phase('acting', MAIN, round + 1);
    await eventually(() => run.requests.length === round + 1);
    run.phase('queued', waiting, round + 2);
    await settled();
  }
  run.phase('acting', MAIN, 9);
  await settled();
  expect(run.requests).toHaveLength(2);
  expect([titles(run), run.told]).toEqual([[], []]);
});

test('a failure that may pass is tried once more, another is not; nobody is told of either', async () => {
  const passing = titled({ turns: [fails('overloaded'), says('Repair it')] });
  for (const round of [1, 2]) {
    passing.phase('acting', MAIN, round);
    await settled();
  }
  expect(titles(passing)).toEqual(['Repair it']);
  const final = titled({ turns: [fails('budget'), says('never')] });
  for (const round of [1, 2]) {
    final.phase('acting', MAIN, round);
    await settled();
  }
  expect(final.requests).toHaveLength(1);
  expect(final.told).toEqual([]);
});

test('a session that is held asks for nothing, and breaks off what it had asked', async () => {
  const held = titled();
  held.current.holds = [holdOf()];
  held.phase('acting');
  await settled();
  expect(held.requests).toEqual([]);
  const paused = titled({ turns: [hangs] });
  paused.phase('acting');
  await eventually(() => paused.requests.length === 1);
  paused.facts.publish({ type: 'pause.changed', holds: [holdOf()], at: START });
  await paused.title.close();
  expect(paused.told).toEqual([]);
});

test('a name that a person gives meanwhile stays, and the answer is paid for all the same', async () => {
  let answer: () => void = () => undefined;
  const turn: Turn = () =>
    new Promise((resolve) => (answer = () => resolve(says('Repair the parser'))));
  const run = titled({ turns: [turn] });
  run.phase('acting');
  await eventually(() => run.requests.length === 1);
  giveName(run.home, run.spec.id, 'mine');
  answer();
  await eventually(() => run.told.length === 1);
  expect(run.told).toMatchObject([{ title: null, modelUse: [{ model: 'scripted-1' }] }]);
  expect(run.patches).toEqual([]);
});

test('secrets that a model repeats do not become a title', async () => {
  const run = titled({ turns: [says('Use abcdef0123456789')] });
  run.phase('acting');
  await eventually(() => run.told.length === 1);
  expect(titles(run)).toEqual(['Use [redacted:SECRET_TOKEN]']);
});

test('closing breaks it off, and nothing is asked afterwards', async () => {
  const run = titled({ turns: [hangs] });
  run.phase('acting');
  await eventually(() => run.requests.length === 1);
  await run.title.close();
  run.phase('acting', MAIN, 2);
  await settled();
  expect(run.requests).toHaveLength(1);
});
