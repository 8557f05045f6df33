/** Every key with the value that takes effect and where it came from, as `config show` presents them. */
import type { LoadedConfig } from './load.js';
import { KEYS } from './schema.js';
import type { RuleOrigin } from './settings.js';

export interface DescribedKey {
  /** `section.key`. */
  readonly key: string;
  /** As it is written in a file; null: not set, and without a default. */
  readonly value: unknown;
  /** `default`, a file, a variable or a flag; several where a list has come together. */
  readonly origin: string;
  /** Null: it is not in a file. */
  readonly line: number | null;
  /** Of each rule, where the key is a list of rules. */
  readonly items: readonly (RuleOrigin & { readonly item: string })[];
}

type Loaded = Extract<LoadedConfig, { ok: true }>;
type Values = Readonly<Record<string, unknown>>;

export const describeConfig = (loaded: Loaded): readonly DescribedKey[] =>
  [...KEYS.keys()].map((key) => ({
    key,
    value: valueOf(key, loaded),
    origin: loaded.origins[key] ?? 'default',
    line: loaded.lines[key] ?? null,
    items: itemsOf(key, loaded),
  }));

function valueOf(path: string, { settings, config }: Loaded): unknown {
  const [section = '', key = ''] = path.split('.');
  const written = (settings as Readonly<Record<string, Values | undefined>>)[section]?.[key];
  if (written !== undefined) return written;
  const defaults = (config as unknown as Readonly<Record<string, Values | undefined>>)[section];
  const name = key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const inMs = defaults?.[`${name}Ms`];
  return typeof inMs === 'number' ? inMs / 1000 : (defaults?.[name] ?? null);
}

function itemsOf(path: string, { config }: Loaded): DescribedKey['items'] {
  const kind = /^permissions\.(allow|ask|deny)$/.exec(path)?.[1];
  if (kind !== 'allow' && kind !== 'ask' && kind !== 'deny') return [];
  const { origins } = config.permissions;
  return config.permissions[kind].map((item) => ({
    item,
    ...(origins[`${kind} ${item}`] ?? { from: 'unknown', line: null }),
  }));
}
