/** Tools as a model is shown them: the same bytes every time. */
import { z } from 'zod';
import type { ToolDefinition } from '../../messages/model.js';
import type { Tool } from './tool.js';

/** What an agent that only explores may use. */
const EXPLORE = ['read_file', 'grep', 'find_files', 'list_dir', 'think'];

export type AgentKind = 'main' | 'explore';

export const isAllowed = (kind: AgentKind, tool: string): boolean =>
  kind === 'main' || EXPLORE.includes(tool);

/** zod's bound for whole numbers, which tells a model nothing. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

export function definitionOf(tool: Tool): ToolDefinition {
  const {
    type,
    properties = {},
    required,
    additionalProperties,
  } = z.toJSONSchema(tool.schema, {
    io: 'input',
  });
  const parameters = {
    type,
    properties: withoutBounds(properties),
    ...(required === undefined ? {} : { required }),
    additionalProperties,
  };
  return { name: tool.name, description: tool.description, parameters };
}

function withoutBounds(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const tidied = Object.entries(properties).map(([name, property]) => {
    if (typeof property !== 'object' || property === null) return [name, property];
    const kept = Object.entries(property).filter(
      ([key, value]) => key !== 'maximum' || value !== NO_BOUND,
    );
    return [name, Object.fromEntries(kept)];
  });
  return Object.fromEntries(tidied) as Record<string, unknown>;
}

/** One line for an error: `path (string, required), limit (integer)`. */
export function parametersText({ parameters }: ToolDefinition): string {
  const properties = Object.entries(parameters['properties'] as Record<string, { type?: unknown }>);
  const required = (parameters['required'] ?? []) as readonly string[];
  return properties
    .map(([name, { type }]) => {
      const need = required.includes(name) ? ', required' : '';
      return `${name} (${String(type)}${need})`;
    })
    .join(', ');
}
