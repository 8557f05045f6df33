/**
 * A server that speaks Anthropic's messages as their documentation has them: named events, blocks that are
 * begun, continued and ended. It refuses what the real one refuses.
 */
import { jsonServer, sendJson, sendText, type Asked, type JsonServer } from './http-server.js';

export interface AnthropicTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, args: object])[];
  readonly stopReason?: string;
  readonly usage?: object;
  readonly error?: { readonly status: number; readonly type: string; readonly message: string };
  /** An error event after the text. */
  readonly fault?: string;
  /** Answers with one JSON object. */
  readonly whole?: true;
}

type Block = Readonly<Record<string, unknown>>;
interface Turn {
  readonly role: string;
  readonly content: readonly Block[];
}

const idsOf = (turn: Turn | undefined, type: string, field: string): string[] =>
  (turn?.content ?? [])
    .filter((block) => block['type'] === type)
    .map((block) => String(block[field]))
    .sort();

function turnProblem(turns: readonly Turn[], at: number): string | null {
  const turn = turns[at];
  if (turn?.role !== (at % 2 === 0 ? 'user' : 'assistant'))
    return `messages.${at}: roles must alternate`;
  if (turn.content.length === 0) return `messages.${at}: content is empty`;
  if (turn.content.some(({ type, text }) => type === 'text' && String(text).trim() === ''))
    return `messages.${at}: text content blocks must be non-empty`;
  const asked = idsOf(turns[at - 1], 'tool_use', 'id');
  const answered = idsOf(turn, 'tool_result', 'tool_use_id');
  if (turn.role === 'user' && JSON.stringify(asked) !== JSON.stringify(answered))
    return `messages.${at}: tool_use ids were found without tool_result blocks`;
  if (asked.some((id) => !/^[\w-]+$/.test(id))) return `messages.${at - 1}: id is malformed`;
  return null;
}

const marksIn = (value: unknown): number =>
  JSON.stringify(value).split('"cache_control"').length - 1;

function complaint({ body, headers }: Asked): string | null {
  const turns = body['messages'] as readonly Turn[];
  if (headers['anthropic-version'] === undefined) return 'anthropic-version: header is required';
  if (typeof body['max_tokens'] !== 'number') return 'max_tokens: Field required';
  if (marksIn(body) > 4) return 'A maximum of 4 blocks with cache_control may be provided';
  return turns.map((_, at) => turnProblem(turns, at)).find((problem) => problem !== null) ?? null;
}

const HALF = 2;

/** The block as it is begun, and the deltas that fill it. */
function streamed(block: Block): readonly [start: Block, deltas: readonly Block[]] {
  switch (block['type']) {
    case 'thinking':
      return [
        { type: 'thinking', thinking: '', signature: '' },
        [
          { type: 'thinking_delta', thinking: block['thinking'] },
          { type: 'signature_delta', signature: block['signature'] },
        ],
      ];
    case 'tool_use': {
      const json = JSON.stringify(block['input']);
      const middle = Math.floor(json.length / HALF);
      const parts = ['', json.slice(0, middle), json.slice(middle)];
      const deltas = parts.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      return [{ ...block, input: {} }, deltas];
    }
    default:
      return [
        { type: 'text', text: '' },
        Array.from(String(block['text']), (text) => ({ type: 'text_delta', text })),
      ];
  }
}

const blocksOf = (turn: AnthropicTurn): readonly Block[] => [
  ...(turn.thinking === undefined
    ? []
    : [{ type: 'thinking', thinking: turn.thinking, signature: `sig(${turn.thinking})` }]),
  ...(turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]),
  ...(turn.calls ?? []).map(([name, input], at) => ({
    type: 'tool_use',
    id: `toolu_${at}`,
    name,
    input,
  })),
];

const eventText = (event: Block): string =>
  `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;

function eventsOf(message: Block, turn: AnthropicTurn, reason: string): string {
  const blocks = blocksOf(turn).flatMap((block, index) => {
    const [content_block, deltas] = streamed(block);
    return [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
  });
  const fault = { type: 'error', error: { type: turn.fault, message: 'Overloaded' } };
  const end = [
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  return [
    { type: 'message_start', message: { ...message, content: [] } },
    { type: 'ping' },
    ...blocks,
    ...(turn.fault === undefined ? end : [fault]),
  ]
    .map(eventText)
    .join('');
}

/** The turns are given in order; the last one again and again. */
export function anthropicServer(turns: readonly AnthropicTurn[]): Promise<JsonServer> {
  let next = 0;
  const refuse = (type: string, message: string) => ({ type: 'error', error: { type, message } });
  return jsonServer((asked, response) => {
    if (asked.headers['x-api-key'] !== 'test-key-123') {
      sendJson(response, 401, refuse('authentication_error', 'invalid x-api-key'));
      return;
    }
    if (asked.path === '/v1/models') {
      sendJson(response, 200, { data: [{ type: 'model', id: 'claude-test' }] });
      return;
    }
    const turn = turns[Math.min(next++, turns.length - 1)] ?? {};
    const wrong = asked.path === '/v1/messages' ? complaint(asked) : 'no such path';
    const reason = turn.stopReason ?? (turn.calls === undefined ? 'end_turn' : 'tool_use');
    const usage = { input_tokens: 20, output_tokens: 1, ...turn.usage };
    const message = { type: 'message', role: 'assistant', model: 'claude-test-1', usage };
    if (wrong !== null) sendJson(response, 400, refuse('invalid_request_error', wrong));
    else if (turn.error !== undefined)
      sendJson(response, turn.error.status, refuse(turn.error.type, turn.error.message));
    else if (turn.whole === true)
      sendJson(response, 200, { ...message, content: blocksOf(turn), stop_reason: reason });
    else sendText(response, 'text/event-stream', eventsOf(message, turn, reason));
  });
}
