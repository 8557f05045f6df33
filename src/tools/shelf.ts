/** The tools by name: finds the one a call means and checks who asks and with what arguments. */
import type { ToolCall } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import type { ToolDefinition } from '../../messages/model.js';
import type { AgentKind } from '../../messages/subagents.js';
import type { Effect, ToolFailure, ToolOutcome } from '../../messages/tools.js';
import { canonicalArguments, canonicalName, type Properties } from './aliases.js';
import { definitionOf, isAllowed, parametersText } from './definitions.js';
import { cutText, shown } from './shown.js';
import type { BoundCall, Tool } from './tool.js';

export type Found =
  | { readonly ok: true; readonly tool: Tool; readonly bound: BoundCall }
  | { readonly ok: false; readonly effect: Effect; readonly outcome: ToolOutcome };

/** Of what the model sent instead of arguments. */
const MAX_QUOTED = 300;
const MAX_ISSUE = 200;

export class ToolShelf {
  readonly #tools: ReadonlyMap<string, { tool: Tool; definition: ToolDefinition }>;
  readonly #kindOf: (agent: AgentId) => AgentKind;
  readonly #definitions: Readonly<Record<AgentKind, readonly ToolDefinition[]>>;

  constructor(tools: readonly Tool[], kindOf: (agent: AgentId) => AgentKind) {
    const entries = tools.map((tool) => ({ tool, definition: definitionOf(tool) }));
    this.#tools = new Map(entries.map((entry) => [entry.tool.name, entry]));
    this.#kindOf = kindOf;
    const all = entries.map(({ definition }) => definition);
    const of = (kind: AgentKind) => all.filter(({ name }) => isAllowed(kind, name));
    this.#definitions = {
      main: of('main'),
      explore: of('explore'),
      worker: of('worker'),
      planner: of('planner'),
    };
  }

  definitions(kind: AgentKind): readonly ToolDefinition[] {
    return this.#definitions[kind];
  }

  /** As it is advertised; what names no tool of ours stays as it is. */
  canonical(call: ToolCall): ToolCall {
    const name = canonicalName(call.name);
    const entry = this.#tools.get(name);
    if (entry === undefined) return call;
    if (call.invalid !== undefined) return { ...call, name };
    const properties = entry.definition.parameters['properties'] as Properties;
    return { ...call, name, args: canonicalArguments(call, properties) };
  }

  find(agent: AgentId, call: ToolCall): Found {
    const name = canonicalName(call.name);
    const entry = this.#tools.get(name);
    const kind = this.#kindOf(agent);
    if (entry === undefined) {
      const text = `Error: unknown tool '${shown(call.name)}'. ${this.#available(kind)}`;
      return rejected('none', 'unknown-tool', text);
    }
    const { tool, definition } = entry;
    if (!isAllowed(kind, name)) {
      const text = `Error: tool '${name}' is not allowed for this agent. ${this.#available(kind)}`;
      return rejected(tool.effect, 'refused', text);
    }
    const parameters = `Parameters of ${name}: ${parametersText(definition)}`;
    if (call.invalid !== undefined) {
      return rejected(tool.effect, 'bad-args', `${unreadable(name, call)}\n${parameters}`);
    }
    const properties = definition.parameters['properties'] as Properties;
    const bound = tool.bind(canonicalArguments(call, properties));
    if (bound.ok) return { ok: true, tool, bound: bound.call };
    const issues = bound.issues.map((issue) => `- ${cutText(issue, MAX_ISSUE, '…')}`);
    const text = `Error: argument validation failed for tool '${name}':`;
    return rejected(tool.effect, 'bad-args', [text, ...issues, parameters].join('\n'));
  }

  #available(kind: AgentKind): string {
    return `Available tools: ${this.#definitions[kind].map(({ name }) => name).join(', ')}`;
  }
}

/** What the model sent instead of a JSON object, and what it should do. */
function unreadable(name: string, { invalid = '', cut }: ToolCall): string {
  const sent = cutText(invalid, MAX_QUOTED, '…');
  if (cut === true)
    return `Error: the arguments of tool '${name}' were cut off before their end, so nothing was done. Send them again and say less in one call, for example a long file in parts. Sent: ${sent}`;
  return `Error: the arguments of tool '${name}' are not valid JSON (${syntaxProblem(invalid)}), so nothing was done. Send one JSON object. Sent: ${sent}`;
}

function syntaxProblem(text: string): string {
  try {
    JSON.parse(text);
    return 'not an object, or nested too deeply';
  } catch (error) {
    return cutText(error instanceof Error ? error.message : '', MAX_ISSUE, '…');
  }
}

const rejected = (effect: Effect, reason: ToolFailure, text: string): Found => ({
  ok: false,
  effect,
  outcome: { status: 'failed', reason, text },
});
