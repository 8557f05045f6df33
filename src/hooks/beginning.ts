/** The beginning of a text, never with half of a character at its end. */
export function beginning(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}
