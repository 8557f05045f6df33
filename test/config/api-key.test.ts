/** A key goes to the server it was made for, and to none that only looks like it. */
import { expect, test } from 'vitest';
import { findApiKey, isLocal, keyVariables } from '../../config/api-key.js';

const env = {
  OPENAI_API_KEY: 'openai',
  OPENROUTER_API_KEY: 'openrouter',
  GROQ_API_KEY: 'groq',
  MISTRAL_API_KEY: 'mistral',
  DEEPSEEK_API_KEY: 'deepseek',
  ANTHROPIC_API_KEY: 'anthropic',
  TOGETHER_API_KEY: 'together',
  GOOGLE_API_KEY: 'google',
};

test.each([
  ['https://api.openai.com/v1', 'openai'],
  ['https://API.OpenAI.com/v1', 'openai'],
  ['https://api.openai.com:443/v1', 'openai'],
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://api.mistral.ai/v1', 'mistral'],
  ['https://api.deepseek.com', 'deepseek'],
  ['https://api.anthropic.com/v1', 'anthropic'],
  ['https://api.together.xyz/v1', 'together'],
  ['https://generativelanguage.googleapis.com/v1beta/openai', 'google'],
])('%s gets its provider’s key', (url, key) => {
  expect(findApiKey(url, env)?.key).toBe(key);
  expect(findApiKey(url, { ...env, OURO_API_KEY: ' own ' })).toEqual({
    key: 'own',
    variable: 'OURO_API_KEY',
  });
});

test.each([
  'http://api.openai.com/v1',
  'https://api.openai.com:8443/v1',
  'https://api.openai.com.evil.example/v1',
  'https://evil-api.openai.com/v1',
  'https://xapi.openai.com/v1',
  'https://openai.com/v1',
  'https://api.openai.com@evil.example/v1',
  'https://evil.example/api.openai.com/v1',
  'https://evil.example#api.openai.com',
  'https://api.openai.com./v1',
  'https://аpi.openai.com/v1',
  'https://constructor/v1',
  'http://127.0.0.1:11434/v1',
  'nonsense',
])('%s gets none', (url) => {
  expect(findApiKey(url, env)).toBeNull();
  expect(findApiKey(url, { ...env, OURO_API_KEY: 'own' })?.key).toBe('own');
});

test('an empty variable is no key, and the variables to set can be named', () => {
  expect(findApiKey('https://api.groq.com/v1', { GROQ_API_KEY: ' ' })).toBeNull();
  expect(keyVariables('https://api.groq.com/v1')).toEqual(['OURO_API_KEY', 'GROQ_API_KEY']);
  expect(keyVariables('http://h/v1')).toEqual(['OURO_API_KEY']);
});

test.each([
  ['http://localhost:1/v1', true],
  ['http://LOCALHOST./v1', true],
  ['http://a.localhost/v1', true],
  ['http://127.0.0.1/v1', true],
  ['http://127.1/v1', true],
  ['http://0x7f.0.0.9/v1', true],
  ['http://0.0.0.0:8000', true],
  ['http://[::1]:1/v1', true],
  ['http://[::ffff:127.0.0.1]/v1', true],
  ['http://localhost.evil.example/v1', false],
  ['http://127.0.0.1.evil.example/v1', false],
  ['http://192.168.1.2/v1', false],
  ['https://openrouter.ai/api/v1', false],
  ['nonsense', false],
])('%s is on this machine: %s', (url, local) => {
  expect(isLocal(url)).toBe(local);
});
