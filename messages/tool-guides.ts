/** How a tool's guide stands below the first result of that tool, and how it is known again in a journal. */

export const framedGuide = (tool: string, text: string): string =>
  `${opening(tool)}${text}${CLOSING}`;

/** Whether a result of this tool ends with its guide. */
export const endsWithGuide = (tool: string, result: string): boolean =>
  result.endsWith(CLOSING) &&
  (result.startsWith(opening(tool)) || result.includes(`\n${opening(tool)}`));

/** The result as the tool gave it, for whoever looks for what happened; a guide says nothing of that. */
export function withoutGuide(result: string): string {
  const at = result.endsWith(CLOSING) ? result.lastIndexOf(OPENING) : -1;
  if (at === 0) return '';
  return at > 0 && result[at - 1] === '\n' ? result.slice(0, at - 1) : result;
}

const OPENING = '<tool_guide name="';
const opening = (tool: string): string => `${OPENING}${tool}">\n`;
const CLOSING = '\n</tool_guide>';
