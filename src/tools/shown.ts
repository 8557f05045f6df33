/** How names, sizes and cut texts are put into messages: on one line, short, safe to print. */

/** Longer names say no more and only push the message out of sight. */
const MAX_NAME = 200;

const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** A name as it is listed: in quotes like a JSON string when it holds characters that break a line. */
export const listed = (name: string): string => (CONTROL.test(name) ? JSON.stringify(name) : name);

/** A name in a message. */
export const shown = (name: string): string => listed(cutText(name, MAX_NAME, '…'));

/** At most `max` UTF-16 units, never half of a character; `mark` is added where something was cut. */
export function cutText(text: string, max: number, mark: string): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? max - 1 : max) + mark;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)}KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)}MB`;
}

export const countText = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
