/** What a redirection does to the file behind it. */
import type { RedirectOperator } from 'unbash';
import type { ShellWord } from './shell-tree.js';

/** Everywhere to be found, and nothing is kept there. */
const HARMLESS_TARGETS = new Set(['/dev/null', '/dev/stdout', '/dev/stderr']);

/** `none`: text, a copy of a descriptor, or output that is thrown away or shown. */
export function accessOf(
  operator: RedirectOperator | '<<<',
  { kind, text }: ShellWord,
): 'none' | 'read' | 'write' | 'unclear' {
  if (operator === '<<<') return 'none';
  if (operator === '>&' || operator === '<&') return /^(\d+|-)$/.test(text) ? 'none' : 'unclear';
  if (kind === 'literal' && HARMLESS_TARGETS.has(text)) return 'none';
  return operator === '<' ? 'read' : 'write';
}
