/**
 * Reads arguments that are almost JSON, strictly enough to know where every string and bracket ends. What
 * was never closed has been cut off, and nobody can know what it should have said; where a quote could
 * mean two things it is left alone.
 */

/** No tool's arguments nest deeper. */
const MAX_DEPTH = 64;

/** Written after a backslash, JSON knows these. */
const JSON_ESCAPES = '"\\/bfnrt';
const PARTNER: Readonly<Record<string, string>> = { '}': '{', ']': '[' };

export type Form =
  /** `object`: the first whole object, its strings in double quotes; `rest`: what follows it. */
  | { readonly kind: 'closed'; readonly object: string; readonly rest: string }
  | { readonly kind: 'open' }
  | { readonly kind: 'odd' };

const OPEN: Form = { kind: 'open' };
const ODD: Form = { kind: 'odd' };

/** White space, also when the model wrote its escape between two tokens. */
const GAP = /(?:\s|\\[nrt])*/y;
/** Without quotes may stand: a name in front of its value, a number, a constant of JSON or Python. */
const BARE =
  /[\p{L}_$][\w$-]*(?=(?:\s|\\[nrt])*:)|(?:true|false|null|True|False|None|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=(?:\s|\\[nrt])*[,:}\]]|[^\S\n]*\n)/uy;
/** What may stand behind a string; a quote only on a new line, where a comma was forgotten. */
const BEHIND_STRING = /(?:\s|\\[nrt])*(?:[,:}\]]|$)|[^\S\n]*\n\s*["']/y;

const matchAt = (pattern: RegExp, text: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
};

function escaped(text: string, at: number): { json: string; end: number } {
  const next = text[at + 1] ?? '';
  if (next === 'u' && /^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6)))
    return { json: text.slice(at, at + 6), end: at + 6 };
  if (next === "'") return { json: next, end: at + 2 };
  if (next !== '' && JSON_ESCAPES.includes(next)) return { json: `\\${next}`, end: at + 2 };
  // A backslash that JSON does not know was meant as one, as in a regular expression.
  return { json: '\\\\', end: at + 1 };
}

/** One string from its opening quote on. */
function readString(text: string, from: number): { json: string; end: number } | Form {
  const quote = text[from];
  const parts = ['"'];
  for (let at = from + 1; at < text.length;) {
    const char = text[at] ?? '';
    if (char === '\\') {
      if (at + 1 >= text.length) return OPEN;
      const { json, end } = escaped(text, at);
      parts.push(json);
      at = end;
    } else if (char === quote) {
      if (matchAt(BEHIND_STRING, text, at + 1) === null) return ODD;
      return { json: `${parts.join('')}"`, end: at + 1 };
    } else {
      parts.push(char === '"' ? '\\"' : char);
      at += 1;
    }
  }
  return OPEN;
}

function readBare(text: string, from: number): { json: string; end: number } | Form {
  const word = matchAt(BARE, text, from);
  if (word !== null) return { json: word, end: from + word.length };
  return /^[\w.+-]*$/.test(text.slice(from)) ? OPEN : ODD;
}

export function readForm(text: string): Form {
  const open: string[] = [];
  const parts: string[] = [];
  let at = (matchAt(GAP, text, 0) ?? '').length;
  if (text[at] !== '{') return ODD;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '{' || char === '[') open.push(char);
    if (open.length > MAX_DEPTH) return ODD;
    if (char in PARTNER && open.pop() !== PARTNER[char]) return ODD;
    if ('{}[],:'.includes(char)) {
      parts.push(char);
      at += 1;
    } else {
      const token = char === '"' || char === "'" ? readString(text, at) : readBare(text, at);
      if ('kind' in token) return token;
      parts.push(token.json);
      at = token.end;
    }
    if (open.length === 0) return { kind: 'closed', object: parts.join(''), rest: text.slice(at) };
    const gap = matchAt(GAP, text, at) ?? '';
    if (gap !== '') parts.push(gap.includes('\n') ? '\n' : ' ');
    at += gap.length;
  }
  return OPEN;
}
