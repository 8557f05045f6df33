/**
 * The grammar of bash, from a library that is loaded when the first command has to be judged: a session that
 * runs none does not pay for it. The library mends what is broken and reads on, so its tree alone proves
 * nothing; the reader goes through the text with it and checks every step.
 */
import { createRequire } from 'node:module';
import type * as Unbash from 'unbash';

let loaded: typeof Unbash | null = null;

/** Never throws for what the text says. */
export function parseShell(text: string): Unbash.ParsedScript {
  // Synchronous, since a verdict is.
  loaded ??= createRequire(import.meta.url)('unbash') as typeof Unbash;
  return loaded.parse(text);
}
