/** Reads bodies of unknown length, never more than a limit, and gives the rest back unread. */

type Body = AsyncIterable<Uint8Array>;

/** The beginning of a body as text; what is over the limit is not read. */
export async function readStart(body: Body, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxBytes).toString('utf8');
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Position after the last line ending, 0 when there is none. */
const endOfLines = (piece: Uint8Array): number =>
  Math.max(piece.lastIndexOf(NEWLINE), piece.lastIndexOf(CARRIAGE_RETURN)) + 1;

/**
 * The same bytes, cut only behind line endings. The SDK's reader copies and scans all it holds for every
 * piece it gets, so long lines in small pieces would cost the square of their length.
 * Calls `onTooLong`, which throws, when a line does not end.
 */
export async function* wholeLines(
  body: Body,
  maxLineBytes: number,
  onTooLong: () => never,
): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    const end = endOfLines(piece);
    if (end > 0) {
      yield Buffer.concat([...held, piece.subarray(0, end)]);
      held = [];
      size = 0;
    }
    const rest = piece.subarray(end);
    if (rest.length > 0) held.push(rest);
    size += rest.length;
    if (size > maxLineBytes) onTooLong();
  }
  if (size > 0) yield Buffer.concat(held);
}
