/** A conversation with all kinds of messages in it, for servers to read. */
import type { Message } from '../../messages/conversation.js';
import { callIdOf, MAIN_AGENT } from '../../messages/ids.js';
import type { ModelDelta, ModelOutcome, ModelRequest } from '../../messages/model.js';
import { createModelClient, type ModelClientOptions } from '../../src/model/client.js';

const id = (position: number) => callIdOf(MAIN_AGENT, 1, position);

export const CONVERSATION: readonly Message[] = [
  { role: 'system', text: 'You work.' },
  { role: 'user', text: 'Count the files.', origin: 'goal' },
  {
    role: 'assistant',
    text: '',
    reasoning: 'Look first.',
    calls: [
      { id: id(1), name: 'shell', args: { command: 'ls' } },
      { id: id(2), name: 'shell', args: {}, invalid: '{"command": "l' },
    ],
  },
  { role: 'tool', callId: id(1), name: 'shell', text: 'a\nb' },
  { role: 'tool', callId: id(2), name: 'shell', text: '' },
  { role: 'user', text: 'Faster.', origin: 'steer' },
];

export const QUESTION: ModelRequest = {
  agent: MAIN_AGENT,
  model: 'small',
  messages: CONVERSATION,
  tools: [
    {
      name: 'shell',
      description: 'Runs a command.',
      parameters: { type: 'object', properties: { command: { type: 'string' } } },
    },
  ],
};

/** Long enough that only a test about limits ever meets one. */
const PATIENT_MS = 30_000;

export async function askServer(
  baseUrl: string,
  options: Partial<ModelClientOptions> = {},
  request: ModelRequest = QUESTION,
): Promise<{ outcome: ModelOutcome; deltas: readonly ModelDelta[] }> {
  const client = createModelClient({
    baseUrl,
    apiKey: null,
    firstTokenTimeoutMs: PATIENT_MS,
    silenceTimeoutMs: PATIENT_MS,
    version: '1.2.3',
    ...options,
  });
  const deltas: ModelDelta[] = [];
  const never = new AbortController().signal;
  return { outcome: await client.ask(request, (delta) => deltas.push(delta), never), deltas };
}
