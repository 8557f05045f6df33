/**
 * A server that speaks Ollama's own protocol as its documentation has it: one JSON object a line, calls
 * whole and without ids, counts in the last line. It refuses what the real one could not read.
 */
import { jsonServer, sendJson, sendText, type Asked, type JsonServer } from './http-server.js';

export interface OllamaTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, args: object])[];
  readonly doneReason?: string;
  /** Tokens of the prompt that it says it read. */
  readonly promptTokens?: number;
  readonly error?: { readonly status: number; readonly message: string };
  /** Breaks off with an error after the text. */
  readonly fault?: string;
}

const MODELS = ['small:latest', 'large:70b'];

const ROLES = ['system', 'user', 'assistant', 'tool'];

function complaint({ body }: Asked): string | null {
  const { model, messages, options } = body;
  if (typeof model !== 'string') return 'model is required';
  if (!Array.isArray(messages)) return 'messages must be a list';
  if (typeof options !== 'object' || options === null) return 'options must be an object';
  for (const message of messages as readonly Record<string, unknown>[]) {
    if (!ROLES.includes(String(message['role']))) return `no such role: ${String(message['role'])}`;
    for (const call of (message['tool_calls'] ?? []) as readonly Record<string, unknown>[]) {
      const target = call['function'] as Record<string, unknown>;
      if (typeof target['arguments'] !== 'object') return 'arguments must be an object';
    }
  }
  return null;
}

function linesOf(model: unknown, turn: OllamaTurn): string {
  const common = { model, created_at: '2026-01-01T00:00:00Z' };
  const piece = (message: object) => ({
    ...common,
    message: { role: 'assistant', content: '', ...message },
    done: false,
  });
  const letters = (text: string | undefined) => Array.from(text ?? '');
  const calls = (turn.calls ?? []).map(([name, args]) => ({ function: { name, arguments: args } }));
  const lines: object[] = [
    ...letters(turn.thinking).map((thinking) => piece({ thinking })),
    ...letters(turn.text).map((content) => piece({ content })),
    ...(calls.length === 0 ? [] : [piece({ tool_calls: calls })]),
  ];
  const last = {
    ...common,
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: turn.doneReason ?? 'stop',
    total_duration: 1,
    prompt_eval_count: turn.promptTokens ?? 40,
    eval_count: 7,
  };
  const end = turn.fault === undefined ? last : { error: turn.fault };
  return [...lines, end].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The turns are given in order; the last one again and again. */
export function ollamaServer(turns: readonly OllamaTurn[]): Promise<JsonServer> {
  let next = 0;
  return jsonServer((asked, response) => {
    if (asked.path === '/api/tags') {
      sendJson(response, 200, { models: MODELS.map((name) => ({ name, model: name })) });
      return;
    }
    if (asked.path !== '/api/chat') {
      sendJson(response, 404, { error: 'not found' });
      return;
    }
    const wrong = complaint(asked);
    const turn = turns[Math.min(next++, turns.length - 1)] ?? {};
    if (wrong !== null) sendJson(response, 400, { error: wrong });
    else if (turn.error !== undefined)
      sendJson(response, turn.error.status, { error: turn.error.message });
    else sendText(response, 'application/x-ndjson', linesOf(asked.body['model'], turn));
  });
}
