/**
 * One source of settings, checked against the schema: what it says, and everything that is wrong with it.
 * A layer that has errors says nothing, so that no half of it takes effect.
 */
import type { z } from 'zod';
import { ENDPOINT_KEYS } from './endpoint-schema.js';
import { shown, type ConfigError } from './errors.js';
import { nearest } from './nearest.js';
import { KEYS, SECTIONS, settingsSchema, type Settings } from './schema.js';

export interface Layer {
  readonly settings: Settings;
  readonly errors: readonly ConfigError[];
  /** Where a key of this layer was set, for `config show --origin`. */
  readonly origin: (key: string) => string;
  /** The line on which a key of this layer was set; undefined: not in a file, or not found. */
  readonly lineOf?: (key: string) => number | undefined;
  /** The line of one item of a list; null: not in a file, or not found. */
  readonly lineOfItem: (key: string, item: string) => number | null;
}

/** Where a key stands in its source. */
type Locate = (path: readonly string[]) => Pick<ConfigError, 'file' | 'line'>;

export function checkLayer(
  raw: unknown,
  locate: Locate,
  origin: Layer['origin'],
  lineOfItem: Layer['lineOfItem'] = () => null,
): Layer {
  const result = settingsSchema.safeParse(raw);
  if (result.success) return { settings: result.data, errors: [], origin, lineOfItem };
  const errors = result.error.issues.flatMap((issue) => errorsOf(issue, raw, locate));
  // Several checks of one value can fail together; one message for it is enough.
  const first = new Map(errors.map((error) => [error.key, error] as const).reverse());
  return { settings: {}, errors: [...first.values()].reverse(), origin, lineOfItem };
}

const ENDPOINTS = 'endpoints';

/** A key is named by its section and its own name; in `[endpoints.NAME]` the section has two parts. */
export const keyPath = (path: readonly string[]): readonly string[] =>
  path.slice(0, path[0] === ENDPOINTS ? 3 : 2);

function errorsOf(issue: z.core.$ZodIssue, raw: unknown, locate: Locate): readonly ConfigError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys' && path.length >= keyPath([...path, '', '']).length)
    return issue.keys.map((key) => unknownWithin(path, key, issue.message, locate));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey([...path, key], locate));
  if (path.length < 2) return [notATable(path, raw, locate)];
  // A list's items have the list's expectation; the list is what is named.
  const key = keyPath(path).join('.');
  const expected =
    issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  // Headers may hold what nobody else should read.
  const got = path.includes('headers') ? 'not right' : shown(valueAt(raw, path));
  return [
    { ...locate(path), key, expected, got, message: `${key} is ${got}; expected ${expected}` },
  ];
}

/** In a table below a key: the schema itself says what may stand there. */
function unknownWithin(
  path: readonly string[],
  name: string,
  expected: string,
  locate: Locate,
): ConfigError {
  const key = path.slice(0, 2).join('.');
  const message = `${key}: ${shown(name).slice(1, -1)} is not known there; expected ${expected}`;
  return { ...locate(path), key, expected, message };
}

function notATable(path: readonly string[], raw: unknown, locate: Locate): ConfigError {
  const name = path[0] ?? '';
  const got = shown(valueAt(raw, path));
  const expected = name === '' ? 'tables of settings' : `a table: [${name}] and its keys below it`;
  return {
    ...locate(path),
    key: name,
    expected,
    got,
    message: `${name} is ${got}; expected ${expected}`,
  };
}

function unknownKey(path: readonly string[], locate: Locate): ConfigError {
  const key = path.join('.');
  const what = path.length === 1 ? `section [${shown(key).slice(1, -1)}]` : shown(key).slice(1, -1);
  const expected = expectationFor(path);
  return { ...locate(path), key, expected, message: `${what} is not known; ${expected}` };
}

function expectationFor(path: readonly string[]): string {
  const [section = '', key = ''] = path;
  const ofEndpoint = section === ENDPOINTS && path.length > 2;
  if (/(^|_)(api_?)?(key|token|secret)$/i.test(path.at(-1) ?? '') && path.at(-1) !== 'max_tokens')
    return 'keys are not kept in the configuration: set OURO_API_KEY in the environment or in $OURO_HOME/.env';
  if (ofEndpoint) {
    const near = nearest(path[2] ?? '', ENDPOINT_KEYS);
    return near === null
      ? `[endpoints.${key}] has ${ENDPOINT_KEYS.join(', ')}`
      : `did you mean endpoints.${key}.${near}?`;
  }
  if (path.length === 1) {
    const sections = [...Object.keys(SECTIONS), ENDPOINTS];
    const near = nearest(section, sections);
    return near === null ? `the sections are ${sections.join(', ')}` : `did you mean [${near}]?`;
  }
  const elsewhere = [...KEYS.keys()].find((known) => known.endsWith(`.${key}`));
  const own = [...KEYS.keys()].filter((known) => known.startsWith(`${section}.`));
  const near = nearest(
    key,
    own.map((known) => known.slice(section.length + 1)),
  );
  if (near !== null) return `did you mean ${section}.${near}?`;
  if (elsewhere !== undefined) return `did you mean ${elsewhere}?`;
  return `[${section}] has ${own.map((known) => known.slice(section.length + 1)).join(', ')}`;
}

function valueAt(raw: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string, unknown>)[part]
        : undefined,
    raw,
  );
}
