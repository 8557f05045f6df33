/** Turns the bytes of a page into text: by its mark, by what the server says, by what the page says. */
import type { MediaType } from './media-type.js';

/** Where a page must have said by then how it is written. */
const DECLARATION_BYTES = 4096;

const DECLARED =
  /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})|<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i;

const MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** What old pages that say nothing are written in. */
const FALLBACK = 'windows-1252';

/** Null: it is no text. */
export function pageText(bytes: Buffer, mediaType: MediaType): string | null {
  const mark = MARKS.find(([start]) => start.every((byte, at) => bytes[at] === byte))?.[1];
  const said = mark ?? mediaType.charset ?? declared(bytes);
  const text = (said === null ? null : decoded(bytes, said, false)) ?? undeclared(bytes);
  return text.slice(0, DECLARATION_BYTES).includes('\0') ? null : text;
}

function declared(bytes: Buffer): string | null {
  const [, meta, xml] = DECLARED.exec(bytes.toString('latin1', 0, DECLARATION_BYTES)) ?? [];
  const name = meta ?? xml ?? null;
  // It could be read, so that it cannot be written in units of two bytes.
  return name !== null && /^utf-?16/i.test(name) ? 'utf-8' : name;
}

const undeclared = (bytes: Buffer): string =>
  decoded(bytes, 'utf-8', true) ?? decoded(bytes, FALLBACK, false) ?? bytes.toString('latin1');

/** Null: the name means nothing, or (when strict) the bytes are not written in it. */
function decoded(bytes: Buffer, charset: string, strict: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal: strict }).decode(bytes);
  } catch {
    return null;
  }
}
