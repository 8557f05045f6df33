/** Ids that are the same whenever they are made again: an export made twice names every line alike. */
import { hash } from 'node:crypto';

/** A UUID of version 5 in form; the names are ours, so the space they are in is too. */
export function uuidOf(session: string, name: string): string {
  const hex = hash('sha1', `ouro\n${session}\n${name}`);
  const variant = ((parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
