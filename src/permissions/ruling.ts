/** What is decided about a call before the mode has its say, and by what. */
import type { Rule } from './rules.js';

/** How much harm a call could do. */
export type Level = 'none' | 'read' | 'write' | 'execute' | 'dangerous' | 'forbidden';

export type Decider =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'built-in'; readonly name: string };

export interface Ruling {
  /** `ask`: nothing allows it and nothing forbids it, so a person may. */
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly level: Level;
  readonly by: readonly Decider[];
  /** For the model, where it is not allowed. */
  readonly text: string;
}

export const builtIn = (name: string): Decider => ({ kind: 'built-in', name });
export const byRule = (rule: Rule): Decider => ({ kind: 'rule', rule });

/** As a verdict names it. */
export const nameOf = (decider: Decider): string =>
  decider.kind === 'rule' ? decider.rule.source : decider.name;

export const allow = (level: Level, ...by: readonly Decider[]): Ruling => ({
  decision: 'allow',
  level,
  by,
  text: '',
});
export const ask = (level: Level, by: Decider, text: string): Ruling => ({
  decision: 'ask',
  level,
  by: [by],
  text,
});
export const deny = (level: Level, by: Decider, text: string): Ruling => ({
  decision: 'deny',
  level,
  by: [by],
  text,
});
