/** Model servers by name: what may be set for each, and which one is meant. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endpointFor } from '../../config/endpoint-settings.js';
import { formatConfigErrors, type LoadedConfig } from '../../config/load.js';
import { Places } from './support.js';

let places: Places;
beforeEach(() => {
  places = new Places();
});
afterEach(() => places.remove());

const LOCAL = '[endpoints.local]\nbase_url = "http://127.0.0.1:11434/"\nnum_ctx = 65536\n';
const WORK = '[endpoints.work]\nbase_url = "https://models.example.com/v1"\n';

function good(loaded: LoadedConfig) {
  if (!loaded.ok) throw new Error(formatConfigErrors(loaded.errors));
  return loaded.config;
}

const wrong = (toml: string): string => {
  const loaded = places.user(toml).load();
  return loaded.ok ? 'fine' : formatConfigErrors(loaded.errors).replaceAll(places.userFile, 'FILE');
};

test('an endpoint is chosen by its name, and its address is the model’s', () => {
  const config = good(places.user(`[model]\nendpoint = "local"\n${LOCAL}${WORK}`).load());
  expect(config.model).toMatchObject({ endpoint: 'local', baseUrl: 'http://127.0.0.1:11434' });
  expect(endpointFor('http://127.0.0.1:11434', config)).toEqual({
    name: 'local',
    baseUrl: 'http://127.0.0.1:11434',
    settings: { numCtx: 65_536 },
  });
});

test('everything that may be set for an endpoint arrives', () => {
  const toml = `${LOCAL}protocol = "ollama"\napi_key_variable = "MY_KEY"\ntext_calls = true
keep_alive = "30m"\nthink = true\nthinking_tokens = 2000\nplugins = ["web"]
reasoning_effort = "low"\nreasoning_tokens = 9\nhide_reasoning = false\nheaders = { X-Team = "blue" }\n`;
  const [endpoint] = good(places.user(toml).load()).endpoints;
  expect(endpoint).toEqual({
    name: 'local',
    baseUrl: 'http://127.0.0.1:11434',
    apiKeyVariable: 'MY_KEY',
    settings: {
      protocol: 'ollama',
      numCtx: 65_536,
      keepAlive: '30m',
      think: true,
      textCalls: true,
      thinkingTokens: 2_000,
      plugins: ['web'],
      reasoningEffort: 'low',
      reasoningTokens: 9,
      hideReasoning: false,
      headers: { 'X-Team': 'blue' },
    },
  });
});

test('the last source that says where the model is wins, in either way', () => {
  places.user(`[model]\nendpoint = "local"\n${LOCAL}${WORK}`);
  const url = 'https://models.example.com/v1';
  const byFlag = good(places.load({ flags: { model: { base_url: url } } }));
  expect(byFlag.model).toMatchObject({ endpoint: null, baseUrl: url });
  // The address is that of a configured endpoint, which is therefore meant.
  expect(endpointFor(url, byFlag)?.name).toBe('work');
  const byVariable = good(places.load({ env: { OURO_MODEL_ENDPOINT: 'work' } }));
  expect(byVariable.model).toMatchObject({ endpoint: 'work', baseUrl: url });
  places.user(`[model]\nbase_url = "http://h:1/v1"\n${LOCAL}`);
  const over = good(places.load({ env: { OURO_MODEL_ENDPOINT: 'local' } }));
  expect(over.model.baseUrl).toBe('http://127.0.0.1:11434');
});

test('variables of other programs do not override a chosen endpoint', () => {
  places.user(`[model]\nendpoint = "local"\n${LOCAL}`);
  const config = good(places.load({ env: { OPENAI_BASE_URL: 'http://other:1/v1' } }));
  expect(config.model.baseUrl).toBe('http://127.0.0.1:11434');
});

test('of two endpoints at one address the chosen one is meant', () => {
  const twice = `${LOCAL}[endpoints.long]\nbase_url = "http://127.0.0.1:11434"\nnum_ctx = 131072\n`;
  const config = good(places.user(`[model]\nendpoint = "long"\n${twice}`).load());
  expect(endpointFor('http://127.0.0.1:11434', config)?.name).toBe('long');
});

test.each([
  [
    `[model]\nendpoint = "remote"\n${LOCAL}`,
    'FILE:2: model.endpoint is "remote"; expected one of "local"',
  ],
  ['[model]\nendpoint = "x"', 'a section [endpoints.x] with its base_url'],
  [`[model]\nendpoint = "local"\nbase_url = "http://h:1"\n${LOCAL}`, 'are both set'],
  [
    '[endpoints.local]\nnum_ctx = 65536',
    'FILE:1: endpoints.local.base_url is nothing; expected an http',
  ],
  [`${LOCAL}protocol = "soap"`, 'FILE:4: endpoints.local.protocol is "soap"; expected "openai" or'],
  [
    `${LOCAL}num_ctx_ = 1`,
    'endpoints.local.num_ctx_ is not known; did you mean endpoints.local.num_ctx?',
  ],
  [`${LOCAL}api_key = "sk-1"`, 'keys are not kept in the configuration'],
  [
    '[endpoints]\nlocal = "http://h:1"',
    'FILE:2: endpoints.local is "http://h:1"; expected a table',
  ],
  ['[endpoints."a b"]\nbase_url = "http://h:1"', 'a name of letters, digits'],
  [`${LOCAL}keep_alive = "soon"`, 'a length of time'],
  ['[endpoint.x]\nbase_url = "http://h:1"', 'did you mean [endpoints]?'],
])('%j is refused', (toml, expected) => {
  expect(wrong(toml)).toContain(expected);
});

test('a key among the headers is refused, and not shown', () => {
  const said = wrong(`${LOCAL}headers = { Authorization = "Bearer sk-12345678" }`);
  expect(said).toContain('endpoints.local.headers');
  expect(said).not.toContain('sk-12345678');
});

test('a workspace that is not trusted says nothing about endpoints', () => {
  const loaded = places.user(LOCAL).project(WORK).load();
  expect(good(loaded).endpoints.map(({ name }) => name)).toEqual(['local']);
});
