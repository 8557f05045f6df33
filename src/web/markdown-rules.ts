/** How Markdown differs here from what the converter does by itself: pictures, links, tables, lists. */
import { GRID_MARK, NUMBER_MARK, type HtmlElement } from './html-document.js';

interface MarkdownRule {
  filter(node: HtmlElement): boolean;
  replacement(content: string, node: HtmlElement): string;
}

const named =
  (...names: readonly string[]) =>
  (node: HtmlElement): boolean =>
    names.includes(node.tagName);

const inGrid =
  (...names: readonly string[]) =>
  (node: HtmlElement): boolean =>
    names.includes(node.tagName) && node.hasAttribute(GRID_MARK);

/** A picture is what its author says that it shows. */
const image: MarkdownRule = {
  filter: named('IMG'),
  replacement: (_, node) => {
    const alt = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim();
    return alt === '' ? '' : `[image: ${alt}]`;
  },
};

/** A link around nothing leads nowhere for a reader. */
const link: MarkdownRule = {
  filter: (node) => named('A')(node) && node.hasAttribute('href'),
  replacement: (content, node) => {
    const text = content.replace(/\s+/g, ' ').trim();
    const href = (node.getAttribute('href') ?? '').replaceAll('(', '%28').replaceAll(')', '%29');
    return text === '' ? '' : `[${text}](${href})`;
  },
};

const gridCell: MarkdownRule = {
  filter: inGrid('TH', 'TD'),
  replacement: (content) => `| ${content.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|')} `,
};

const gridRow: MarkdownRule = {
  filter: inGrid('TR'),
  replacement: (content, node) => {
    const row = `\n${content.trim()} |`;
    return isFirstRow(node) ? `${row}\n${'| --- '.repeat(node.children.length)}|` : row;
  },
};

/** Rows of one table stand together, whatever part of it they are in. */
const gridPart: MarkdownRule = {
  filter: inGrid('THEAD', 'TBODY', 'TFOOT'),
  replacement: (content) => `\n${content.trim()}`,
};

const isFirstRow = (row: HtmlElement): boolean =>
  leads(row) &&
  (row.parentNode === null || named('TABLE')(row.parentNode) || leads(row.parentNode));

/** No row comes before it in its table. */
const leads = ({ previousElementSibling: before }: HtmlElement): boolean =>
  before === null || named('CAPTION', 'COLGROUP')(before);

/** Without the wide margin of the default, which costs tokens and says nothing. */
const listItem: MarkdownRule = {
  filter: named('LI'),
  replacement: (content, node) => {
    const number = node.getAttribute(NUMBER_MARK);
    const text = content.trim().replace(/\n(?=[^\n])/g, '\n  ');
    return `\n${number === null ? '-' : `${number}.`} ${text}\n`;
  },
};

export const markdownRules: Readonly<Record<string, MarkdownRule>> = {
  image,
  link,
  gridCell,
  gridRow,
  gridPart,
  listItem,
};
