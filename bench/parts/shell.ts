/** What `shell` adds to the start of a program, and to that of a program in the sandbox. */
import { join } from 'node:path';
import type { CommandSandbox, ToolBox } from '../../actors/ports.js';
import { openSandbox } from '../../src/sandbox/open-sandbox.js';
import { median, notMeasured, ratioRow, summarise, type Row } from '../figures.js';
import { environmentOf, newPlace, removePlace, type Place } from '../ouro.js';
import { byExtent, type Part } from '../part.js';
import { runProgram } from '../programs.js';
import { callTool, newSession, sessionJournal, timed, toolBoxOn } from '../tool-ground.js';

const LIMIT = 2;
const WARM = 5;

type Start = () => Promise<unknown>;

export const shell: Part = {
  name: 'shell',
  about: 'shell of true against bare bash -c true, and both in bubblewrap',
  async run(bench): Promise<Row[]> {
    const place = newPlace();
    const journal = sessionJournal(place, newSession());
    const samples = byExtent(bench, { quick: 40, normal: 150, long: 300 });
    const bare: Start = () => runProgram('bash', ['-c', 'true'], place.workspace);
    try {
      const open = toolBoxOn(place, journal);
      const row = await compared('shell of true', 'bash -c true', samples, [bare, through(open)]);
      const sandbox = await sandboxIn(place);
      if (typeof sandbox === 'string') return [row, unmeasured(sandbox)];
      const confined = toolBoxOn(place, journal, sandbox);
      const inside: Start = () => runProgram('bwrap', BARE_BUBBLEWRAP, place.workspace);
      const starts = [inside, through(confined)] as const;
      return [row, await compared(SANDBOXED, 'bwrap, bash -c true', samples, starts)];
    } finally {
      await journal.close();
      removePlace(place);
    }
  },
};

const SANDBOXED = 'shell of true, sandboxed';

/** The least that a sandbox of the same kind has to do. */
const BARE_BUBBLEWRAP = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
  ...['--unshare-all', '--die-with-parent', 'bash', '-c', 'true'],
];

const through =
  (tools: ToolBox): Start =>
  () =>
    callTool(tools, 'shell', { command: 'true' });

/** Why there is none, in words. */
async function sandboxIn({ home, workspace }: Place): Promise<CommandSandbox | string> {
  const opened = await openSandbox({
    ...{ mode: 'auto', network: false, workspace, addDirs: [], ouroHome: home },
    tempDir: join(home, 'temp'),
    env: environmentOf({ home }),
  });
  if (!opened.ok) return opened.reason;
  return opened.sandbox ?? opened.obstacle?.reason ?? 'there is no sandbox here';
}

const unmeasured = (why: string): Row =>
  notMeasured(SANDBOXED, `≤ ${LIMIT} × bare bubblewrap`, why);

async function compared(
  name: string,
  what: string,
  samples: number,
  [bare, measured]: readonly [Start, Start],
): Promise<Row> {
  const floor: number[] = [];
  const taken: number[] = [];
  for (let i = -WARM; i < samples; i += 1) {
    const bareMs = await timed(bare);
    const ms = await timed(measured);
    if (i < 0) continue;
    floor.push(bareMs);
    taken.push(ms);
  }
  return ratioRow({
    name,
    unit: 'ms',
    floor: { what, p50: median(floor) },
    measured: summarise(taken),
    limit: LIMIT,
  });
}
