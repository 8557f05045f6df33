import { expect, test } from 'vitest';
import type { JsonRecord } from '../../src/model/json-shape.js';
import { readEndpoint, withoutKey } from '../../src/model/endpoint.js';
import { protocolFor } from '../../src/model/protocols.js';
import { REQUEST } from './server.js';

const at = (baseUrl: string, apiKey: string | null = null) => readEndpoint({ baseUrl, apiKey });

const headersAt = (baseUrl: string) => protocolFor(baseUrl).headers(at(baseUrl));

const bodyAt = (baseUrl: string): JsonRecord =>
  protocolFor(baseUrl).formatRequest(REQUEST, at(baseUrl), { maxTokens: 7 });

test.each([
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://api.anthropic.com', 'anthropic'],
  ['https://api.anthropic.com/v1', 'anthropic'],
  ['http://127.0.0.1:11434', 'ollama'],
  ['http://gpu.local:11434/', 'ollama'],
  ['http://127.0.0.1:11434/v1', 'openai'],
  ['https://openrouter.ai.example.com/v1', 'openai'],
  ['http://localhost:8080/v1', 'openai'],
])('the address %s is spoken to in the protocol %s', (baseUrl, name) => {
  expect(protocolFor(baseUrl).metadata.name).toBe(name);
  expect(protocolFor(baseUrl, 'openai').metadata.name).toBe('openai');
});

test('only OpenRouter itself is told who asks', () => {
  expect(headersAt('https://openrouter.ai/api/v1')).toHaveProperty('X-Title', 'ouro');
  for (const other of ['https://openrouter.ai.example.com/v1', 'http://localhost/openrouter.ai']) {
    expect(headersAt(other)).toEqual({});
  }
});

test('the limit of a reply has the name that the server knows', () => {
  expect(bodyAt('https://api.openai.com/v1')).toHaveProperty('max_completion_tokens', 7);
  expect(bodyAt('http://localhost:8080/v1')).toHaveProperty('max_tokens', 7);
});

test('an address is shown without what may be secret in it', () => {
  expect(at('https://me:pass@host/v1/').shownUrl).toBe('https://host/v1');
  expect(at('https://host/v1?token=secret').shownUrl).toBe('https://host/v1');
});

test('a key is taken out of text, a stand-in for one is not', () => {
  expect(withoutKey('bad sk-12345678', at('http://host', 'sk-12345678'))).toBe(
    'bad [redacted:API_KEY]',
  );
  expect(withoutKey('none of it', at('http://host', 'none'))).toBe('none of it');
  expect(withoutKey('text', at('http://host', ' '))).toBe('text');
});
