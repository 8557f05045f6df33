/**
 * The benchmark. Prints one table on stdout, each figure beside its floor from the same run; everything else
 * goes to stderr. A part that fails is a row that says why. It never fails for a figure: it is not a test.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runCourse, type Course } from './course.js';
import { notMeasured, type Row } from './figures.js';
import { ModelServer } from './model-server.js';
import { newPlace, removePlace, type Place } from './ouro.js';
import { byExtent, type Bench, type Extent, type Part } from './part.js';
import { clients } from './parts/clients.js';
import { context } from './parts/context.js';
import { disk } from './parts/disk.js';
import { elsewhere } from './parts/elsewhere.js';
import { firstRequest } from './parts/first-request.js';
import { memory } from './parts/memory.js';
import { prompt } from './parts/prompt.js';
import { read } from './parts/read.js';
import { resume } from './parts/resume.js';
import { rounds } from './parts/rounds.js';
import { search } from './parts/search.js';
import { shell } from './parts/shell.js';
import { startUp } from './parts/start-up.js';
import { table } from './table.js';

const PARTS: readonly Part[] = [
  startUp,
  firstRequest,
  rounds,
  resume,
  memory,
  clients,
  disk,
  prompt,
  read,
  search,
  shell,
  context,
  elsewhere,
];

/** More waiting work than this before the benchmark begins, and its figures are not to be trusted. */
const BUSY_LOAD_A_CORE = 0.5;

/** No part begins later than this, so that a busy machine makes holes in the table rather than a long wait. */
const LAST_START_MS = { quick: 45_000, normal: 210_000, long: Infinity };

const USAGE = `usage: npm run bench -- [PART…] [--quick | --long] [--json]

${PARTS.map(({ name, about }) => `  ${name.padEnd(14)} ${about}`).join('\n')}

  --quick        fewer samples, sessions of 200 rounds: under a minute
  --long         sessions of 10,000 rounds
  --json         the rows as JSON
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) say(`There is no part named ${unknown.join(', ')}.`);
  say(USAGE);
  process.exit(unknown.length > 0 ? 2 : 0);
}
const chosen = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
await runParts(chosen, values.quick ? 'quick' : values.long ? 'long' : 'normal');

async function runParts(parts: readonly Part[], extent: Extent): Promise<void> {
  const machine = { node: process.version, cores: cpus().length, load: loadavg()[0] ?? 0 };
  const busy = machine.load > BUSY_LOAD_A_CORE * machine.cores;
  if (busy) say(`The machine is busy (load ${machine.load.toFixed(1)}): expect noise.`);
  const server = await ModelServer.start();
  const shared = sharedCourse(server, extent);
  const bench: Bench = { extent, server, course: shared.course, say };
  const rows: Row[] = [];
  const startedAt = performance.now();
  try {
    for (const part of parts) {
      const late = performance.now() - startedAt > LAST_START_MS[extent];
      rows.push(...(late ? [outOfTime(part)] : await runPart(part, bench)));
    }
  } finally {
    shared.remove();
    await server.close();
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ machine, extent, seconds, rows }, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${table(rows)}\n`);
  const load = `load before: ${machine.load.toFixed(2)}${busy ? ', busy' : ''}`;
  say(`\n${machine.cores} cores, Node ${machine.node}, ${load}; took ${seconds} s.`);
  say('spread: distance between the quartiles, as a share of the median; above 30 % is noise.');
}

function outOfTime({ name }: Part): Row {
  return notMeasured(name, '', `out of time; run it alone: npm run bench -- ${name}`);
}

async function runPart(part: Part, bench: Bench): Promise<readonly Row[]> {
  say(`${part.name}: ${part.about}`);
  try {
    return await part.run(bench);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [notMeasured(part.name, '', why.split('\n', 1)[0] ?? '')];
  }
}

/** Runs the long session when it is first asked for, and keeps its home until the end. */
function sharedCourse(
  server: ModelServer,
  extent: Extent,
): { course: () => Promise<Course>; remove: () => void } {
  let place: Place | null = null;
  let running: Promise<Course> | null = null;
  const begin = (): Promise<Course> => {
    place = newPlace();
    const count = byExtent({ extent }, { quick: 260, normal: 2_000, long: 10_000 });
    return runCourse({ server, place, rounds: count, say });
  };
  return {
    course: () => (running ??= begin()),
    remove: () => {
      if (place !== null) removePlace(place);
    },
  };
}
