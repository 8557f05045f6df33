/** `ouro config show`: every setting as it takes effect, and where it came from. */
import { describeConfig, type DescribedKey } from '../../config/described.js';
import { findApiKey } from '../../config/api-key.js';
import { tomlValue } from '../../config/toml-value.js';
import {
  failAsConfig,
  readConfig,
  safeText,
  type ConfigFlags,
  type ReadConfig,
} from './read-config.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';

export interface ShowFlags extends ConfigFlags {
  readonly origin?: boolean;
}

export const configShow = (flags: ShowFlags, context: VerbContext): Promise<number> =>
  runVerb(context, flags, async (output) => {
    const read = await readConfig(flags, context);
    if (!read.ok) return output.fail(read.failure);
    const { loaded, workspace, trust } = read;
    if (!loaded.ok) return failAsConfig(output, loaded);
    const safe = safeText(read);
    for (const warning of loaded.warnings) output.note(warning);
    const keys = describeConfig(loaded);
    const apiKey = apiKeyOf(read, loaded.config.model.baseUrl);
    for (const line of linesFor(keys, flags.origin === true)) output.line(safe(line));
    output.line(safe(`\n# ${apiKeyText(apiKey)}`));
    const values = keys.map((described) => inJson(described, safe));
    const { warnings } = loaded;
    output.data({ ok: true, workspace, trust: trust.state, values, api_key: apiKey, warnings });
    return EXIT_DONE;
  });

interface KeyPlace {
  readonly variable: string;
  readonly origin: string;
}

/** Where it is, never what it is. */
function apiKeyOf({ env, fromFile }: ReadConfig, baseUrl: string | null): KeyPlace | null {
  const found = baseUrl === null ? null : findApiKey(baseUrl, env);
  if (found === null) return null;
  return { variable: found.variable, origin: fromFile.get(found.variable) ?? 'environment' };
}

const apiKeyText = (found: KeyPlace | null): string =>
  found === null
    ? 'no key for the model server is set'
    : `the key for the model server is in ${found.variable} (${found.origin})`;

function* linesFor(keys: readonly DescribedKey[], withOrigin: boolean): Generator<string> {
  let before = '';
  for (const described of keys) {
    const [section = '', name = ''] = described.key.split('.');
    if (section !== before) yield `${before === '' ? '' : '\n'}[${section}]`;
    before = section;
    yield* linesOf(name, described, withOrigin);
  }
}

function* linesOf(name: string, described: DescribedKey, withOrigin: boolean): Generator<string> {
  const { value, items } = described;
  if (value === null) {
    yield `# ${name} is not set`;
    return;
  }
  const note = (place: string): string => (withOrigin ? ` # ${place}` : '');
  if (items.length === 0) {
    yield `${name} = ${tomlValue(value)}${note(placeOf(described.origin, described.line))}`;
    return;
  }
  yield `${name} = [`;
  for (const { item, from, line } of items)
    yield `  ${tomlValue(item)},${note(placeOf(from, line))}`;
  yield ']';
}

const placeOf = (from: string, line: number | null): string =>
  line === null ? from : `${from}:${line}`;

function inJson(
  { key, value, origin, line, items }: DescribedKey,
  safe: (text: string) => string,
): object {
  const rules = items.map((rule) => ({ ...rule, item: safe(rule.item) }));
  return {
    key,
    value: eachText(value, safe),
    origin,
    line,
    ...(rules.length > 0 ? { rules } : {}),
  };
}

function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => eachText(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, eachText(one, change)] as const);
  return Object.fromEntries(entries);
}
