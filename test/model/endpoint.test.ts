import { expect, test } from 'vitest';
import {
  maxTokensField,
  readEndpoint,
  refererHeaders,
  withoutKey,
} from '../../src/model/endpoint.js';

const at = (baseUrl: string, apiKey: string | null = null) => readEndpoint({ baseUrl, apiKey });

test('only OpenRouter itself is told who asks', () => {
  expect(refererHeaders(at('https://openrouter.ai/api/v1'))).toHaveProperty('X-Title', 'ouro');
  for (const other of ['https://openrouter.ai.example.com/v1', 'http://localhost/openrouter.ai']) {
    expect(refererHeaders(at(other))).toEqual({});
  }
});

test('the limit of a reply has the name that the server knows', () => {
  expect(maxTokensField(at('https://api.openai.com/v1'))).toBe('max_completion_tokens');
  expect(maxTokensField(at('http://localhost:8080/v1'))).toBe('max_tokens');
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
