/** A report as text for a terminal and as Markdown for a file or a message. Foreign text comes out harmless. */
import { shortId, type SessionId } from '../../messages/ids.js';
import { reveal, sanitise, sanitiseLine } from '../../tui/text/sanitise.js';
import { sectionsOf } from './report-sections.js';
import type { ReportLine, SessionReport } from './report.js';

/** The beginning of a long command is enough to know it again. */
const MAX_LITERAL_CHARS = 200;

const cut = (text: string): string =>
  text.length > MAX_LITERAL_CHARS ? `${text.slice(0, MAX_LITERAL_CHARS - 1)}…` : text;

export function reportText(report: SessionReport): string {
  const { session_id: id, name } = report;
  const head = `${shortId(id as SessionId)}  ${sanitiseLine(name)}`;
  const sections = sectionsOf(report).flatMap(({ title, lines }) => [
    '',
    title,
    ...lines.map((line) => indented(plainLine(line))),
  ]);
  return [head, ...sections].join('\n');
}

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');

function plainLine({ literal, text }: ReportLine): string {
  if (literal === undefined) return sanitise(text);
  const shown = reveal(cut(literal));
  return text === '' ? shown : `${shown}  (${sanitiseLine(text)})`;
}

export function reportMarkdown(report: SessionReport): string {
  const { session_id: id, name } = report;
  const head = `# ${escaped(sanitiseLine(name))} (${shortId(id as SessionId)})`;
  const sections = sectionsOf(report).flatMap(({ title, lines }) => [
    '',
    `## ${title}`,
    '',
    ...lines.map((line) => `- ${markdownLine(line)}`),
  ]);
  return [head, ...sections].join('\n');
}

function markdownLine({ literal, text }: ReportLine): string {
  // Lines that follow belong to the same item.
  if (literal === undefined) return escaped(sanitise(text)).replaceAll('\n', '\n  ');
  const shown = codeSpan(reveal(cut(literal)));
  return text === '' ? shown : `${shown}: ${escaped(sanitiseLine(text))}`;
}

/** Nothing in it becomes a link, a picture or markup. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>#|!~&]/g, '\\$&');

/** With more backticks around it than there are in it. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}
