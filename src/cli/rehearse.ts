/** `ouro rehearse`: a whole session against the scripted model server, or that server alone. */
import { extname, resolve } from 'node:path';
import { loadScenario } from '../rehearsal/load-scenario.js';
import { startRehearsal } from '../rehearsal/server.js';
import { failedToStart, type Terminal } from './run-end.js';
import { run } from './run.js';
import type { RunFlags } from './run-flags.js';

export interface RehearseRequest {
  readonly scenario: string;
  readonly goal: string | undefined;
  readonly flags: RunFlags;
}

export async function rehearse(request: RehearseRequest, terminal: Terminal): Promise<number> {
  const { flags } = request;
  // The daemon, and a later resume, look at it from another folder.
  const source = isFile(request.scenario) ? resolve(request.scenario) : request.scenario;
  const loaded = loadScenario(source);
  if (!loaded.ok) {
    return failedToStart(
      { status: 'bad_input', reason: loaded.message, text: '' },
      flags,
      terminal,
    );
  }
  const { scenario } = loaded;
  const rehearsal = { source, scenario };
  const goal = request.goal ?? scenario.goal;
  return run({ goal, flags, background: flags.bg === true, rehearsal }, terminal);
}

const isFile = (source: string): boolean => source.includes('/') || extname(source) !== '';

/** Serves until a signal ends it; the address is the only thing on stdout. */
export async function serveScenario(
  source: string,
  port: number,
  { out, err }: Terminal,
): Promise<number> {
  const loaded = loadScenario(source);
  if (!loaded.ok) {
    err.write(`ouro: ${loaded.message}\n`);
    return 42;
  }
  const server = await startRehearsal({ scenario: loaded.scenario, port });
  out.write(`${server.baseUrl}\n`);
  err.write(
    `Scripted model server "${loaded.scenario.name}": no real model. Use it with:\n` +
      `  ouro run -p --base-url ${server.baseUrl} -m ${server.model} "GOAL"\n`,
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
  return 0;
}
