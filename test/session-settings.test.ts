/** Which changes of settings a running session admits, and what it does with them. */
import { expect, test } from 'vitest';
import { DEFAULTS } from '../config/settings.js';
import type { PermissionMode } from '../messages/session.js';
import { SessionSettings } from '../src/session-settings.js';
import { ScriptedModel } from './support/scripted-model.js';
import { specOf } from './support/session-samples.js';

function settingsOf(part: Parameters<typeof specOf>[0] = {}) {
  const spec = specOf({ rehearsal: null, ...part });
  const patches: object[] = [];
  const modes: PermissionMode[] = [];
  const settings = new SessionSettings({
    ground: {
      spec,
      index: { patch: (_: string, change: object) => patches.push(change) } as never,
    },
    home: '/nowhere',
    config: { ...DEFAULTS, prices: { scripted: { input: 1, output: 1 } } },
    judge: { setMode: (mode) => void modes.push(mode) },
  });
  return { spec, settings, patches, modes };
}

test('two changes that are right alone and wrong together are not both admitted', () => {
  const { settings } = settingsOf();
  expect(settings.admit({ do: 'set', change: { maxCost: 5 } })).toBeNull();
  const refusal = settings.admit({ do: 'set', change: { model: 'nobody/knows' } });
  expect(refusal).toContain('No price is known for the model nobody/knows');
  expect(settings.admit({ do: 'set', change: { maxCost: null } })).toBeNull();
  expect(settings.admit({ do: 'set', change: { model: 'nobody/knows' } })).toBeNull();
  expect(settings.admit({ do: 'set', change: { maxCost: 1 } })).toContain('--max-tokens');
});

test('what is no change of settings is not held up by prices', () => {
  const { settings } = settingsOf({ model: 'nobody/knows' });
  expect(settings.admit({ do: 'stop' })).toBeNull();
  expect(settings.admit({ do: 'send', text: 'hi', mode: 'steer' })).toBeNull();
});

test('what is in force is what was applied, for calls and for side work', async () => {
  const { spec, settings, patches, modes } = settingsOf();
  const model = new ScriptedModel([]);
  const side = settings.following(model);
  const ask = (name: string) =>
    side.ask(
      { agent: 'main' as never, round: 1, model: name, messages: [], tools: [] },
      () => undefined,
      new AbortController().signal,
    );
  await ask(spec.model);
  const changed = { ...spec, model: 'larger', permissions: { ...spec.permissions, mode: 'plan' } };
  settings.apply(changed as typeof spec);
  expect(settings.inForce.model).toBe('larger');
  await ask(spec.model);
  await ask('small');
  expect(model.requests.items.map(({ model: asked }) => asked)).toEqual([
    spec.model,
    'larger',
    'small',
  ]);
  expect(modes).toEqual(['plan']);
  expect(patches).toEqual([{ name: spec.name, model: 'larger' }]);
});
