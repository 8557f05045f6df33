/**
 * Context windows by model name, in tokens: what the makers state, for models whose server does not say. A
 * configured window always wins; a server that refuses a request for its length corrects the rest.
 */

/** The first name that the model's name contains counts. */
const WINDOWS: readonly (readonly [string, number])[] = [
  ['gpt-5', 400_000],
  ['gpt-4.1', 1_000_000],
  ['gpt-4o', 128_000],
  ['gpt-4-turbo', 128_000],
  ['gpt-4', 8_192],
  ['gpt-3.5', 16_385],
  ['gemini', 1_000_000],
  ['claude', 200_000],
  ['o1', 200_000],
  ['o3', 200_000],
  ['o4', 200_000],
  ['deepseek', 128_000],
  ['kimi', 128_000],
  ['glm', 128_000],
  ['grok', 128_000],
  ['mistral', 128_000],
  ['qwen', 128_000],
];

/** Most remote models of today have at least this. */
const REMOTE_WINDOW = 128_000;

/** Local servers are started with what fits into memory; too small is safe, too large is cut off unseen. */
const LOCAL_WINDOW = 32_768;

/** Null: no known name is part of this one. */
function namedWindow(model: string): number | null {
  const name = model.toLowerCase();
  return WINDOWS.find(([part]) => name.includes(part))?.[1] ?? null;
}

/** `found`: what the server reported, null if it never did; it takes the place of every guess. */
export function windowOf(model: string, local: boolean, found: number | null = null): number {
  const named = local ? null : namedWindow(model);
  if (named !== null) return Math.min(named, found ?? Infinity);
  return found ?? (local ? LOCAL_WINDOW : REMOTE_WINDOW);
}
