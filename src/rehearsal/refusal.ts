/** Errors in the shape in which OpenAI and llama-server send them. */

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string | number | null;
  readonly message: string;
}

export const refusalBody = ({ type, code, message }: Refusal): string =>
  JSON.stringify({ error: { message, type, param: null, code } });

export const badRequest = (message: string, code: string | null = null): Refusal => ({
  status: 400,
  type: 'invalid_request_error',
  code,
  message,
});

/** A prompt that is too long, as llama-server refuses it. */
export const overflowBody = (promptTokens: number, window: number): object => ({
  error: {
    code: 400,
    message: 'the request exceeds the available context size, try increasing it',
    type: 'exceed_context_size_error',
    n_prompt_tokens: Math.max(promptTokens, window + 1),
    n_ctx: window,
  },
});

/** What a server says with a status when nothing else was scripted. */
export function scriptedFailure(status: number): Refusal {
  const [type, message] = FAILURES[status] ?? ['server_error', 'the scripted server failed'];
  return { status, type, code: status >= 500 ? status : type, message };
}

const FAILURES: Readonly<Record<number, readonly [string, string]>> = {
  401: ['invalid_api_key', 'Incorrect API key provided.'],
  404: ['model_not_found', 'The model does not exist or you do not have access to it.'],
  408: ['request_timeout', 'The request took too long.'],
  429: ['rate_limit_exceeded', 'Rate limit reached. Please try again later.'],
  503: ['unavailable_error', 'Loading model'],
  529: ['overloaded_error', 'Overloaded'],
};
