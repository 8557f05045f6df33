/**
 * Reads a body up to a number of bytes, counted after it was unpacked. It is unpacked piece by piece and
 * no further than wanted, so that a small bomb stays small.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';

export type Body =
  | { readonly ok: true; readonly bytes: Buffer; readonly truncated: boolean }
  | { readonly ok: false; readonly coding: string };

/** The codings that can be unpacked, as a server is told. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** Rejects when the connection breaks or what was packed is damaged. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const unpacked = await unpack(response, coding);
  if (unpacked === null) return { ok: false, coding };
  const chunks: Buffer[] = [];
  let room = maxBytes;
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) return { ok: true, bytes: Buffer.concat(chunks), truncated: true };
    room -= chunk.length;
  }
  return { ok: true, bytes: Buffer.concat(chunks), truncated: false };
}

/** Null: it is packed in a way that is not understood. */
async function unpack(response: IncomingMessage, coding: string): Promise<Readable | null> {
  if (coding === '' || coding === 'identity') return response;
  const zlib = await import('node:zlib');
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return through(response, zlib.createGunzip());
    case 'br':
      return through(response, zlib.createBrotliDecompress());
    case 'deflate':
      // Some servers leave out the wrapper that the standard wants.
      return through(
        response,
        (await isWrapped(response)) ? zlib.createInflate() : zlib.createInflateRaw(),
      );
    default:
      return null;
  }
}

/** An error on either side ends both, and reaches whoever reads the result. */
const through = (response: Readable, decoder: Transform): Readable =>
  pipeline(response, decoder, () => undefined);

const ZLIB_METHOD = 8;

async function isWrapped(response: Readable): Promise<boolean> {
  await once(response, 'readable');
  const chunk = response.read() as Buffer | null;
  if (chunk === null) return true;
  response.unshift(chunk);
  return ((chunk[0] ?? 0) & 0x0f) === ZLIB_METHOD;
}
