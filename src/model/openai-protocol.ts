/** Chat completions, as OpenAI, llama-server, vLLM, LM Studio and most others speak them. */
import type { ModelRequest } from '../../messages/model.js';
import { EMPTY_REPLY, step } from './assemble.js';
import { encodeMessages, encodeTools } from './encode.js';
import { takesResponseFormat, type Endpoint } from './endpoint.js';
import type { JsonRecord } from './json-shape.js';
import type { Protocol, RequestLimits } from './protocol.js';

/** OpenAI's newer models refuse the older name; other servers may not know the newer one. */
const maxTokensField = (endpoint: Endpoint): 'max_tokens' | 'max_completion_tokens' =>
  endpoint.host === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';

export const chatCompletionsBody = (
  request: ModelRequest,
  endpoint: Endpoint,
  { temperature, maxTokens }: RequestLimits,
): JsonRecord => ({
  model: request.model,
  messages: encodeMessages(request.messages),
  // Some servers refuse an empty list.
  ...(request.tools.length === 0 ? {} : { tools: encodeTools(request.tools) }),
  ...(temperature === undefined ? {} : { temperature }),
  ...(maxTokens === undefined ? {} : { [maxTokensField(endpoint)]: maxTokens }),
  ...responseFormat(request, endpoint),
  stream: true,
  stream_options: { include_usage: true },
});

const responseFormat = ({ outputSchema }: ModelRequest, endpoint: Endpoint): JsonRecord =>
  outputSchema === undefined || !takesResponseFormat(endpoint)
    ? {}
    : {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'final_answer', schema: { ...outputSchema }, strict: false },
        },
      };

export const openAiProtocol: Protocol = {
  metadata: {
    name: 'openai',
    travel: 'sdk',
    framing: 'events',
    chatPath: '/chat/completions',
    listPath: '/models',
    wholeField: 'choices',
    addressForm: 'an OpenAI-compatible address, such as …/v1',
  },
  headers: ({ apiKey }) => (apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
  formatRequest: chatCompletionsBody,
  parseResponse: (answer) => step(EMPTY_REPLY, answer),
  parseStreamEvent: step,
};
