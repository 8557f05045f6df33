/**
 * What a model is shown of a result: cut to size, where to read the rest, and what others have to say of
 * it. Remarks stand below the text and are never cut away with it.
 */
import type { ToolOutcome } from '../../messages/tools.js';
import { headOf, truncate, type Truncation } from './truncate.js';

export interface Remark {
  readonly text: string;
  readonly maxBytes: number;
}

export interface Presentation {
  readonly how: Truncation;
  readonly maxBytes: number;
  /** Each on lines of its own, and cut to its own bytes. */
  readonly remarks: readonly Remark[];
  /** Keeps the text as it is and gives the line that says where, or that it could not be kept. */
  readonly keepWhole: (text: string) => Promise<string>;
}

export async function present(
  outcome: ToolOutcome,
  { how, maxBytes, remarks, keepWhole }: Presentation,
): Promise<ToolOutcome> {
  const below = remarks.map(({ text, maxBytes: most }) =>
    headOf(Buffer.from(text), most).toString(),
  );
  let cut = truncate(outcome.text, how, roomAbove(below, maxBytes));
  // What a tool has cut itself, it has kept itself.
  if (cut.truncated && !(outcome.status === 'ok' && outcome.truncated)) {
    below.unshift(await keepWhole(outcome.text));
    cut = truncate(outcome.text, how, roomAbove(below, maxBytes));
  }
  const text = below.length === 0 ? cut.text : withBelow(cut.text, below);
  if (outcome.status !== 'ok') return { ...outcome, text };
  return { ...outcome, text, truncated: outcome.truncated || cut.truncated };
}

/** Half of the room is the result's, whatever stands below it. */
const roomAbove = (below: readonly string[], maxBytes: number): number =>
  below.length === 0
    ? maxBytes
    : Math.max(Math.floor(maxBytes / 2), maxBytes - Buffer.byteLength(below.join('\n')) - 1);

const withBelow = (text: string, below: readonly string[]): string =>
  [text.replace(/\n$/, ''), ...below].filter((part) => part !== '').join('\n');
