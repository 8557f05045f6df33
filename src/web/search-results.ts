/** How search results are shown: a line with title and address each, and what the page says below it. */
import { unescaped } from './plain-text.js';
import type { SearchHit } from './search-engines.js';

/** Of the whole text. The addresses come first; what is left of it goes to the snippets of the best. */
const MAX_LINES = 10;

const MAX_TITLE = 200;
const MAX_SNIPPET = 400;
const MAX_URL = 1000;

export function searchResults(hits: readonly SearchHit[], limit: number): string {
  const shown = hits.filter(({ url }) => isPlace(url)).slice(0, Math.min(limit, MAX_LINES));
  let snippets = MAX_LINES - shown.length;
  return shown
    .flatMap(({ title, url, snippet }, at) => {
      const line = `[${at + 1}] "${words(title, MAX_TITLE)}" — ${new URL(url).href}`;
      const said = words(snippet, MAX_SNIPPET);
      if (said === '' || snippets === 0) return [line];
      snippets -= 1;
      return [line, `    ${said}`];
    })
    .join('\n');
}

const isPlace = (url: string): boolean =>
  url.length <= MAX_URL && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Without markup, on one line. */
function words(text: string, length: number): string {
  const bare = unescaped(text.slice(0, length * 4).replace(/<\/?[a-z][^<>]{0,200}>/gi, ''));
  const line = bare.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
