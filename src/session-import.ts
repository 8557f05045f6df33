/**
 * Makes a session of ours out of another program's: a journal that tells its history as if it had been
 * lived, so that it goes on like any session that was cut off. What was read stays beside the journal, with
 * secrets taken out, so that an export gives it back line by line. An import that fails leaves nothing.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Time } from '../actors/ports.js';
import type { ImportOrigin } from '../messages/imported.js';
import { callIdOf, MAIN_AGENT, shortId, type AgentId, type CallId } from '../messages/ids.js';
import { sessionFact, type JournalFact } from '../messages/journal.js';
import { EXIT_CODES, type SessionSpec } from '../messages/session.js';
import { firstPrompt } from './session-start.js';
import { openIndex } from './store/index-store.js';
import { openJournal, type JournalStore } from './store/journal-store.js';
import { ensureHome, sessionDir, sessionLock } from './store/layout.js';
import { acquireLock } from './store/lock.js';
import { writeFileAtomic } from './store/atomic-file.js';
import { canonicalName } from './tools/aliases.js';
import { readCheckpoint, unpackCheckpoint } from './transfer/checkpoint.js';
import { cleanLine, type Redact } from './transfer/clean-json.js';
import { findSource, type Source } from './transfer/find-source.js';
import { historyFacts, subAgentFacts } from './transfer/history-facts.js';
import { isJson, TransferRefused } from './transfer/refused.js';
import { keptIn } from './transfer/kept.js';
import { readTranscript, type History } from './transfer/transcript.js';
import { turnsOf, type Turn } from './transfer/turns.js';
import { VERSION } from './version.js';

/** In one commit: few enough to be held in memory. */
const ROWS_AT_ONCE = 128;
const CHARS_AT_ONCE = 4 * 1024 * 1024;
/** Of the first words, as the goal in lists and reports; all of them stand in the conversation. */
const GOAL_CHARS = 4_000;
const NAME_CHARS = 40;

export interface ImportRequest {
  readonly home: string;
  readonly path: string;
  readonly format: ImportOrigin['format'] | undefined;
  /** The session to be; a name of `''` is made from its first words. */
  readonly spec: SessionSpec;
  readonly redact: Redact;
  readonly time: Time;
}

export interface Imported {
  readonly spec: SessionSpec;
  readonly origin: ImportOrigin;
  readonly messages: number;
  readonly calls: number;
  readonly agents: number;
  /** The folder it worked in before; null: the file does not say. */
  readonly cwd: string | null;
  readonly notices: readonly string[];
}

/** Throws `TransferRefused` and what the store throws; then nothing is left of it. */
export async function importSession(request: ImportRequest): Promise<Imported> {
  const { home, path, format, spec } = request;
  const source = findSource(resolve(path), format);
  ensureHome(home);
  const dir = sessionDir(home, spec.id);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = acquireLock(sessionLock(home, spec.id), { what: 'an import', session: spec.id });
  if (lock === null) throw new Error('a new session is locked already');
  try {
    return await bringIn(request, source, dir);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

async function bringIn(request: ImportRequest, source: Source, dir: string): Promise<Imported> {
  const read =
    source.format === 'claude' ? claude(source, dir, request) : checkpoint(source, dir, request);
  const goal = goalOf(read.main);
  if (goal === null) {
    throw new TransferRefused(`${source.file} holds no conversation: nobody says anything in it.`);
  }
  const { home, time } = request;
  const spec = { ...request.spec, name: request.spec.name || nameOf(goal) };
  const journal = openJournal({ dir, session: spec.id, mode: 'create', time });
  const rows = new RowWriter(journal);
  try {
    await rows.write(openingFacts(home, spec, goal, read));
    await writeHistories(rows, read);
    const reason = `imported from ${source.file}; go on with: ouro run -r ${shortId(spec.id)} "GOAL"`;
    await rows.write([sessionFact('session.ended', { status: 'interrupted', text: '', reason })]);
    await rows.flush();
  } finally {
    await journal.close();
  }
  addToIndex(home, time, spec, goal);
  const { messages, calls } = rows;
  const { origin, cwd, agents, notices } = read;
  return { spec, origin, messages, calls, agents: agents.length, cwd, notices: [...notices] };
}

/** What was read, whatever its format. */
interface ReadSource {
  readonly origin: ImportOrigin;
  readonly cwd: string | null;
  readonly main: () => Iterable<Turn>;
  readonly agents: readonly History[];
  readonly notices: Set<string>;
}

function claude(
  { file, files }: Extract<Source, { format: 'claude' }>,
  dir: string,
  { redact }: ImportRequest,
): ReadSource {
  const transcript = readTranscript(files, keptIn(dir), redact);
  const { session, cwd, usage, sha256, main, agents, notices } = transcript;
  const origin = { format: 'claude', from: file, session, leaf: main.leaf, sha256, usage } as const;
  return { origin, cwd, main: () => main.turns(), agents, notices };
}

function checkpoint({ file }: Source, dir: string, { redact }: ImportRequest): ReadSource {
  const json = unpackCheckpoint(readFileSync(file), file);
  const clean = cleanLine(Buffer.from(JSON.stringify(json)), redact);
  if (!isJson(clean.value)) {
    throw new TransferRefused(`${file} is nested too deeply to be looked through for secrets.`);
  }
  const { session, pieces, notices } = readCheckpoint(clean.value);
  mkdirSync(keptIn(dir), { recursive: true, mode: 0o700 });
  writeFileAtomic(join(keptIn(dir), 'checkpoint.json'), clean.bytes);
  const said = new Set(notices);
  const sha256 = hash('sha256', clean.bytes);
  return {
    origin: { format: 'checkpoint', from: file, session, leaf: null, sha256, usage: null },
    cwd: null,
    main: () => turnsOf(pieces, () => said.add('results of calls that nobody made are left out')),
    agents: [],
    notices: said,
  };
}

/** The first words of a person, else the first words. Null: there are none. */
function goalOf(turns: () => Iterable<Turn>): string | null {
  let first: string | null = null;
  for (const turn of turns()) {
    if (turn.role === 'system') continue;
    if (turn.role === 'user' && turn.isOwn) return turn.text.slice(0, GOAL_CHARS);
    first ??= turn.text;
  }
  return first?.slice(0, GOAL_CHARS) ?? null;
}

function nameOf(goal: string): string {
  const line = goal.trim().split('\n', 1)[0] ?? '';
  return line.length <= NAME_CHARS ? line : `${line.slice(0, NAME_CHARS - 1)}…`;
}

/** An agent that goes on needs instructions; those of another program are not in its transcript. */
function* openingFacts(
  home: string,
  spec: SessionSpec,
  goal: string,
  { origin, main }: ReadSource,
): Generator<JournalFact> {
  yield sessionFact('session.started', {
    spec,
    version: VERSION,
    pid: process.pid,
    imported: origin,
  });
  const [first] = main();
  if (first?.role !== 'system') {
    const text = firstPrompt(spec, { ouroHome: home, workspace: spec.workspace, trusted: false });
    yield sessionFact('message.added', { message: { role: 'system', text } });
  }
  yield sessionFact('goal.set', { goal });
}

async function writeHistories(rows: RowWriter, { main, agents }: ReadSource): Promise<void> {
  const callOf = new Map<string, CallId>();
  const delegated = (agent: string, call: CallId): void => void callOf.set(agent, call);
  const options = { nameOf: canonicalName, delegated };
  await rows.write(historyFacts(main(), { ...options, agent: MAIN_AGENT }));
  let n = 0;
  for (const history of agents) {
    n += 1;
    const agent = `sub-${n}` as AgentId;
    // Rounds count from 1, so no call that was made has such an id.
    const call = callOf.get(history.agent ?? '') ?? callIdOf(MAIN_AGENT, 0, n);
    await rows.write(subAgentFacts(() => history.turns(), call, { ...options, agent }));
  }
}

/** Writes rows a few at a time, and counts what they say. */
class RowWriter {
  readonly #journal: JournalStore;
  #waiting: JournalFact[] = [];
  #chars = 0;
  messages = 0;
  calls = 0;

  constructor(journal: JournalStore) {
    this.#journal = journal;
  }

  async write(facts: Iterable<JournalFact>): Promise<void> {
    for (const fact of facts) {
      this.#waiting.push(fact);
      if (fact.kind === 'message.added') {
        const { role, text } = fact.body.message;
        if (role !== 'system') this.messages += 1;
        this.#chars += text.length;
      }
      if (fact.kind === 'tool.outcome') {
        this.calls += 1;
        this.#chars += fact.body.outcome.text.length;
      }
      if (this.#waiting.length >= ROWS_AT_ONCE || this.#chars >= CHARS_AT_ONCE) await this.flush();
    }
  }

  async flush(): Promise<void> {
    await this.#journal.append(this.#waiting);
    this.#waiting = [];
    this.#chars = 0;
  }
}

function addToIndex(home: string, time: Time, spec: SessionSpec, goal: string): void {
  const { id, name, workspace, model, startedAt } = spec;
  const index = openIndex({ home, time });
  try {
    index.put({
      ...{ id, name, workspace, model, startedAt, goal },
      state: 'interrupted',
      pid: null,
      updatedAt: time.now(),
      rounds: 0,
      costUsd: 0,
      promptTokens: 0,
      completionTokens: 0,
      holds: [],
      socket: null,
      endStatus: 'interrupted',
      exitCode: EXIT_CODES.interrupted,
    });
  } finally {
    index.close();
  }
}
