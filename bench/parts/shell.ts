/** What `shell` adds to the start of a program. */
import { median, notMeasured, ratioRow, summarise, type Row } from '../figures.js';
import { newPlace, removePlace } from '../ouro.js';
import { byExtent, type Part } from '../part.js';
import { runProgram } from '../programs.js';
import { callTool, newSession, sessionJournal, timed, toolBoxOn } from '../tool-ground.js';

const LIMIT = 2;
const WARM = 5;

export const shell: Part = {
  name: 'shell',
  about: 'shell of true against bare bash -c true',
  async run(bench): Promise<Row[]> {
    const place = newPlace();
    const journal = sessionJournal(place, newSession());
    const bare: number[] = [];
    const taken: number[] = [];
    try {
      const tools = toolBoxOn(place, journal);
      const samples = byExtent(bench, { quick: 40, normal: 150, long: 300 });
      for (let i = -WARM; i < samples; i += 1) {
        const bareMs = await timed(() => runProgram('bash', ['-c', 'true'], place.workspace));
        const ms = await timed(() => callTool(tools, 'shell', { command: 'true' }));
        if (i < 0) continue;
        bare.push(bareMs);
        taken.push(ms);
      }
    } finally {
      await journal.close();
      removePlace(place);
    }
    return [
      ratioRow({
        name: 'shell of true',
        unit: 'ms',
        floor: { what: 'bash -c true', p50: median(bare) },
        measured: summarise(taken),
        limit: LIMIT,
      }),
      notMeasured(
        'shell of true, sandboxed',
        `≤ ${LIMIT} × bare bubblewrap`,
        'the sandbox is off unless it is asked for',
      ),
    ];
  },
};
