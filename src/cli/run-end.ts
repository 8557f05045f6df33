/** How a run ends for whoever asked for it: on stdout, in a file, and as an exit code. */
import { writeFileSync } from 'node:fs';
import type { RunResult } from '../../messages/result.js';
import type { OutputFormat } from '../../tui/headless.js';
import { jsonLine } from '../../tui/text/json.js';
import type { Ending } from '../session/ending.js';
import { emptyResult } from '../session/run-result.js';
import type { RunFlags } from './run-flags.js';

export interface Terminal {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const outputFormat = ({
  outputFormat: asked,
}: Pick<RunFlags, 'outputFormat'>): OutputFormat => asked ?? 'text';

/** `--output-file`: the same that stdout ends with. Not being able to write it is said, and is a failure. */
export function keepResult(
  result: RunResult,
  flags: Pick<RunFlags, 'outputFormat' | 'outputFile'>,
  { err }: Terminal,
): number {
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
