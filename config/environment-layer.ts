/** Settings from `OURO_SECTION_KEY` variables, and what other programs' variables say about the endpoint. */
import { endpointFromEnvironment } from './endpoint.js';
import type { EffectiveEnvironment } from './environment.js';
import { checkLayer, type Layer } from './layer.js';
import { nearest } from './nearest.js';
import { KEYS, SECTIONS } from './schema.js';

const variableOf = (key: string): string => `OURO_${key.toUpperCase().replace('.', '_')}`;
const KEY_OF = new Map([...KEYS.keys()].map((key) => [variableOf(key), key] as const));

interface EnvironmentLayers {
  /** Above the files. */
  readonly settings: Layer;
  /** Below everything: it only fills what nobody configured. */
  readonly endpoint: Layer;
  readonly warnings: readonly string[];
}

/** A file is named where a variable came from it. An empty variable counts as unset. */
export function environmentLayers(effective: EffectiveEnvironment): EnvironmentLayers {
  const placeOf = (variable: string): string => {
    const file = effective.fromFile.get(variable);
    return file === undefined ? `environment ${variable}` : `${file} (${variable})`;
  };
  const set = Object.entries(effective.env).filter(
    (entry): entry is [string, string] => entry[0].startsWith('OURO_') && !isEmpty(entry[1]),
  );
  const raw: Record<string, Record<string, unknown>> = {};
  const warnings: string[] = [];
  for (const [variable, text] of set) {
    const key = KEY_OF.get(variable) ?? unknownSetting(variable);
    if (key === null) warnings.push(...misspelt(variable, placeOf(variable)));
    else {
      const [section, name] = split(key);
      (raw[section] ??= {})[name] = valueFor(key, text);
    }
  }
  const place = (key: string): string => placeOf(variableOf(key));
  return {
    settings: checkLayer(raw, (path) => ({ file: place(path.join('.')), line: null }), place),
    endpoint: endpointLayer(effective, placeOf),
    warnings,
  };
}

function endpointLayer(
  effective: EffectiveEnvironment,
  placeOf: (variable: string) => string,
): Layer {
  const found = endpointFromEnvironment(effective.env);
  const place = found === null ? '' : placeOf(found.variable);
  const raw = found === null ? {} : { model: { base_url: found.url } };
  return checkLayer(
    raw,
    () => ({ file: place, line: null }),
    () => place,
  );
}

const isEmpty = (text: string | undefined): boolean => text === undefined || text.trim() === '';

const split = (key: string): [string, string] => {
  const dot = key.indexOf('.');
  return [key.slice(0, dot), key.slice(dot + 1)];
};

/** A variable of a known section that names no key of it becomes an unknown key, and so an error. */
function unknownSetting(variable: string): string | null {
  const name = variable.slice('OURO_'.length).toLowerCase();
  const section = Object.keys(SECTIONS).find((known) => name.startsWith(`${known}_`));
  return section === undefined ? null : `${section}.${name.slice(section.length + 1)}`;
}

/** Other variables begin with `OURO_` too, so only one that is nearly a setting is mentioned. */
function misspelt(variable: string, place: string): readonly string[] {
  const near = nearest(variable, [...KEY_OF.keys()]);
  if (near === null || editedTooMuch(variable, near)) return [];
  return [`${place}: not a setting, and ignored; did you mean ${near}?`];
}

const editedTooMuch = (variable: string, near: string): boolean =>
  Math.abs(variable.length - near.length) > 2;

const YES_OR_NO = new Map([
  ['true', true],
  ['false', false],
]);

/** A list is one item a line. Text that fits no form stays as it is, so that the message can show it. */
function valueFor(key: string, text: string): unknown {
  const trimmed = text.trim();
  const lines = trimmed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const forms = [
    trimmed,
    Number(trimmed),
    YES_OR_NO.get(trimmed) ?? trimmed,
    lines,
    lines.map(Number),
  ];
  return forms.find((form) => KEYS.get(key)?.safeParse(form).success === true) ?? trimmed;
}
