/** An answer as a chat-completions server writes it: one JSON body, or the events of a stream. */
import type { Answer } from './answer.js';
import { callDeltas } from './call-deltas.js';
import type { Fault } from './fault.js';
import type { ScriptedUsage } from './scenario.js';

interface CompletionHead {
  readonly id: string;
  readonly model: string;
  /** Seconds since the Unix epoch. */
  readonly created: number;
}

const FINGERPRINT = 'ouro-scripted';

export function completionBody(head: CompletionHead, answer: Answer, fault: Fault | null): string {
  const { text, reasoning, calls, usage } = answer;
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, argumentsText }) => ({
            id,
            type: 'function',
            function: { name, arguments: argumentsText },
          })),
        }),
  };
  return written({
    ...envelope(head, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(answer) }],
    ...reportedUsage(usage, fault),
  });
}

/** Server-sent events, in order; together they are the whole body. */
export function completionEvents(
  head: CompletionHead,
  answer: Answer,
  options: { readonly includeUsage: boolean; readonly fault: Fault | null },
): readonly string[] {
  const { fault } = options;
  const chunk = (delta: object, finish: string | null = null): string =>
    event({
      ...envelope(head, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const said = [
    chunk({ role: 'assistant', content: null }),
    ...pieces(answer.reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(answer.text).map((piece) => chunk({ content: piece })),
    ...callDeltas(answer.calls, fault).map((delta) => chunk({ tool_calls: [delta] })),
  ];
  if (fault?.kind === 'error_in_200') {
    const error = { message: fault.message, type: 'server_error', code: 500 };
    return [...said.slice(0, Math.ceil(said.length / 2)), event({ error })];
  }
  said.push(chunk({}, finishOf(answer)));
  if (options.includeUsage) {
    const last = { ...envelope(head, 'chat.completion.chunk'), choices: [] };
    said.push(event({ ...last, ...reportedUsage(answer.usage, fault) }));
  }
  return fault?.kind === 'no_done' ? said : [...said, 'data: [DONE]\n\n'];
}

const event = (body: object): string => `data: ${written(body)}\n\n`;

/** Stands for a number that JSON does not have, and that some servers write all the same. */
const NOT_A_NUMBER = '<NaN>';

const written = (body: object): string =>
  JSON.stringify(body).replaceAll(JSON.stringify(NOT_A_NUMBER), 'NaN');

const envelope = (head: CompletionHead, object: string) => ({
  id: head.id,
  object,
  created: head.created,
  model: head.model,
  system_fingerprint: FINGERPRINT,
});

const finishOf = ({ finish, calls }: Answer): string =>
  finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');

function reportedUsage(usage: ScriptedUsage, fault: Fault | null): { readonly usage?: unknown } {
  if (fault?.kind !== 'odd_usage') return { usage: usageOf(usage) };
  switch (fault.usage) {
    case 'missing':
      return {};
    case 'null':
      return { usage: null };
    case 'negative':
      return { usage: { prompt_tokens: -1, completion_tokens: -1, total_tokens: -2 } };
    case 'nan':
      return { usage: { ...usageOf(usage), prompt_tokens: NOT_A_NUMBER } };
  }
}

const usageOf = ({ promptTokens, completionTokens }: ScriptedUsage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: 0 },
});

/** About a token each: a word with what follows it. */
const pieces = (text: string): readonly string[] => text.match(/\s*\S+\s*|\s+/g) ?? [];
