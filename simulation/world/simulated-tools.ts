/**
 * Tools that do something to a simulated world, one for each way to matter: that looks, that changes a file,
 * that runs a command, that a person has to allow, that does not stop when it is told to. What is around
 * them is the product's own: arguments, permissions, records, time limits.
 */
import { z } from 'zod';
import { defineTool, type Tool, type ToolResult, type ToolRun } from '../../src/tools/tool.js';
import type { Chance } from '../chance.js';
import type { Fault } from '../faults.js';
import type { Deed } from '../happenings.js';
import type { SimulatedProcess } from '../process/simulated-process.js';
import type { Timeline } from '../timeline.js';
import { FILES } from './calls.js';
import type { World } from './world.js';

export interface SimulatedToolsParts {
  readonly process: SimulatedProcess;
  readonly timeline: Timeline;
  readonly world: World;
  readonly chance: Chance;
  /** Longest time of a call. */
  readonly toolMs: number;
  /** Longest text of a result. */
  readonly resultChars: number;
  readonly fault: Fault | null;
  /** Aborts when the operating system ends the programs that calls have started. */
  readonly killed: AbortSignal;
}

const thing = z.strictObject({ key: z.string() });
const thingInFile = z.strictObject({ key: z.string(), path: z.enum(FILES) });

/** A program that outlives its session does its next thing within so long. */
const LATE_MS = 60_000;

export function simulatedTools(parts: SimulatedToolsParts): readonly Tool[] {
  const look = (name: string): Tool =>
    defineTool({
      name,
      description: 'Looks at a thing.',
      effect: 'read',
      schema: thing,
      about: ({ key }) => key,
      execute: ({ key }, run) => carryOut(parts, run, { key, changes: false, stubborn: false }),
    });
  const change = (name: string): Tool =>
    defineTool({
      name,
      description: 'Changes a thing.',
      effect: 'write',
      schema: thingInFile,
      about: ({ key }) => key,
      locks: ({ path }) => [`file/${path}`],
      path: ({ path }) => (parts.world.workspace === null ? null : { path, access: 'write' }),
      execute: ({ key, path }, run) =>
        carryOut(parts, run, {
          key,
          changes: true,
          stubborn: false,
          inFiles: (how) => parts.world.workspace?.write(path, `${key} ${how}`),
        }),
    });
  const command = (name: string, stubborn: boolean): Tool =>
    defineTool({
      name,
      description: 'Runs a command on a thing.',
      effect: 'execute',
      schema: thing,
      about: ({ key }) => key,
      locks: (_, __, agent) => [`${name}/${agent}`],
      execute: ({ key }, run) =>
        carryOut(parts, run, {
          key,
          changes: true,
          stubborn,
          // One that outlives its call would change files behind the session's back.
          ...(stubborn ? {} : { inFiles: () => parts.world.workspace?.command(key, parts.chance) }),
        }),
    });
  return [
    look('read_file'),
    look('list_dir'),
    change('write_file'),
    // A person has to allow it.
    change('edit_file'),
    command('shell', false),
    command('process_kill', true),
  ];
}

interface Way {
  readonly key: string;
  readonly changes: boolean;
  /** It does not heed that it is told to stop. */
  readonly stubborn: boolean;
  /** What it does to files, when it begins and when it is through; left out: nothing. */
  readonly inFiles?: (how: 'begun' | 'done') => void;
}

async function carryOut(
  parts: SimulatedToolsParts,
  { agent, round, callId, signal }: ToolRun,
  { key, changes, stubborn, inFiles }: Way,
): Promise<ToolResult> {
  const { process, world, chance, toolMs, resultChars, killed, fault, timeline } = parts;
  if (!process.isAlive) return process.never();
  const deed: Deed = { agent, round, callId, key, changes };
  world.begin(deed);
  inFiles?.('begun');
  if (fault === 'outlive-session' && changes) {
    timeline.after(chance.between(0, LATE_MS), () => world.begin({ ...deed, key: 'late' }), world);
  }
  const stop = stubborn ? killed : AbortSignal.any([signal, killed]);
  const stopped = await process.waitOrAbort(chance.skewed(0, toolMs), stop);
  world.end(deed);
  if (stopped) return { status: 'stopped', text: 'so far' };
  inFiles?.('done');
  if (chance.happens(0.05)) throw new Error('the tool broke');
  if (chance.happens(0.1)) return { status: 'failed', reason: 'failed', text: 'Error: no luck' };
  const found = WORDS.slice(0, chance.between(0, Math.min(resultChars, WORDS.length)));
  return { status: 'ok', text: `${key} done ${found}`, truncated: false };
}

/** What there is to read in this world: text as programs print it. */
const WORDS = Array.from({ length: 1_500 }, (_, i) => `line ${i}: it says`).join('\n');
