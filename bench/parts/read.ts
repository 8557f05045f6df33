/** `read_file` on its way through the whole mesh, in this process: from the request to the settled answer. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { initialState } from '../../actors/coordinator-state.js';
import type { Journal, ToolBox } from '../../actors/ports.js';
import { ReplyRegistry } from '../../messages/channels/oneshot.js';
import { callIdOf, MAIN_AGENT } from '../../messages/ids.js';
import { createMesh, type Mesh } from '../../src/session/mesh.js';
import { FsyncProbe } from '../disk.js';
import { median, ratioRow, summarise, type Row } from '../figures.js';
import { newPlace, noteOf, removePlace, writeNotes, type Place } from '../ouro.js';
import { byExtent, type Part } from '../part.js';
import { forgetfulJournal, newSession, sessionJournal, timed, toolBoxOn } from '../tool-ground.js';

const LIMIT = 2;

/** A source file of the usual length. */
const LINES = 300;

/** Until then everything is compiled. */
const WARM = 200;

export const read: Part = {
  name: 'read',
  about: 'read_file through the mesh against the bare read with line numbers',
  async run(bench): Promise<Row[]> {
    const place = newPlace();
    writeNotes(place, 1, LINES);
    const session = newSession();
    const journal = sessionJournal(place, session);
    const probe = new FsyncProbe(place.folder);
    try {
      const samples = byExtent(bench, { quick: 300, normal: 1_500, long: 3_000 });
      return await measure(place, { journal, probe, samples });
    } finally {
      probe.close();
      await journal.close();
      removePlace(place);
    }
  },
};

interface Means {
  readonly journal: Journal;
  readonly probe: FsyncProbe;
  readonly samples: number;
}

async function measure(place: Place, { journal, probe, samples }: Means): Promise<Row[]> {
  const inMemory = meshReader(place, forgetfulJournal());
  const onDisk = meshReader(place, journal);
  const path = join(place.workspace, noteOf(1));
  const taken = { bare: [], memory: [], disk: [], fsync: [] } as Record<string, number[]>;
  for (let i = -WARM; i < samples; i += 1) {
    const sample = {
      bare: await timed(() => bareRead(path)),
      memory: await inMemory.read(),
      disk: await onDisk.read(),
      fsync: probe.sample(),
    };
    if (i < 0) continue;
    for (const [name, ms] of Object.entries(sample)) taken[name]?.push(ms);
  }
  await Promise.all([inMemory.close(), onDisk.close()]);
  const of = (name: string): number[] => taken[name] ?? [];
  const bare = median(of('bare'));
  return [
    ratioRow({
      name: 'read_file through the mesh, journal in memory',
      unit: 'ms',
      floor: { what: 'bare read', p50: bare },
      measured: summarise(of('memory')),
      limit: LIMIT,
    }),
    ratioRow({
      name: 'read_file through the mesh, journal on disk',
      unit: 'ms',
      floor: { what: 'bare read + 1 fsync', p50: bare + median(of('fsync')) },
      measured: summarise(of('disk')),
      limit: LIMIT,
    }),
  ];
}

/** What any agent has to do to show a model a file. */
async function bareRead(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.map((line, i) => `L${i + 1}: ${line}`).join('\n');
}

interface MeshReader {
  /** Milliseconds until the toolbox hands over the outcome, which settles the answer at once. */
  read(): Promise<number>;
  close(): Promise<void>;
}

function meshReader(place: Place, journal: Journal): MeshReader {
  let handedOver = 0;
  const inner = toolBoxOn(place, journal);
  const tools: ToolBox = {
    ...inner,
    run: async (call, context) => {
      const finished = await inner.run(call, context);
      if (finished.outcome.status !== 'ok') throw new Error(finished.outcome.text);
      handedOver = performance.now();
      return finished;
    },
  };
  const mesh = meshOf(place, journal, tools);
  let finished: () => void = () => undefined;
  mesh.facts.on((fact) => {
    if (fact.type === 'tool.finished') finished();
  });
  let round = 0;
  return {
    read: async () => {
      // Never the same twice: an answer that is remembered would cost nothing.
      round += 1;
      const id = callIdOf(MAIN_AGENT, round, 1);
      const call = { id, name: 'read_file', args: { path: noteOf(1), limit: LINES + round } };
      const end = new Promise<void>((resolve) => (finished = resolve));
      const start = performance.now();
      await mesh.tell({ type: 'tool.request', agent: MAIN_AGENT, round, call });
      await end;
      return handedOver - start;
    },
    close: () => mesh.close(),
  };
}

function meshOf({ workspace }: Place, journal: Journal, tools: ToolBox): Mesh {
  const unused = (): never => {
    throw new Error('no agent runs here');
  };
  const spec = {
    id: newSession(),
    name: 'bench',
    workspace,
    model: 'bench',
    baseUrl: 'http://127.0.0.1',
    rehearsal: null,
    local: true,
    onQuestion: 'deny' as const,
    sharesWorkspace: false,
    permissions: { mode: 'default' as const, allow: [] },
    limits: { maxRounds: null, maxTimeMs: null },
    startedAt: Date.now(),
  };
  return createMesh(
    {
      time: { now: () => Date.now() },
      clock: {
        setTimeout: (fn, ms) => setTimeout(fn, ms),
        clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
      },
      journal,
      model: { ask: unused },
      tools,
      answers: new ReplyRegistry(),
      subAgent: unused,
      retryDelay: () => 0,
      root: () => undefined,
      crash: (error) => {
        throw error;
      },
    },
    initialState(spec, 'bench'),
    new ReplyRegistry(),
  );
}
