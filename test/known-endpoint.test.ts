/** What a session makes of what was found out about its server. */
import { expect, test } from 'vitest';
import { DEFAULTS } from '../config/settings.js';
import type { EndpointFacts } from '../messages/endpoint-facts.js';
import { FACTS_MAX_AGE_MS, knownEndpoint } from '../src/known-endpoint.js';
import { openIndex } from '../src/store/index-store.js';
import { tempFolder } from './store/temp-folder.js';

const FACTS: EndpointFacts = { at: 0, window: 8_192, slots: 3, trial: null };

interface Case {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly found?: number | null;
  readonly configured?: number;
  readonly now?: number;
  readonly rehearsal?: string;
}

function known({ model = 'some', baseUrl = 'http://h/v1', found, ...more }: Case) {
  const facts = found === undefined ? null : { ...FACTS, window: found };
  return knownEndpoint({
    spec: {
      baseUrl,
      model,
      local: baseUrl.includes('127.0.0.1'),
      rehearsal: more.rehearsal ?? null,
    },
    config: { ...DEFAULTS, context: { ...DEFAULTS.context, window: more.configured ?? null } },
    index: { endpoints: { get: () => facts, set: () => undefined } },
    time: { now: () => more.now ?? 1 },
  });
}

const LOCAL = 'http://127.0.0.1:8080/v1';
const OLLAMA = 'http://127.0.0.1:11434';

test.each<[string, Case, number]>([
  ['nothing is known', {}, 128_000],
  ['a name is known', { model: 'gpt-4' }, 8_192],
  ['the name promises more than was found', { model: 'gpt-4o', found: 32_000 }, 32_000],
  ['the name promises less than was found', { model: 'gpt-4', found: 32_000 }, 8_192],
  ['a guess gives way to what was found', { found: 500_000 }, 500_000],
  ['a local guess gives way too', { baseUrl: LOCAL, found: 65_536 }, 65_536],
  ['a local server says nothing', { baseUrl: LOCAL, found: null }, 32_768],
  ['more is configured than was found', { configured: 100_000, found: 8_000 }, 8_000],
  ['less is configured than was found', { configured: 4_000, found: 8_000 }, 4_000],
  ['Ollama gives what it is asked for', { baseUrl: OLLAMA, found: 131_072 }, 32_768],
  ['Ollama has a model with less', { baseUrl: OLLAMA, found: 8_192 }, 8_192],
  ['it was found too long ago', { found: 1_000, now: FACTS_MAX_AGE_MS + 1 }, 128_000],
  ['it is a rehearsal', { found: 1_000, rehearsal: 'survey' }, 32_768],
])('the window when %s', (_, given, window) => {
  expect(known(given).windowOf(given.model ?? 'some')).toBe(window);
});

test('the places at a server are those that it reported', () => {
  expect(known({ found: null }).slots).toBe(3);
  expect(known({}).slots).toBeNull();
  expect(known({ found: 1, rehearsal: 'survey' }).slots).toBeNull();
});

test('what was found is kept for each model at each address, the newest', () => {
  const home = tempFolder();
  const index = openIndex({ home, time: { now: () => 1 } });
  index.endpoints.set('http://h/v1', 'a', FACTS);
  index.endpoints.set('http://h/v1', 'a', { ...FACTS, slots: 9 });
  index.close();
  const again = openIndex({ home, time: { now: () => 1 } });
  expect(again.endpoints.get('http://h/v1', 'a')).toEqual({ ...FACTS, slots: 9 });
  expect(again.endpoints.get('http://h/v1', 'b')).toBeNull();
  expect(again.endpoints.get('http://other/v1', 'a')).toBeNull();
  again.close();
});
