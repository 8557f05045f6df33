/**
 * A session that really happened: the built program works over a copy of this repository, with a scripted
 * model that reads, searches, lists, runs commands and edits, and with words of a person on the way. What
 * comes of it is read from its journal, so that every result is as tools return it.
 */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fold } from '../../actors/recovery.js';
import type { JournalRow } from '../../messages/journal.js';
import { openJournalReader } from '../../src/store/journal-store.js';
import type { Reply, ModelServer } from '../model-server.js';
import { newPlace, removePlace, requireOk, runFlags, startOuro, type Place } from '../ouro.js';
import { newestSession, sessionEnd } from '../session-end.js';
import { Random } from './random.js';
import {
  callOf,
  codeOf,
  type Needle,
  type Trace,
  type TraceCall,
  type TraceRound,
} from './trace.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const COPIED = ['actors', 'config', 'docs', 'messages', 'src', 'package.json', 'package-lock.json'];
const GOAL = 'Look through this program, note what is wrong, and mend it.';

const SEED = 7;
const STEERED_EVERY = 25;
const PAGE_LINES = 200;
const NEW_LINES = 12;
const LIMIT_MS = 120_000;

type Call = Extract<Reply, { call: string }>;
/** What is planted in the result of a call, if anything. */
type Planned = Call & { readonly needle?: Omit<Needle, 'round' | 'callId'> };

export async function recordedTrace(server: ModelServer, rounds: number): Promise<Trace> {
  const place = newPlace();
  try {
    for (const name of COPIED)
      cpSync(join(ROOT, name), join(place.workspace, name), { recursive: true });
    // Nothing is to leave the conversation while it is recorded, nor a summary to be asked for.
    writeFileSync(join(place.home, 'config.toml'), '[context]\nwindow = 4000000\n');
    const plan = planOf(place, rounds);
    const heard = await work(place, server, plan);
    const past = roundsOf(journalOf(place), heard);
    return {
      name: `recorded, ${rounds} rounds`,
      goal: GOAL,
      rounds: past,
      needles: needlesOf(plan, heard),
    };
  } finally {
    removePlace(place);
  }
}

/** Runs the plan; returns what the person said, by the round before which it was heard. */
async function work(
  place: Place,
  server: ModelServer,
  plan: readonly Planned[],
): Promise<Map<number, string>> {
  const heard = new Map<number, string>();
  const url = server.open('context', async ({ round }) => {
    const next = plan[round - 1];
    if (next === undefined) return { text: 'Done.' };
    if (round % STEERED_EVERY === 0 && round < plan.length) {
      const words = `Leave the account ${codeOf(10_000 + round)} alone, and say so in the notes.`;
      requireOk(await startOuro(place, ['send', words], { keepOutput: true }).ended, 'ouro send');
      heard.set(round + 1, words);
    }
    return { call: next.call, args: next.args };
  });
  const words = ['run', '-p', GOAL, ...runFlags(place, url), '--permission-mode', 'bypass'];
  requireOk(
    await startOuro(place, words, { limitMs: LIMIT_MS, keepOutput: true }).ended,
    'ouro run',
  );
  await sessionEnd(place);
  return heard;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return filesIn(path);
      return /\.(ts|md)$/.test(name) ? [path] : [];
    });
}

function planOf({ workspace }: Place, rounds: number): Planned[] {
  const random = new Random(SEED);
  const files = COPIED.slice(0, 5).flatMap((name) => filesIn(join(workspace, name)));
  const [first = '', ...others] = files;
  const names = { pick: () => random.pick([first, ...others]) };
  return Array.from({ length: rounds }, (_, i) => {
    const path = relative(workspace, names.pick());
    return callFor(random, { workspace, path, code: codeOf(i + 1), round: i + 1 });
  });
}

interface Moment {
  readonly workspace: string;
  readonly path: string;
  readonly code: string;
  readonly round: number;
}

function callFor(random: Random, moment: Moment): Planned {
  const { path, code, round } = moment;
  const die = random.next();
  if (die < 0.4) return reading(random, moment);
  if (die < 0.52) {
    const args = {
      pattern: random.pick(['readonly', 'Promise<', 'round', 'throw new']),
      path: dirname(path),
      mode: 'content',
    };
    return { call: 'grep', args };
  }
  if (die < 0.58) return { call: 'list_dir', args: { path: dirname(path) } };
  if (die < 0.68) return shell(`ls -l ${dirname(path)}`);
  if (die < 0.74) return shell(`sed -n ${10 * round},${10 * round + 150}p package-lock.json`);
  if (die < 0.84) return shell(`wc -l ${dirname(path)}/* | tail -n 60; tail -n 30 ${path}`);
  if (die < 0.92) return failing(code);
  return writing(path, code);
}

const shell = (command: string): Planned => ({ call: 'shell', args: { command } });

function reading(random: Random, { workspace, path, code }: Moment): Planned {
  const call = { call: 'read_file', args: { path, limit: PAGE_LINES } };
  const file = join(workspace, path);
  const lines = readFileSync(file, 'utf8').split('\n');
  if (random.chance(0.6) || lines.length > PAGE_LINES) return call;
  const text = `planted_${code}`;
  writeFileSync(file, `${lines.join('\n')}export const ${text} = 1;\n`);
  return { ...call, needle: { kind: 'identifier', text, code, path } };
}

function failing(code: string): Planned {
  const text = `Error: the ledger ${code} differs from its invoices`;
  const command = `ls -l src; node -e "throw new Error('the ledger ${code} differs from its invoices')"`;
  return { ...shell(command), needle: { kind: 'error', text, code, path: null } };
}

function writing(path: string, code: string): Planned {
  const made = `${dirname(path)}/${code}.md`;
  const content = Array.from({ length: NEW_LINES }, (_, i) => `- note ${i + 1} on ${path}`).join(
    '\n',
  );
  const needle = { kind: 'path', text: made, code, path: null } as const;
  return { call: 'write_file', args: { path: made, content }, needle };
}

function journalOf(place: Place): readonly JournalRow[] {
  const session = newestSession(place)?.id;
  if (session === undefined) throw new Error('no session was recorded');
  const dir = join(place.home, 'sessions', session);
  const journal = openJournalReader({ dir, session });
  try {
    return [...journal.rows()];
  } finally {
    journal.close();
  }
}

/** Whatever the recorded session itself had cleared is left aside: what was added is told whole. */
function roundsOf(rows: readonly JournalRow[], heard: ReadonlyMap<number, string>): TraceRound[] {
  const { messages } = fold(rows.filter(({ kind }) => !kind.startsWith('context.'))).main
    .conversation;
  const answers = messages.flatMap((message) => (message.role === 'assistant' ? [message] : []));
  const results = new Map(
    messages.flatMap((each) => (each.role === 'tool' ? [[each.callId, each.text]] : [])),
  );
  return answers
    .filter(({ calls }) => calls.length > 0)
    .map(({ text, calls }, i) => ({
      heard: heard.get(i + 1) ?? null,
      text,
      calls: calls.map(({ id, name, args }): TraceCall => {
        return { name, args: args as TraceCall['args'], result: results.get(id) ?? '' };
      }),
    }));
}

function needlesOf(plan: readonly Planned[], heard: ReadonlyMap<number, string>): Needle[] {
  const planted = plan.flatMap(({ needle }, i): Needle[] =>
    needle === undefined ? [] : [{ ...needle, round: i + 1, callId: callOf(i + 1, 1) }],
  );
  const said = [...heard].map(([round, text]): Needle => {
    const code = codeOf(10_000 + round - 1);
    return { kind: 'words', round, text, code, callId: null, path: null };
  });
  return [...planted, ...said];
}
