/**
 * Branches a conversation off: a new session whose journal begins with what was said and answered up to a
 * round of another. Only the conversation is taken over; files, money, holds, questions and processes stay
 * where they are, and the agent is told so. The origin is only read, and may be at work.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { userMessage } from '../actors/conversation.js';
import { childrenIn } from '../actors/recovered-sub-agents.js';
import { Recovered } from '../actors/recovery.js';
import type { Time } from '../actors/ports.js';
import { MAIN_AGENT, shortId, type Millis, type SessionId } from '../messages/ids.js';
import { factOf, sessionFact, type JournalFact, type JournalRow } from '../messages/journal.js';
import { EXIT_CODES, type SessionSpec } from '../messages/session.js';
import { upToRound } from './replay/up-to-round.js';
import { openIndex } from './store/index-store.js';
import type { JournalPlace } from './store/journal-file.js';
import { openJournal, openJournalReader } from './store/journal-store.js';
import { ensureHome, sessionDir, sessionLock } from './store/layout.js';
import { acquireLock } from './store/lock.js';
import { VERSION } from './version.js';

export interface ForkRequest {
  readonly home: string;
  readonly origin: JournalPlace;
  /** The last round of the main agent that is taken over; 0: none. */
  readonly round: number;
  readonly id: SessionId;
  /** Null: named after the origin. */
  readonly name: string | null;
  /** A further goal; null: the origin's. */
  readonly goal: string | null;
  readonly time: Time;
}

export type Forked =
  | {
      readonly ok: true;
      readonly spec: SessionSpec;
      readonly goal: string;
      /** Rows taken over. */
      readonly rows: number;
      /** The model had nothing more to do: the branch needs a goal of its own. */
      readonly turnIsOver: boolean;
    }
  | { readonly ok: false; readonly message: string };

/** Throws what reading and writing a journal throws; then there is no new session. */
export function forkSession(request: ForkRequest): Promise<Forked> | Forked {
  const taken = takeOver(request.origin, request.round);
  if ('message' in taken) return { ok: false, message: taken.message };
  return write(request, taken);
}

interface Taken {
  readonly spec: SessionSpec;
  readonly goal: string;
  readonly rows: readonly JournalRow[];
  readonly turnIsOver: boolean;
}

function takeOver(origin: JournalPlace, round: number): Taken | { readonly message: string } {
  const view = openJournalReader(origin);
  const recovered = new Recovered();
  const rows: JournalRow[] = [];
  /** The newest round that was answered, and the newest of which all calls have ended too. */
  let [answered, whole] = [0, 0];
  try {
    for (const row of upToRound(view.rows(), round)) {
      recovered.apply(row);
      rows.push(...partOf(row));
      if (isAnswer(row)) answered = row.round;
      if (recovered.main.conversation.openCalls.length === 0) whole = answered;
      // What was said behind the round is not a part of it.
      if (round > 0 && whole === round) break;
    }
  } finally {
    view.close();
  }
  const { spec, goal, main } = recovered;
  const name = shortId(origin.session);
  if (spec === null) return { message: `the journal of ${name} does not say what the session is` };
  if (whole !== round) {
    const instead = `the last that is: ouro fork ${name} --at ${whole}`;
    return { message: `round ${round} of session ${name} is not there as a whole; ${instead}` };
  }
  rows.push(...endedHere(recovered, rows));
  return { spec, goal, rows, turnIsOver: main.conversation.turnIsOver };
}

const isAnswer = (row: JournalRow): boolean =>
  row.kind === 'message.added' && row.agent === MAIN_AGENT && row.body.message.role === 'assistant';

/** What a branch has of a row: nothing, as a rule. */
function partOf(row: JournalRow): JournalRow[] {
  switch (row.kind) {
    case 'agent.spawned':
    case 'agent.ended':
    case 'todo.set':
    case 'discovery.added':
    case 'goal.set':
      return [row];
    case 'tool.intent':
      return row.agent === MAIN_AGENT ? [row] : [];
    case 'message.added': {
      if (row.agent !== MAIN_AGENT) return [];
      // The row that it points at is not taken over.
      const { source: _, ...body } = row.body;
      return [{ ...row, body }];
    }
    case 'tool.outcome': {
      if (row.agent !== MAIN_AGENT) return [];
      // What it has used up was paid for there.
      const { modelUse: _, ...outcome } = row.body.outcome;
      return [{ ...row, body: { ...row.body, outcome } }];
    }
    default:
      return [];
  }
}

/** Sub-agents work for the session that started them. */
function endedHere(recovered: Recovered, rows: readonly JournalRow[]): JournalRow[] {
  const going = childrenIn(recovered.agents).filter(({ end }) => end === null);
  const seq = rows.at(-1)?.seq ?? 0;
  const reason = 'it works for the session that this one was branched off';
  return going.map(({ id, round }) => ({
    ...factOf('agent.ended', id, round, {
      agent: id,
      rounds: round,
      end: { status: 'stopped', reason },
    }),
    seq,
    ts: recovered.lastTs,
  }));
}

/** The agent would take the files, and what it has running, for what it remembers. */
const BRANCHED =
  'This conversation was branched off an earlier session at this point. Files and folders are as they are ' +
  'now, not as they were then: check them before you rely on what you remember. Background processes and ' +
  'sub-agents of the earlier session are not yours.';

async function write(request: ForkRequest, taken: Taken): Promise<Forked> {
  const { home, id, time } = request;
  ensureHome(home);
  const dir = sessionDir(home, id);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = acquireLock(sessionLock(home, id), { what: 'branching off', session: id });
  if (lock === null) return { ok: false, message: `the session ${id} is there already` };
  const startedAt = time.now();
  const spec = specOf(request, taken, startedAt);
  const goal = request.goal ?? taken.goal;
  try {
    await writeRows(dir, spec, beginningOf(spec, taken, request.goal, startedAt));
    list(home, spec, goal, time);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
  const turnIsOver = taken.turnIsOver && request.goal === null;
  return { ok: true, spec, goal, rows: taken.rows.length, turnIsOver };
}

const specOf = ({ id, name, origin, round }: ForkRequest, taken: Taken, startedAt: Millis) => ({
  ...taken.spec,
  id,
  name: name ?? `${taken.spec.name}, from round ${round}`,
  named: true,
  startedAt,
  forkedFrom: { session: origin.session, round, rows: taken.rows.length },
});

type Stamped = readonly [Millis, JournalFact];

function beginningOf(
  spec: SessionSpec,
  { rows }: Taken,
  goal: string | null,
  now: Millis,
): readonly Stamped[] {
  const say = (text: string, origin: 'harness' | 'goal'): JournalFact =>
    sessionFact('message.added', { message: userMessage(text, origin) });
  const own = [
    say(BRANCHED, 'harness'),
    ...(goal === null ? [] : [sessionFact('goal.set', { goal }), say(goal, 'goal')]),
    sessionFact('session.ended', {
      status: 'stopped',
      text: '',
      reason: 'it was branched off and has not begun to work',
    }),
  ];
  const started = sessionFact('session.started', { spec, version: VERSION, pid: process.pid });
  return [
    [now, started],
    ...rows.map((row): Stamped => [row.ts, row]),
    ...own.map((fact): Stamped => [now, fact]),
  ];
}

/** In one commit: there is all of it or nothing. What was taken over keeps its time. */
async function writeRows(
  dir: string,
  { id: session }: SessionSpec,
  stamped: readonly Stamped[],
): Promise<void> {
  let now: Millis = 0;
  const journal = openJournal({ dir, session, mode: 'create', time: { now: () => now } });
  try {
    const appended = stamped.map(([ts, { kind, agent, round, body }]) => {
      now = ts;
      return journal.append([{ kind, agent, round, body } as JournalFact]);
    });
    await Promise.all(appended);
  } finally {
    await journal.close();
  }
}

function list(home: string, spec: SessionSpec, goal: string, time: Time): void {
  const { id, name, workspace, model, startedAt } = spec;
  const index = openIndex({ home, time });
  try {
    index.put({
      ...{ id, name, workspace, goal, model, startedAt },
      state: 'stopped',
      pid: null,
      updatedAt: startedAt,
      rounds: 0,
      costUsd: 0,
      promptTokens: 0,
      completionTokens: 0,
      holds: [],
      socket: null,
      endStatus: 'stopped',
      exitCode: EXIT_CODES.stopped,
    });
  } finally {
    index.close();
  }
}
