/** `npm run chaos`: kills sessions of the built program, says what was found, and fails if anything was. */
import { abandon, newRoot, runChaos } from './run.js';
import { asJson, asTable, whatToLookAt } from './report.js';
import { USAGE, wishesOf, type Wishes } from './wishes.js';

const SEEDS = 1_000_000;

/** Sessions are no children of this process: they would go on without it. */
const ENDS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function main(wishes: Wishes): Promise<number> {
  const { seed, json } = wishes;
  say(`seed ${seed}`);
  const root = newRoot();
  for (const [signal, code] of ENDS) {
    process.once(signal, () => {
      abandon(root);
      process.exit(code);
    });
  }
  const run = await runChaos(wishes, say, root);
  const figures = json ? JSON.stringify(asJson(run, seed), null, 2) : asTable(run);
  process.stdout.write(`${figures}\n`);
  for (const reason of run.tally.skipped) say(`skipped: ${reason}`);
  say(`seed ${seed}, ${run.seconds} s: ${run.tally.isClean ? 'every promise was kept' : 'FAILED'}`);
  if (!run.tally.isClean) say(whatToLookAt(run, seed));
  return run.tally.isClean ? 0 : 1;
}

const wishes = wishesOf(process.argv.slice(2), () => 1 + Math.floor(Math.random() * SEEDS));
if (typeof wishes === 'string') {
  const isHelp = wishes === USAGE;
  (isHelp ? process.stdout : process.stderr).write(wishes);
  process.exitCode = isHelp ? 0 : 2;
} else {
  process.exitCode = await main(wishes);
}
