/** `grep` and `find_files` on a large tree, through the toolbox, against ripgrep by itself. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { median, ratioRow, summarise, type Row } from '../figures.js';
import { newPlace, removePlace, type Place } from '../ouro.js';
import { byExtent, type Part } from '../part.js';
import { runProgram } from '../programs.js';
import { callTool, newSession, sessionJournal, timed, toolBoxOn } from '../tool-ground.js';

const FOLDERS = 500;
const FILES_A_FOLDER = 100;

/** One file in so many holds what is searched for, or has the ending that is. */
const ONE_IN = 500;

const NEEDLE = 'a_needle_in_the_hay';

/** More than there are to find. Each call asks for another number: a remembered answer would cost nothing. */
const LIMIT_OF_RESULTS = 200;

const LIMIT = 1.3;
const PLUS_MS = 2;

const SEARCHES = [
  {
    tool: 'grep',
    args: { pattern: NEEDLE },
    floor: ['--no-config', '--files-with-matches', '-e', NEEDLE, './'],
  },
  {
    tool: 'find_files',
    args: { pattern: '**/*.ts' },
    floor: ['--no-config', '--files', '--hidden', '--glob', '*.ts', './'],
  },
] as const;

export const search: Part = {
  name: 'search',
  about: 'grep and find_files on 50,000 files against bare ripgrep',
  async run(bench): Promise<Row[]> {
    const place = newPlace();
    const journal = sessionJournal(place, newSession());
    try {
      bench.say('  making 50,000 files');
      makeTree(place);
      const samples = byExtent(bench, { quick: 4, normal: 12, long: 20 });
      const tools = toolBoxOn(place, journal);
      const rows: Row[] = [];
      for (const { tool, args, floor } of SEARCHES) {
        const bare: number[] = [];
        const taken: number[] = [];
        // The first of each fills the system's caches and loads what is loaded once.
        for (let i = -1; i < samples; i += 1) {
          const bareMs = await timed(() => runProgram(rgPath, floor, place.workspace));
          const ms = await timed(() =>
            callTool(tools, tool, { ...args, limit: LIMIT_OF_RESULTS + i }),
          );
          if (i < 0) continue;
          bare.push(bareMs);
          taken.push(ms);
        }
        rows.push(
          ratioRow({
            name: `${tool} on 50,000 files`,
            unit: 'ms',
            floor: { what: 'ripgrep', p50: median(bare) },
            measured: summarise(taken),
            limit: LIMIT,
            plus: PLUS_MS,
          }),
        );
      }
      return rows;
    } finally {
      await journal.close();
      removePlace(place);
    }
  },
};

function makeTree({ workspace }: Place): void {
  const hay = Array.from({ length: 10 }, (_, i) => `some hay in line ${i}`).join('\n');
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const path = join(workspace, `part-${folder % 20}`, `folder-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_A_FOLDER; file += 1) {
      const special = (folder * FILES_A_FOLDER + file) % ONE_IN === 0;
      const name = `file-${file}.${special ? 'ts' : 'txt'}`;
      writeFileSync(join(path, name), special ? `${hay}\n${NEEDLE}\n` : hay);
    }
  }
}
