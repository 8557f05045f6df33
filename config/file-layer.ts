/**
 * The two configuration files. The person's own may say everything. The workspace's came with the
 * repository and is not trusted: it may choose how things look and lower limits; whatever else it says is
 * ignored with one warning.
 */
import { realpathSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { parseDuration } from './duration.js';
import { printable, type ConfigError } from './errors.js';
import { checkLayer, type Layer } from './layer.js';
import { readSettingsFile } from './settings-file.js';
import type { Settings } from './schema.js';
import { lineOfKey } from './toml-lines.js';

type Table = Readonly<Record<string, unknown>>;
type ParsedFile =
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

interface WorkspaceLayer {
  readonly layer: Layer;
  readonly warnings: readonly string[];
}

/** `below` is what is set so far: a limit of the workspace counts only if it is lower. */
export function workspaceFileLayer(
  file: string,
  workspace: string,
  below: Settings,
): WorkspaceLayer | null {
  const parsed = leadsOutside(file, workspace) ? outsideError(file) : parseFile(file);
  if (parsed.status === 'missing') return null;
  if (parsed.status === 'broken') return { layer: failed(file, parsed.error), warnings: [] };
  const { allowed, ignored } = withinTrust(parsed.table);
  const layer = checkTable(file, allowed, parsed.text);
  const { settings, raised } = onlyLower(layer.settings, below);
  return {
    layer: { ...layer, settings },
    warnings: warningFor(file, [...ignored, ...raised]),
  };
}

function parseFile(file: string): ParsedFile {
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

function checkTable(file: string, table: Table, text: string): Layer {
  const locate = (path: readonly string[]) => ({
    file,
    line: lineOfKey(text, path.slice(0, 2)),
  });
  return checkLayer(table, locate, () => file);
}

const fileError = (
  file: string,
  line: number | null,
  expected: string,
  message: string,
): ConfigError => ({ file, line, key: '', expected, message });

const failed = (file: string, error: ConfigError): Layer => ({
  settings: {},
  errors: [error],
  origin: () => file,
});

/** A planted link would have another file's text quoted in messages. */
function leadsOutside(file: string, workspace: string): boolean {
  try {
    return !realpathSync(file).startsWith(`${realpathSync(workspace).replace(/\/$/, '')}/`);
  } catch {
    return false;
  }
}

const outsideError = (file: string): ParsedFile => ({
  status: 'broken',
  error: fileError(
    file,
    null,
    'a file in the workspace',
    'it is a link that leads out of the workspace',
  ),
});

const DISPLAY_SECTIONS = ['tui', 'log'];
const LOWERED_SECTION = 'budget';

function withinTrust(table: Table): { allowed: Table; ignored: readonly string[] } {
  const allowed: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [section, value] of Object.entries(table)) {
    if (DISPLAY_SECTIONS.includes(section) || section === LOWERED_SECTION) allowed[section] = value;
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      ignored.push(...Object.keys(value).map((key) => `${section}.${key}`));
    else ignored.push(section);
  }
  return { allowed, ignored };
}

function onlyLower(
  settings: Settings,
  below: Settings,
): { settings: Settings; raised: readonly string[] } {
  const { max_rounds: rounds, max_time: time } = settings.budget ?? {};
  const roundsRaised = rounds !== undefined && rounds > (below.budget?.max_rounds ?? Infinity);
  const timeRaised =
    time !== undefined && length(time) > length(below.budget?.max_time ?? Infinity);
  const budget = {
    ...(rounds === undefined || roundsRaised ? {} : { max_rounds: rounds }),
    ...(time === undefined || timeRaised ? {} : { max_time: time }),
  };
  return {
    settings: { ...settings, budget },
    raised: [
      ...(roundsRaised ? ['budget.max_rounds'] : []),
      ...(timeRaised ? ['budget.max_time'] : []),
    ],
  };
}

const length = (time: string | number): number => parseDuration(String(time)) ?? Infinity;

/** More names than this make the warning unreadable. */
const MAX_NAMED = 12;

function warningFor(file: string, ignored: readonly string[]): readonly string[] {
  if (ignored.length === 0) return [];
  const named = ignored.slice(0, MAX_NAMED).map(printable).join(', ');
  const more = ignored.length > MAX_NAMED ? ` and ${ignored.length - MAX_NAMED} more` : '';
  return [
    `${file}: ignored ${named}${more}. A workspace's file may only set [tui] and [log] and lower limits in [budget]; put the rest into your own config.toml.`,
  ];
}
