/** Tools as a model is shown them: the same bytes every time. */
import { z } from 'zod';
import type { ToolDefinition } from '../../messages/model.js';
import type { AgentKind } from '../../messages/subagents.js';
import type { Tool } from './tool.js';

/** What an agent that only looks around may use. */
const READING = ['read_file', 'grep', 'find_files', 'list_dir', 'think'];

/** The session's plan and end, the person and the list of tasks are the main agent's own; so is waiting for hours. */
const MAIN_ONLY = ['submit', 'submit_plan', 'ask_user', 'todo', 'sleep'];

export function isAllowed(kind: AgentKind, tool: string): boolean {
  switch (kind) {
    case 'main':
      return true;
    case 'worker':
      return !MAIN_ONLY.includes(tool);
    case 'explore':
    case 'planner':
      return READING.includes(tool);
  }
}

/**
 * Every word is sent with every request. Bounds that no sensible call breaks are left to validation, whose
 * errors name them, and so is the refusal of parameters that do not exist.
 */
export function definitionOf(tool: Tool): ToolDefinition {
  const { type, properties = {}, required } = z.toJSONSchema(tool.schema, { io: 'input' });
  const parameters = {
    type,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, tidied(schema)]),
    ),
    ...(required === undefined || required.length === 0 ? {} : { required }),
  };
  return { name: tool.name, description: tool.description, parameters };
}

/** Defaults that only say that nothing is asked for. */
const NOTHING: readonly unknown[] = [false, '', '.', 0, 1];

const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

/** Of parameters, or of the items of one that is a list. */
function tidied(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !BOUNDS.includes(key) && !(key === 'default' && NOTHING.includes(value)),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'items' ? tidied(value) : (value as unknown)]),
  );
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
