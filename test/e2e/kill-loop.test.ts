/**
 * Sessions are killed with SIGKILL at fifty random moments: while they work in the background, while they
 * work headless, while they come back. Whatever the moment: no command is started twice, nothing that was
 * acknowledged is lost, and in the end the work is done as if nothing had happened.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFailed, test } from 'vitest';
import type { JournalRow } from '../../messages/journal.js';
import type { RehearsalServer } from '../../src/rehearsal/server.js';
import { done, launch, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf, sessionIds } from '../support/e2e/journal.js';
import { askAt, modelServer, shell } from '../support/e2e/model-server.js';
import {
  anotherWorkspace,
  killQuietly,
  newPlace,
  processesOf,
  type Place,
} from '../support/e2e/place.js';
import { chosenSeed, seeded } from '../support/e2e/seed.js';
import { linesOf, streamLines } from '../support/e2e/stream.js';

const KILLS = 50;
const LINES = 60;
const LAST_WORDS = `All ${LINES} lines were asked for.`;
const TURNS = [
  { calls: [shell('sleep 0.03; echo {{round}} >> ledger; sleep 0.03')], times: LINES },
  { text: LAST_WORDS },
];

/** The longest delays before a kill, in milliseconds: from the start of a process to a few rounds later. */
const DELAYS = { background: 300, headless: 900, resuming: 500 } as const;
type Moment = keyof typeof DELAYS;

interface Victim {
  readonly id: string;
  readonly goal: string;
  readonly workspace: string;
  /** What the journal held after the last kill. */
  rows: readonly JournalRow[];
}

interface Ground {
  readonly place: Place;
  readonly server: RehearsalServer;
  readonly chance: () => number;
  readonly victims: Victim[];
  /** For the report of a failure. */
  readonly story: string[];
}

const isDone = (rows: readonly JournalRow[]): boolean => {
  const last = rows.at(-1);
  return last?.kind === 'session.ended' && last.body.status === 'done';
};

/** The session that is not done yet, or a new one; it runs in the background. */
async function nextVictim({ place, server, victims, story }: Ground): Promise<Victim> {
  const last = victims.at(-1);
  if (last !== undefined && !isDone(last.rows)) return last;
  const goal = `Fill ledger number ${victims.length + 1}.`;
  const workspace = anotherWorkspace(place, `work-${victims.length + 1}`);
  const flags = ['-C', workspace, '--permission-mode', 'bypass', ...askAt(server)];
  await done(place, ['start', goal, ...flags]);
  const id = sessionIds(place).find((found) => victims.every((victim) => victim.id !== found));
  if (id === undefined) throw new Error('no session was started');
  const victim = { id, goal, workspace, rows: [] };
  victims.push(victim);
  story.push(`started ${id}`);
  return victim;
}

/** Every process that runs a session: daemons with their guardians, headless runs. Those that ask live on. */
function killSessions(place: Place): number {
  const sessions = processesOf(place).filter(({ commandLine }) =>
    /ouro\.js run |__daemon|__revive/.test(commandLine),
  );
  return sessions.filter(({ pid }) => killQuietly(pid)).length;
}

function pickMoment(chance: () => number): Moment {
  const at = chance();
  return at < 0.4 ? 'background' : at < 0.7 ? 'headless' : 'resuming';
}

/** False: it had ended before the kill came. */
async function killOnce(ground: Ground): Promise<boolean> {
  const { place, chance, story } = ground;
  const victim = await nextVictim(ground);
  const moment = pickMoment(chance);
  const delay = Math.round(chance() * DELAYS[moment]);
  const isNew = victim.rows.length === 0;
  let printed = '';
  let killed: number;
  if (isNew || moment === 'background') {
    if (!isNew) await ouro(place, ['resume', victim.id, '--force']);
    await sleep(delay);
    killed = killSessions(place);
  } else {
    const args =
      moment === 'headless' ? ['run', '-p', '-r', victim.id] : ['resume', victim.id, '--force'];
    const format = moment === 'headless' ? ['--output-format', 'stream-json'] : [];
    const running = launch(place, [...args, ...format]);
    await sleep(delay);
    killed = killSessions(place);
    printed = (await running.ended).stdout;
    // It may have been too early for a daemon, which is there now.
    if (moment === 'resuming') killed += killSessions(place);
  }
  compare(place, victim, printed.startsWith('{') ? printed : '');
  story.push(`${moment} ${delay} ms: killed ${killed}, ${victim.rows.length} rows`);
  return killed > 0;
}

/** Every row is there that was there before, and every result that was printed. */
function compare(place: Place, victim: Victim, printed: string): void {
  const rows = journalRows(place, victim.id);
  expect(rows.slice(0, victim.rows.length)).toEqual(victim.rows);
  const kept = new Set(rowsOf(rows, 'tool.outcome').map(({ body }) => body.callId as string));
  for (const { call_id } of linesOf(streamLines(printed), 'tool_result')) {
    expect(kept).toContain(call_id);
  }
  victim.rows = rows;
}

/** How often each line stands in the ledger, by its number. */
function ledgerOf(victim: Victim): readonly number[] {
  const counts = Array.from({ length: LINES }, () => 0);
  const text = readFileSync(join(victim.workspace, 'ledger'), 'utf8');
  for (const line of text.trimEnd().split('\n')) {
    const at = Number(line) - 1;
    counts[at] = (counts[at] ?? NaN) + 1;
  }
  return counts;
}

/** What became of each line's call, in order. */
function statusesOf({ rows }: Victim): readonly string[] {
  const calls = rowsOf(rows, 'message.added').flatMap(({ body: { message } }) =>
    message.role === 'assistant' ? message.calls : [],
  );
  const outcomes = rowsOf(rows, 'tool.outcome');
  const intents = rowsOf(rows, 'tool.intent').map(({ body }) => body.callId);
  expect(new Set(intents).size, 'calls started once').toBe(intents.length);
  expect(outcomes, 'one outcome a call').toHaveLength(calls.length);
  return calls.map(({ id }) => {
    const outcome = outcomes.find(({ body }) => body.callId === id);
    return outcome?.body.outcome.status ?? 'none';
  });
}

function expectWhole(victim: Victim, lastBody: string): void {
  expect(victim.rows.at(-1)).toMatchObject({
    kind: 'session.ended',
    body: { status: 'done', text: LAST_WORDS },
  });
  const statuses = statusesOf(victim);
  expect(statuses).toHaveLength(LINES);
  const ledger = ledgerOf(victim);
  expect(ledger).toHaveLength(LINES);
  statuses.forEach((status, at) => {
    expect(['ok', 'unknown']).toContain(status);
    const times = ledger[at] ?? 0;
    if (status === 'ok') expect(times, `line ${at + 1}, which was reported as done`).toBe(1);
    else expect(times, `line ${at + 1}, which is unknown`).toBeLessThanOrEqual(1);
  });
  const unknown = statuses.filter((status) => status === 'unknown').length;
  expect(lastBody.split('[outcome unknown]'), 'what the model was told').toHaveLength(unknown + 1);
}

test(
  'after fifty kills at random moments every line was written once, and the work is done',
  { timeout: 150_000 },
  async () => {
    const seed = chosenSeed();
    const place = newPlace();
    const server = await modelServer(TURNS);
    const bodies = new Map<string, string>();
    server.on(({ type, request: { body } }) => {
      const goal = /Fill ledger number \d+\./.exec(body ?? '')?.[0];
      if (type === 'answered' && goal !== undefined) bodies.set(goal, body ?? '');
    });
    const victims: Victim[] = [];
    const ground: Ground = { place, server, chance: seeded(seed), victims, story: [] };
    onTestFailed(() => {
      process.stderr.write(`E2E_SEED=${seed}\n${ground.story.join('\n')}\n`);
    });
    for (let kills = 0; kills < KILLS;) if (await killOnce(ground)) kills += 1;
    const last = victims.at(-1);
    if (last !== undefined && !isDone(last.rows)) {
      const end = await done(place, ['run', '-p', '-r', last.id, '--output-format', 'stream-json']);
      compare(place, last, end.stdout);
    }
    for (const victim of victims) expectWhole(victim, bodies.get(victim.goal) ?? '');
  },
);
