/**
 * The prompts, as Markdown that the operator may change. Read from the package's own `config/prompts`,
 * wherever the compiled program lies. The same values always give the same bytes: a prompt is the part of
 * every request that providers cache.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskType } from '../messages/task-types.js';
import { packageRoot } from './package-root.js';

type PromptName =
  | 'system'
  | 'explore'
  | 'worker'
  | 'planner'
  | 'planning'
  | 'page'
  | 'summarise'
  | 'title'
  | `task/${TaskType}`
  | `tool/${string}`;

/** Replaces each `{name}`; throws, listing the names, when the template asks for one that was not given. */
export const loadPrompt = (name: PromptName, values: Readonly<Record<string, string>>): string =>
  rendered(promptTemplate(name), values, promptFile(name));

export const promptTemplate = (name: PromptName): string =>
  readFileSync(promptFile(name), 'utf8').trim();

export const promptFile = (name: PromptName): string =>
  join(packageRoot(), 'config', 'prompts', `${name}.md`);

/** `source`: what is named when something is missing. */
export function rendered(
  template: string,
  values: Readonly<Record<string, string>>,
  source = 'the template',
): string {
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
    `${source} asks for {${[...missing].join('}, {')}}, which is not known; it can use: ${given || 'nothing'}`,
  );
}
