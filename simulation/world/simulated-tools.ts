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
import type { World } from './world.js';

export interface SimulatedToolsParts {
  readonly process: SimulatedProcess;
  readonly timeline: Timeline;
  readonly world: World;
  readonly chance: Chance;
  /** Longest time of a call. */
  readonly toolMs: number;
  readonly fault: Fault | null;
  /** Aborts when the operating system ends the programs that calls have started. */
  readonly killed: AbortSignal;
}

const thing = z.strictObject({ key: z.string() });
const thingInFile = z.strictObject({ key: z.string(), file: z.enum(['a', 'b', 'c']) });

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
      locks: ({ file }) => [`file/${file}`],
      execute: ({ key }, run) => carryOut(parts, run, { key, changes: true, stubborn: false }),
    });
  const command = (name: string, stubborn: boolean): Tool =>
    defineTool({
      name,
      description: 'Runs a command on a thing.',
      effect: 'execute',
      schema: thing,
      about: ({ key }) => key,
      locks: (_, __, agent) => [`${name}/${agent}`],
      execute: ({ key }, run) => carryOut(parts, run, { key, changes: true, stubborn }),
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
}

async function carryOut(
  parts: SimulatedToolsParts,
  { agent, round, callId, signal }: ToolRun,
  { key, changes, stubborn }: Way,
): Promise<ToolResult> {
  const { process, world, chance, toolMs, killed, fault, timeline } = parts;
  if (!process.isAlive) return process.never();
  const deed: Deed = { agent, round, callId, key, changes };
  world.begin(deed);
  if (fault === 'outlive-session' && changes) {
    timeline.after(chance.between(0, LATE_MS), () => world.begin({ ...deed, key: 'late' }), world);
  }
  const stop = stubborn ? killed : AbortSignal.any([signal, killed]);
  const stopped = await process.waitOrAbort(chance.skewed(0, toolMs), stop);
  world.end(deed);
  if (stopped) return { status: 'stopped', text: 'so far' };
  if (chance.happens(0.05)) throw new Error('the tool broke');
  if (chance.happens(0.1)) return { status: 'failed', reason: 'failed', text: 'Error: no luck' };
  return { status: 'ok', text: `${key} done`, truncated: false };
}
