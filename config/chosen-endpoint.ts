/** Which source says where the model is: an address, or the name of a configured endpoint; the last one wins. */
import { resolvedEndpoint, type ConfiguredEndpoint } from './endpoint-settings.js';
import type { ConfigError } from './errors.js';
import type { Layer } from './layer.js';
import type { Settings } from './schema.js';

/** Whether a source says where the model is, in either way. */
export const saysWhere = ({ settings: { model = {} } }: Layer): boolean =>
  model.base_url !== undefined || model.endpoint !== undefined;

function withoutPlace(layer: Layer): Layer {
  // An undefined value counts as not given.
  const model = { ...layer.settings.model, base_url: undefined, endpoint: undefined };
  return { ...layer, settings: { ...layer.settings, model } };
}

/** The same layers, of which only the last that says where the model is still does. */
export function withOnePlace(layers: readonly Layer[]): readonly Layer[] {
  const last = layers.findLastIndex(saysWhere);
  return layers.map((layer, at) => (at < last ? withoutPlace(layer) : layer));
}

export const endpointsIn = (settings: Settings): readonly ConfiguredEndpoint[] =>
  Object.entries(settings.endpoints ?? {}).map(([name, written]) =>
    resolvedEndpoint(name, written),
  );

/** What is wrong with the choice; null: nothing. `layers` as `withOnePlace` leaves them. */
export function choiceError(layers: readonly Layer[], settings: Settings): ConfigError | null {
  const layer = layers.findLast(saysWhere);
  const name = layer?.settings.model?.endpoint;
  if (layer === undefined || name === undefined) return null;
  const key = 'model.endpoint';
  const at = { file: layer.origin(key), line: layer.lineOfItem(key, name), key, got: name };
  if (layer.settings.model?.base_url !== undefined) {
    const expected = 'either model.endpoint or model.base_url';
    return { ...at, expected, message: `${key} and model.base_url are both set; expected one` };
  }
  const names = Object.keys(settings.endpoints ?? {});
  if (names.includes(name)) return null;
  const expected =
    names.length === 0
      ? `a section [endpoints.${name}] with its base_url`
      : `one of ${names.map((known) => `"${known}"`).join(', ')}`;
  return { ...at, expected, message: `${key} is "${name}"; expected ${expected}` };
}
