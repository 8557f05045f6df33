/** Amounts of data as people write them. Imports nothing. */

const UNITS: Readonly<Record<string, number>> = { '': 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** More than disks hold: a slip of the keyboard. */
const MAX_BYTES = 1e15;

/** For messages about what was expected. */
export const SIZE_FORM = 'an amount of data such as "500MB" or "2GB", or a number of bytes';

/** `500MB`, `1.5 gb`, or bare bytes; 1 KB is 1000 bytes. Null: not an amount, or more than disks hold. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,6})?)\s*([kmgt]?b)?$/.exec(text.trim().toLowerCase());
  if (match === null) return null;
  const unit = match[2] === 'b' ? '' : (match[2] ?? '');
  const bytes = Math.round(Number(match[1]) * (UNITS[unit] ?? NaN));
  return bytes > 0 && bytes <= MAX_BYTES ? bytes : null;
}
