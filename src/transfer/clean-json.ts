/**
 * Takes secrets out of a line of JSON, value by value, so that it stays JSON. A line without any keeps its
 * very bytes.
 */

export type Redact = (text: string) => string;

/** Nobody nests deeper, and a walk over what does could end the process. */
const MAX_DEPTH = 500;

export interface CleanLine {
  /** Null: the line is no JSON, or nested too deeply to be looked through. */
  readonly value: unknown;
  readonly isJson: boolean;
  /** Without its end. */
  readonly bytes: Buffer;
}

export function cleanLine(bytes: Buffer, redact: Redact): CleanLine {
  const text = bytes.toString('utf8');
  const parsed = parse(text);
  if (parsed === null) {
    const clean = redact(text);
    return { value: null, isJson: false, bytes: clean === text ? bytes : Buffer.from(clean) };
  }
  const state = { changed: false };
  const value = cleaned(parsed.value, redact, state);
  return {
    value,
    isJson: true,
    bytes: state.changed ? Buffer.from(JSON.stringify(value)) : bytes,
  };
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return depthOf(value) > MAX_DEPTH ? null : { value };
  } catch {
    return null;
  }
}

/** Level by level, so that depth costs no stack. */
function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && depth <= MAX_DEPTH) {
    depth += 1;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? (Object.values(item) as unknown[]) : [],
    );
  }
  return depth;
}

function cleaned(value: unknown, redact: Redact, state: { changed: boolean }): unknown {
  if (typeof value === 'string') {
    const clean = redact(value);
    if (clean !== value) state.changed = true;
    return clean;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => cleaned(item, redact, state));
  const pairs = Object.entries(value).map(([key, item]: [string, unknown]) => [
    cleaned(key, redact, state),
    cleaned(item, redact, state),
  ]);
  return Object.fromEntries(pairs) as unknown;
}
