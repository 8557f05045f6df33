/** `ouro run` without a dashboard: the session in this process, the result on stdout, the rest on stderr. */
import { writeFileSync } from 'node:fs';
import type { RunResult } from '../../messages/result.js';
import { createHeadless, type LogLevel, type OutputFormat } from '../../tui/headless.js';
import { jsonLine } from '../../tui/text/json.js';
import type { LogFormat as ConfiguredFormat } from '../../config/settings.js';
import { openDaemon } from '../daemon.js';
import { emptyResult } from '../session/run-result.js';
import type { Ending } from '../session/ending.js';
import type { RunPlan } from './plan-run.js';
import type { RunFlags } from './run-flags.js';
import { runSession } from './run-session.js';

export interface Terminal {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function runHeadless(
  { request, config, warnings }: RunPlan,
  flags: RunFlags,
  terminal: Terminal,
): Promise<number> {
  const opened = await openDaemon(request);
  if (!opened.ok) return failedToStart(opened.ending, flags, terminal);
  const { daemon } = opened;
  const { err, out } = terminal;
  for (const warning of [...warnings, ...daemon.warnings]) err.write(`ouro: ${warning}\n`);
  const headless = await createHeadless({
    session: daemon.spec.id,
    out,
    err,
    outputFormat: outputFormat(flags),
    logFormat: logFormat(config.log.format, terminal),
    level: logLevel(flags),
    colour: err.isTTY && !isSet(terminal.env['NO_COLOR']) && config.tui.colour !== 'never',
    now: () => Date.now(),
  });
  const result = await runSession(daemon, headless);
  return keepResult(result, flags, terminal);
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

const outputFormat = (flags: RunFlags): OutputFormat => flags.outputFormat ?? 'text';

/** For people on a terminal or in a file; as JSON where machines read logs. */
function logFormat(configured: ConfiguredFormat, { err, env }: Terminal): 'pretty' | 'json' {
  if (configured !== 'auto') return configured;
  return !err.isTTY && isSet(env['CI']) ? 'json' : 'pretty';
}

const logLevel = ({ quiet, verbose }: RunFlags): LogLevel =>
  quiet === true ? 'quiet' : verbose === true ? 'verbose' : 'normal';

/** `--output-file`: the same that stdout ends with. Not being able to write it is said, and is a failure. */
function keepResult(result: RunResult, flags: RunFlags, { err }: Terminal): number {
  const { outputFile } = flags;
  if (outputFile === undefined) return result.exit_code;
  const content = outputFormat(flags) === 'text' ? result.text : jsonLine(result);
  try {
    writeFileSync(outputFile, `${content}\n`);
    return result.exit_code;
  } catch (error) {
    err.write(`ouro: the result could not be written to ${outputFile}: ${String(error)}\n`);
    return result.exit_code === 0 ? 1 : result.exit_code;
  }
}

/** A run that never began still says so in the form that was asked for. */
export function failedToStart(
  ending: Ending,
  flags: Pick<RunFlags, 'outputFormat' | 'outputFile'>,
  terminal: Terminal,
): number {
  const result = emptyResult(ending);
  terminal.err.write(`ouro: ${ending.reason}\n`);
  if (outputFormat(flags) !== 'text') terminal.out.write(`${jsonLine(result)}\n`);
  return keepResult(result, flags, terminal);
}
