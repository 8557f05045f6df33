/** How a call ended, read from its result or from the line that stands in for it once it is masked. */
import { withoutGuide } from '../../messages/tool-guides.js';
import { clip } from './clip.js';

const MAX_LINE_CHARS = 160;

export const CLEARED = '[Cleared: ';

/** The end of the line in place of a result: what `hintOf` made of a failure is read back from here. */
const MASKED_FAILURE =
  /output masked -- \d+ lines, (?:exit (-?\d+)|failed)(?:: (.*))?; read_output id=\S+\]$/s;

export interface Ending {
  /** Exit code; null: it was no command, or nothing is known. */
  readonly exit: string | null;
  readonly failed: boolean;
  /** What went wrong; null: nothing did, or no line says it. */
  readonly error: string | null;
}

export function endingOf(result: string): Ending {
  const text = withoutGuide(result);
  if (text.startsWith(CLEARED)) {
    const [whole, exit = null, error = null] = MASKED_FAILURE.exec(text) ?? [];
    return { exit, failed: whole !== undefined && exit !== '0', error };
  }
  const exit = /^\[exit: (-?\d+)\]/.exec(text)?.[1] ?? null;
  const failed = exit === null ? text.startsWith('Error') : exit !== '0';
  return { exit, failed, error: failed ? errorLine(text) : null };
}

/** What programs write before they say what went wrong; a file's name, as in a listing, is none. */
const MESSAGE = /(?:error|exception|panicked|fatal)[\w ()[\]]{0,20}: \S/i;
const HINT = /error|fail|exception|panic|cannot|denied/i;

/** The first line that says what went wrong. */
function errorLine(text: string): string | null {
  const lines = text.split('\n').map((each) => each.trim());
  const named = lines.find((each) => MESSAGE.test(each)) ?? lines.find((each) => HINT.test(each));
  const first = named ?? lines.find((each) => each !== '' && !each.startsWith('[exit:'));
  return first === undefined ? null : clip(first, MAX_LINE_CHARS);
}
