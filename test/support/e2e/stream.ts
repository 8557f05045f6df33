/** What `--output-format stream-json` and `json` print, read as a script would. */
import { expect } from 'vitest';
import { STREAM_TYPES, type RunResult, type StreamLine } from '../../../messages/result.js';

/** Every whole line; each has to be JSON of a known type. */
export function streamLines(stdout: string): readonly StreamLine[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').slice(0, -1);
  return lines.map((line) => {
    const parsed = JSON.parse(line) as StreamLine;
    expect(STREAM_TYPES).toContain(parsed.type);
    return parsed;
  });
}

export const linesOf = <T extends StreamLine['type']>(
  lines: readonly StreamLine[],
  type: T,
): readonly Extract<StreamLine, { type: T }>[] =>
  lines.filter((line): line is Extract<StreamLine, { type: T }> => line.type === type);

/** Of a run with `--output-format json`, or the last line of a stream. */
export function resultOf(stdout: string): RunResult {
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  const result = JSON.parse(last) as RunResult;
  expect(result.type).toBe('result');
  return result;
}
