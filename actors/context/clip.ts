/** Shortens a text to one line for a list. */

/** At most `max` UTF-16 units on one line, never half of a character; what was cut is marked. */
export function clip(text: string, max: number): string {
  // Only as much as can be shown is looked at: a result can be a megabyte on one line.
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= max && text.length <= 4 * max) return line;
  const cut = line.slice(0, max - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}
