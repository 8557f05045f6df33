/** What may be written in `[endpoints.NAME]`. Loads zod, so only the schema imports this. */
import { z } from 'zod';
import { ENDPOINT_FORM, isEndpoint } from './endpoint.js';
import { EFFORTS, PROTOCOLS } from './endpoint-settings.js';

/** A key written here would be read by everybody who reads the file, and would end up in messages. */
const KEY_HEADERS = /^(authorization|proxy-authorization|x-api-key|api-key|cookie)$/i;
const HEADERS_FORM =
  'a table of header names and their values; the key is none of them (set OURO_API_KEY, or name a variable with api_key_variable)';
const NAME_FORM = 'a name of letters, digits, "-" and "_", of at most 40 characters';
const VARIABLE_FORM = 'the name of an environment variable, such as "WORK_API_KEY"';
const ALIVE_FORM = 'a length of time such as "30m", or "-1" for ever';
const PLUGINS_FORM = 'a list of plugin names such as ["web"]';

/** More tokens than any model has room for; a typing error is caught. */
const MAX_TOKENS = 10_000_000;

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: values.map((value) => `"${value}"`).join(' or ') });

const text = (form: string, pattern: RegExp) =>
  z.string({ error: form }).regex(pattern, { error: form });

const tokens = (from: number) => {
  const error = `a whole number of tokens from ${from} to ${MAX_TOKENS}`;
  return z.int({ error }).min(from, { error }).max(MAX_TOKENS, { error });
};

const yesOrNo = () => z.boolean({ error: 'true or false' });

const headers = z
  .record(text(HEADERS_FORM, /^[\w-]+$/), text(HEADERS_FORM, /^[\x20-\x7e]*$/), {
    error: HEADERS_FORM,
  })
  .refine((all) => !Object.keys(all).some((name) => KEY_HEADERS.test(name)), {
    error: HEADERS_FORM,
  });

const shape = {
  base_url: z.string({ error: ENDPOINT_FORM }).refine(isEndpoint, { error: ENDPOINT_FORM }),
  protocol: oneOf(PROTOCOLS).optional(),
  api_key_variable: text(VARIABLE_FORM, /^[A-Z][A-Z0-9_]*$/).optional(),
  headers: headers.optional(),
  text_calls: yesOrNo().optional(),
  // Less does not hold the system prompt and the tools.
  num_ctx: tokens(4_096).optional(),
  keep_alive: text(ALIVE_FORM, /^(-1|0|\d+(ms|s|m|h))$/).optional(),
  think: yesOrNo().optional(),
  // The server refuses less.
  thinking_tokens: tokens(1_024).optional(),
  plugins: z
    .array(z.string({ error: PLUGINS_FORM }).min(1, { error: PLUGINS_FORM }), {
      error: PLUGINS_FORM,
    })
    .optional(),
  reasoning_effort: oneOf(EFFORTS).optional(),
  reasoning_tokens: tokens(1).optional(),
  hide_reasoning: yesOrNo().optional(),
};

export const ENDPOINT_KEYS: readonly string[] = Object.keys(shape);
const endpoint = z.strictObject(shape, { error: 'a table with at least a base_url' });

export const endpointName = () => text(NAME_FORM, /^[\w-]{1,40}$/);
export const endpointsSchema = z.record(endpointName(), endpoint, {
  error: 'tables such as [endpoints.local]',
});
