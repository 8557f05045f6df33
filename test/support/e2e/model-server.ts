/** Scripted model servers for the tests, from the program's own: in this process, or as a scenario file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { scenarioSchema } from '../../../src/rehearsal/scenario-schema.js';
import { startRehearsal, type RehearsalServer } from '../../../src/rehearsal/server.js';
import type { Place } from './place.js';

type ScenarioFile = z.input<typeof scenarioSchema>;
export type TurnFile = ScenarioFile['turn'][number];

export const MODEL = 'scripted/e2e';

const fileOf = (turn: readonly TurnFile[]): ScenarioFile => ({
  name: 'e2e',
  goal: 'Do what the script says.',
  turn: [...turn],
});

/** Closed with the test. Its log of requests is what the tests look at. */
export async function modelServer(
  turns: readonly TurnFile[],
  options: { readonly apiKey?: string; readonly port?: number } = {},
): Promise<RehearsalServer> {
  const scenario = scenarioSchema.parse(fileOf(turns));
  const server = await startRehearsal({ scenario, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** The flags that make a run ask this server. */
export const askAt = ({ baseUrl }: Pick<RehearsalServer, 'baseUrl'>): readonly string[] => [
  '--base-url',
  baseUrl,
  '-m',
  MODEL,
];

/** The path of a scenario file that `ouro rehearse` takes. */
export function scenarioFile({ root }: Place, turns: readonly TurnFile[]): string {
  const path = join(root, 'scenario.toml');
  writeFileSync(path, stringify(fileOf(turns)));
  return path;
}

interface CallFile {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export const call = (name: string, args: Record<string, unknown>): CallFile => ({ name, args });

export const shell = (command: string): CallFile => call('shell', { command });

/** Thinks until somebody says so. */
export const FINISH = 'finish now';
export const FINISHED = 'Finished as asked.';
export const untilTold: readonly TurnFile[] = [
  { when: { contains: FINISH }, text: FINISHED, times: -1 },
  { calls: [call('think', { thought: 'on and on' })], times: -1, delay_ms: 40 },
];
