/**
 * The prompts, as Markdown that the operator may change. Read from the package's own `config/prompts`,
 * wherever the compiled program lies. The same values always give the same bytes: a prompt is the part of
 * every request that providers cache.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

type PromptName = 'system' | 'explore' | 'worker' | 'planner' | 'page' | 'summarise';

/** Replaces each `{name}`; throws, listing the names, when the template asks for one that was not given. */
export function loadPrompt(name: PromptName, values: Readonly<Record<string, string>>): string {
  const file = join(packageRoot(), 'config', 'prompts', `${name}.md`);
  const template = readFileSync(file, 'utf8').trim();
  const missing = new Set<string>();
  // One pass, so that braces inside a value stay text.
  const text = template.replace(/\{([a-z][a-z0-9_]*)\}/g, (placeholder, variable: string) => {
    const value = Object.hasOwn(values, variable) ? values[variable] : undefined;
    if (value === undefined) missing.add(variable);
    return value ?? placeholder;
  });
  if (missing.size === 0) return text;
  const given = Object.keys(values).join(', ');
  throw new Error(
    `${file} asks for {${[...missing].join('}, {')}}, which is not known; it can use: ${given || 'nothing'}`,
  );
}
