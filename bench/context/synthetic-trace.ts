/** A long session that never happened, from a seed: reads, searches, listings, tests, edits, and a person's words. */
import { Random } from './random.js';
import * as texts from './texts.js';
import {
  callOf,
  codeOf,
  type Needle,
  type Trace,
  type TraceCall,
  type TraceRound,
} from './trace.js';

/** Calls of a round, and how likely each kind is; the last takes what is left. */
const MOST_CALLS = 3;
const STEERED = 0.025;
const EDITED_CHARS = 300;

export function syntheticTrace(count: number, seed = 1): Trace {
  const random = new Random(seed);
  const needles: Needle[] = [];
  const rounds = Array.from({ length: count }, (_, i) => roundOf(random, i + 1, needles));
  const goal = 'Make the ledger agree with the invoices, and leave every test green.';
  return { name: `synthetic, ${count} rounds`, goal, rounds, needles };
}

function roundOf(random: Random, round: number, needles: Needle[]): TraceRound {
  const heard = random.chance(STEERED) ? words(random, round, needles) : null;
  const most = random.chance(0.6) ? 1 : random.between(2, MOST_CALLS);
  const calls = Array.from({ length: most }, (_, i) => callIn(random, round, i + 1, needles));
  return { heard, text: random.chance(0.4) ? texts.prose(random) : '', calls };
}

function words(random: Random, round: number, needles: Needle[]): string {
  const code = codeOf(needles.length + 1);
  const text = `Use the account ${code} for ${texts.nameOf(random)}, and never touch the ${random.pick(['archive', 'ledger'])}.`;
  needles.push({ kind: 'words', round, text, code, callId: null, path: null });
  return text;
}

function callIn(random: Random, round: number, position: number, needles: Needle[]): TraceCall {
  const plant = (needle: Omit<Needle, 'round' | 'callId'>): void =>
    void needles.push({ ...needle, round, callId: callOf(round, position) });
  const code = codeOf(needles.length + 1);
  const die = random.next();
  if (die < 0.38) return reading(random, code, plant);
  if (die < 0.5) return editing(random, code, plant);
  if (die < 0.66) return testing(random, code, plant);
  if (die < 0.8) return grepping(random);
  if (die < 0.87) return shell(`cat report-${round}.json`, texts.json(random));
  if (die < 0.94) return shell(`ls -l ${texts.pathOf(random)}`, texts.listing(random));
  return { name: 'read_file', args: { path: `docs/${code}.md` }, result: texts.wide(random) };
}

type Plant = (needle: Omit<Needle, 'round' | 'callId'>) => void;

function reading(random: Random, code: string, plant: Plant): TraceCall {
  const planted = random.chance(0.3);
  const path = texts.pathOf(random, planted ? code : '');
  const identifier = `${texts.nameOf(random)}_${code}`;
  if (planted) plant({ kind: 'identifier', text: identifier, code, path });
  const result = texts.code(random, planted ? `const ${identifier} = new Map();` : '');
  return { name: 'read_file', args: { path }, result };
}

function editing(random: Random, code: string, plant: Plant): TraceCall {
  const path = texts.pathOf(random, code);
  plant({ kind: 'path', text: path, code, path: null });
  const part = (): string => texts.matches(random).slice(0, EDITED_CHARS);
  const args = { path, old_string: part(), new_string: part() };
  const result = `[edited ${path}: 1 replacement at line ${random.between(1, 300)}]`;
  return { name: 'edit_file', args, result };
}

function testing(random: Random, code: string, plant: Plant): TraceCall {
  const command = `npx vitest run ${texts.pathOf(random)}`;
  if (random.chance(0.65)) return shell(command, texts.testLog(random));
  const error = `Error: the ledger ${code} differs from its invoices by ${random.between(1, 999)}`;
  plant({ kind: 'error', text: error, code, path: null });
  return shell(command, texts.testLog(random, error));
}

const grepping = (random: Random): TraceCall => ({
  name: 'grep',
  args: { pattern: texts.nameOf(random), mode: 'content' },
  result: texts.matches(random),
});

const shell = (command: string, result: string): TraceCall => ({
  name: 'shell',
  args: { command },
  result,
});
