/** A configuration file as a source of settings. */
import { parse, TomlError } from 'smol-toml';
import type { ConfigError } from './errors.js';
import { checkLayer, keyPath, type Layer } from './layer.js';
import { readSettingsFile } from './settings-file.js';
import { lineOfItem, lineOfKey } from './toml-lines.js';

export type Table = Readonly<Record<string, unknown>>;
export type ParsedFile =
  | { readonly status: 'parsed'; readonly table: Table; readonly text: string }
  | { readonly status: 'missing' }
  | { readonly status: 'broken'; readonly error: ConfigError };

/** `required`: named by a person, so it must be there. */
export function userFileLayer(file: string, required: boolean): Layer | null {
  const parsed = parseFile(file);
  if (parsed.status === 'missing') {
    if (!required) return null;
    return failed(file, fileError(file, null, 'a configuration file', 'there is no such file'));
  }
  if (parsed.status === 'broken') return failed(file, parsed.error);
  return checkTable(file, parsed.table, parsed.text);
}

export function parseFile(file: string): ParsedFile {
  const read = readSettingsFile(file);
  if (read.status === 'missing') return { status: 'missing' };
  if (read.status === 'unreadable')
    return { status: 'broken', error: fileError(file, null, 'a readable file', read.why) };
  try {
    return { status: 'parsed', table: parse(read.text), text: read.text };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of its message quotes the file.
    const why = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    const message = `this is not TOML: ${why} (column ${error.column})`;
    return { status: 'broken', error: fileError(file, error.line, 'a TOML document', message) };
  }
}

export function checkTable(file: string, table: Table, text: string): Layer {
  const locate = (path: readonly string[]) => ({
    file,
    // Of a key that is missing, the line of its table.
    line: lineOfKey(text, keyPath(path)) ?? lineOfKey(text, path.slice(0, 2)),
  });
  const item = (key: string, value: string) => lineOfItem(text, key.split('.'), value);
  const lineOf = (key: string) => lineOfKey(text, key.split('.')) ?? undefined;
  return { ...checkLayer(table, locate, () => file, item), lineOf };
}

export const fileError = (
  file: string,
  line: number | null,
  expected: string,
  message: string,
): ConfigError => ({ file, line, key: '', expected, message });

export const failed = (file: string, error: ConfigError): Layer => ({
  settings: {},
  errors: [error],
  origin: () => file,
  lineOfItem: () => null,
});
