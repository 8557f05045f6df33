/** What is a title in the answer of a model that was asked for one. Pure. */
import { sanitiseLine } from '../../tui/text/sanitise.js';

export const TITLE_CHARS = 60;

/** Models explain themselves before they answer, in marks of their own. */
const THOUGHTS = /<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi;

const LABEL = /^(?:title|titel|titre|título|titolo)\s*:\s*/i;

/** Around the whole of it. */
const WRAPPING = /^[\s#>*_`"'“”„«»-]+|[\s*_`"'“”«».]+$/g;

/** One line that is safe to show; null: there is none. */
export function titleIn(answer: string): string | null {
  const lines = answer.replace(THOUGHTS, '').split('\n').map(plain);
  const title = lines.find((line) => line !== '') ?? '';
  if (title === '') return null;
  if (title.length <= TITLE_CHARS) return title;
  const cut = title.slice(0, TITLE_CHARS - 1);
  // Between two words, where there are words.
  const space = cut.lastIndexOf(' ');
  return `${(space > TITLE_CHARS / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

const plain = (line: string): string =>
  sanitiseLine(line).replace(WRAPPING, '').replace(LABEL, '').replace(WRAPPING, '').trim();
