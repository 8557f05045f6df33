/**
 * Finds known secrets in what is about to leave: as they are, percent-encoded, in base64 or in hex, also
 * inside of something longer, and with punctuation put between. What was split over several requests or
 * encrypted it cannot find.
 */

/** Whether the text holds one of the secrets. */
export type HoldsSecret = (text: string) => boolean;

/** Shorter values occur by chance. */
const MIN_LENGTH = 8;

/** Encoded this often, a text is read by nobody by accident. */
const MAX_DECODINGS = 3;

export function secretGuard(secrets: readonly string[]): HoldsSecret {
  const known = secrets.filter((secret) => secret.length >= MIN_LENGTH);
  const shapes = [...new Set(known.flatMap(shapesOf))];
  return (text) =>
    decodings(text).some((decoded) => {
      const plain = bare(decoded);
      return (
        shapes.some((shape) => plain.includes(shape)) || known.some((s) => decoded.includes(s))
      );
    });
}

/** Letters and digits alone, in lower case: host names lose case, and separators are easily added. */
const bare = (text: string): string => text.toLowerCase().replace(/[\0-/:-@[-`{-\x7f]/g, '');

function shapesOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset));
  return [secret, bytes.toString('hex'), ...base64]
    .map(bare)
    .filter((shape) => shape.length >= MIN_LENGTH);
}

/** The characters that stand for the secret alone when it begins at this offset of a group of three bytes. */
function base64Core(secret: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), secret]);
  const skipped = Math.ceil((offset * 8) / 6);
  return padded.toString('base64').slice(skipped, Math.floor((padded.length * 8) / 6));
}

/** The text, and what it says when percent-encoding is undone, again and again. */
function decodings(text: string): readonly string[] {
  const found = [text];
  for (let left = MAX_DECODINGS; left > 0; left -= 1) {
    const latest = found.at(-1) ?? '';
    const next = percentDecoded(latest);
    if (next === latest) break;
    found.push(next);
  }
  return found;
}

/** Byte for byte, so that one wrong escape does not hide the others. */
const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
