/** Names of files as a result: one a line, as many as were asked for and as there is room. */
import { done } from './outcomes.js';
import { listed } from './shown.js';
import type { ToolResult } from './tool.js';

/** For the notice below. */
const NOTICE_BYTES = 200;

export interface NameList {
  /** One more than wanted says that there are more. */
  readonly paths: readonly string[];
  readonly limit: number;
  readonly maxBytes: number;
  /** Said below a list that is not complete. */
  readonly notice: (shown: number) => string;
}

export function nameList({ paths, limit, maxBytes, notice }: NameList): ToolResult {
  const fitting: string[] = [];
  let bytes = NOTICE_BYTES;
  for (const path of paths.slice(0, limit)) {
    const name = listed(path);
    bytes += Buffer.byteLength(name) + 1;
    if (bytes > maxBytes) break;
    fitting.push(name);
  }
  if (fitting.length === paths.length) return done(fitting.join('\n'));
  return done([...fitting, notice(fitting.length)].join('\n'), true);
}
