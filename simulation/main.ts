/** `npm run simulate`: lives through many seeds, says what was found, and how to see it again. */
import { parseArgs } from 'node:util';
import { FAULTS, isFault, type Fault } from './faults.js';
import { liveThrough, type Verdict } from './history.js';
import { INVARIANTS } from './invariants/all.js';
import { FILE_EVERY, REPEAT_EVERY, simulate, UNREPEATABLE, type Summary } from './simulate.js';
import { traceLine } from './trace.js';
import { TIMELINE_START } from './timeline.js';

const USAGE = `usage: npm run simulate -- [--seeds N] [--seed S] [--inject FAULT] [--file] [--trace]

  --seeds N       so many histories: from seed 1, or from the one of --seed on (default 1000, with --seed 1)
  --seed S        this one
  --inject FAULT  with a fault put in on purpose; ends with the first history in which it is found
  --file          every history over a real journal's file, not one in ${FILE_EVERY}
  --trace         prints the history of the seed

Faults:
${list(Object.entries(FAULTS))}

Watched:
${list(INVARIANTS.map(({ name, promise }) => [name, promise]))}
${list([[UNREPEATABLE, `A seed gives the same journal, to the byte (one seed in ${REPEAT_EVERY} is lived through twice).`]])}
`;

function list(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, meaning]) => `  ${name.padEnd(23)} ${meaning}`).join('\n');
}

interface Wishes {
  readonly first: number;
  readonly count: number;
  readonly fault: Fault | null;
  readonly file: boolean;
  readonly trace: boolean;
}

const DEFAULT_SEEDS = 1_000;
/** Failed seeds that are shown one by one; the first is the one to look at. */
const SHOWN = 10;
const PROGRESS_MS = 5_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const OPTIONS = {
  seeds: { type: 'string' },
  seed: { type: 'string' },
  inject: { type: 'string' },
  file: { type: 'boolean', default: false },
  trace: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** A text: what to tell whoever asked, and why it is no simulation. */
function wishesOf(args: readonly string[]): Wishes | string {
  let values: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
  try {
    ({ values } = parseArgs({ args: [...args], options: OPTIONS }));
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`;
  }
  if (values.help) return USAGE;
  const first = numberOf(values.seed ?? '1');
  const count = numberOf(values.seeds ?? (values.seed === undefined ? `${DEFAULT_SEEDS}` : '1'));
  if (first === null || count === null)
    return `--seed and --seeds want a number from 1 on.\n\n${USAGE}`;
  const { inject, file, trace } = values;
  if (inject !== undefined && !isFault(inject)) return `There is no fault "${inject}".\n\n${USAGE}`;
  return { first, count, fault: inject ?? null, file, trace };
}

const numberOf = (text: string): number | null => (/^[1-9]\d*$/.test(text) ? Number(text) : null);

async function main(wishes: Wishes): Promise<number> {
  if (wishes.trace) await printHistory(wishes);
  const startedAt = performance.now();
  const summary = await simulate({
    ...wishes,
    allOnFile: wishes.file,
    stopAtFirst: wishes.fault !== null,
    onVerdict: reporter(wishes),
  });
  printSummary(summary, (performance.now() - startedAt) / 1_000);
  return summary.failed.length > 0 ? 1 : 0;
}

async function printHistory({ first: seed, fault, file }: Wishes): Promise<void> {
  await liveThrough({
    seed,
    fault,
    store: file ? 'file' : 'memory',
    trace: (moment) => say(traceLine(moment, TIMELINE_START)),
  });
}

/** What is found is said at once; how far it is goes to stderr, so that the rest can be kept by itself. */
function reporter(wishes: Wishes): (verdict: Verdict) => void {
  let done = 0;
  let shown = 0;
  let due = performance.now() + PROGRESS_MS;
  return (verdict) => {
    done += 1;
    if (verdict.violations.length > 0 && shown < SHOWN) {
      shown += 1;
      printFailure(verdict, wishes);
    }
    if (performance.now() < due) return;
    due = performance.now() + PROGRESS_MS;
    process.stderr.write(`${done} of ${wishes.count}\n`);
  };
}

function printFailure({ seed, violations }: Verdict, { fault, file }: Wishes): void {
  say(`seed ${seed}:`);
  for (const { invariant, what, step } of violations) say(`  ${invariant}, step ${step}: ${what}`);
  const extra = `${fault === null ? '' : ` --inject ${fault}`}${file ? ' --file' : ''}`;
  say(`  see it again: npm run simulate -- --seed ${seed}${extra} --trace`);
}

function printSummary(summary: Summary, seconds: number): void {
  const { seeds, failed, lives, crashes, rows, requests, onFile, repeated } = summary;
  say(
    `${seeds} seeds in ${seconds.toFixed(1)} s: ${lives} lives, ${crashes} crashes, ${requests} requests, ` +
      `${rows} rows; ${onFile} over a real journal's file, ${repeated} lived through twice.`,
  );
  say(failed.length === 0 ? 'Every promise was kept.' : `${failed.length} seeds failed.`);
}

// Whoever reads the trace may have seen enough.
process.stdout.on('error', () => process.exit(0));
const wishes = wishesOf(process.argv.slice(2));
if (typeof wishes === 'string') {
  const isHelp = wishes === USAGE;
  (isHelp ? process.stdout : process.stderr).write(wishes);
  process.exitCode = isHelp ? 0 : 2;
} else {
  process.exitCode = await main(wishes);
}
