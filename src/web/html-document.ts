/** As much of a parsed page as is used here, and how it is cleaned before anything is read from it. */

export interface HtmlElement {
  readonly tagName: string;
  readonly textContent: string;
  readonly parentNode: HtmlElement | null;
  readonly previousElementSibling: HtmlElement | null;
  readonly children: ArrayLike<HtmlElement> & Iterable<HtmlElement>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
}

export interface HtmlDocument {
  readonly body: HtmlElement;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
}

/** Marks the parts of tables that hold data rather than a layout. */
export const GRID_MARK = 'data-ouro-grid';

/** What an item of a numbered list begins with. */
export const NUMBER_MARK = 'data-ouro-number';

const NO_TEXT =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, input, select, button';

/** A longer link is data. */
const MAX_LINK = 500;

export function prepare(document: HtmlDocument, url: string): void {
  for (const element of document.querySelectorAll(NO_TEXT)) element.remove();
  const base = baseOf(document, url);
  for (const link of document.querySelectorAll('a')) makeWhole(link, base);
  for (const table of document.querySelectorAll('table')) markGrid(table);
  for (const list of document.querySelectorAll('ol')) numberItems(list);
}

function baseOf(document: HtmlDocument, url: string): string {
  const stated = document.querySelector('base')?.getAttribute('href') ?? '';
  return stated.length <= MAX_LINK && URL.canParse(stated, url) ? new URL(stated, url).href : url;
}

/** Links within the page, and those that are no places, become plain text. */
function makeWhole(link: HtmlElement, base: string): void {
  const href = link.getAttribute('href')?.trim() ?? '';
  const place = href !== '' && !href.startsWith('#') && href.length <= MAX_LINK;
  const whole = place && URL.canParse(href, base) ? new URL(href, base) : null;
  const known = whole !== null && /^(?:https?|mailto):$/.test(whole.protocol);
  link.removeAttribute('title');
  if (known) link.setAttribute('href', whole.href.slice(0, MAX_LINK * 2));
  else link.removeAttribute('href');
}

const GRID_PARTS = 'thead, tbody, tfoot, tr, th, td';

function markGrid(table: HtmlElement): void {
  if (table.querySelector('th') === null || table.querySelector('table') !== null) return;
  for (const part of table.querySelectorAll(GRID_PARTS)) part.setAttribute(GRID_MARK, '');
}

function numberItems(list: HtmlElement): void {
  let number = Number.parseInt(list.getAttribute('start') ?? '1', 10);
  for (const item of list.children) {
    item.setAttribute(NUMBER_MARK, String(number));
    number += 1;
  }
}
