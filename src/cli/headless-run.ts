/** `ouro run` without a dashboard: the session in this process, the result on stdout, the rest on stderr. */
import { createHeadless, type LogLevel } from '../../tui/headless.js';
import type {
  LogFormat as ConfiguredFormat,
  LogLevel as ConfiguredLevel,
} from '../../config/settings.js';
import { openDaemon } from '../daemon.js';
import { LEVELS } from './log-level.js';
import type { RunPlan } from './plan-run.js';
import type { RunFlags } from './run-flags.js';
import { failedToStart, keepResult, outputFormat, type Terminal } from './run-end.js';
import { runSession } from './run-session.js';

export async function runHeadless(
  { request, config, warnings }: RunPlan,
  flags: RunFlags,
  terminal: Terminal,
): Promise<number> {
  const opened = await openDaemon(request);
  if (!opened.ok) return failedToStart(opened.ending, flags, terminal);
  const { daemon } = opened;
  const { err, out } = terminal;
  const headless = await createHeadless({
    session: daemon.spec.id,
    out,
    err,
    outputFormat: outputFormat(flags),
    logFormat: logFormat(config.log.format, terminal),
    level: logLevel(flags, config.log.level),
    colour: err.isTTY && !isSet(terminal.env['NO_COLOR']) && config.tui.colour !== 'never',
    now: () => Date.now(),
  });
  for (const warning of [...warnings, ...daemon.warnings]) headless.onNotice(warning);
  const result = await runSession(daemon, headless);
  return keepResult(result, flags, terminal);
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** For people on a terminal or in a file; as JSON where machines read logs. */
function logFormat(configured: ConfiguredFormat, { err, env }: Terminal): 'pretty' | 'json' {
  if (configured !== 'auto') return configured;
  return !err.isTTY && isSet(env['CI']) ? 'json' : 'pretty';
}

/** -q and -v are for this once, and go before what is configured. */
function logLevel({ quiet, verbose }: RunFlags, configured: ConfiguredLevel): LogLevel {
  if (quiet === true) return 'quiet';
  return verbose === true ? 'verbose' : LEVELS[configured];
}
