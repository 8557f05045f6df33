/**
 * What the files of a workspace may set. They came with the repository: where it is trusted they may say
 * everything, else they may choose how things look, lower limits and refuse more; whatever else they say is
 * ignored with one warning.
 */
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { parseEnv } from 'node:util';
import { parseDuration } from './duration.js';
import { dotEnvFile, isSetting } from './environment.js';
import { printable } from './errors.js';
import {
  checkTable,
  failed,
  fileError,
  parseFile,
  type ParsedFile,
  type Table,
} from './file-layer.js';
import { workspaceConfigFile } from './home.js';
import type { Layer } from './layer.js';
import type { Settings } from './schema.js';
import { readSettingsFile } from './settings-file.js';

interface WorkspaceLayer {
  /** Null: there is no file. */
  readonly layer: Layer | null;
  readonly warnings: readonly string[];
}

/** `below` is what is set so far: a limit of an untrusted workspace counts only if it is lower. */
export function workspaceLayer(
  workspace: string,
  trusted: boolean,
  below: Settings,
): WorkspaceLayer {
  const file = workspaceConfigFile(workspace);
  const parsed = leadsOutside(file, workspace) ? outsideError(file) : parseFile(file);
  if (parsed.status === 'broken') return { layer: failed(file, parsed.error), warnings: [] };
  if (trusted) {
    const layer = parsed.status === 'missing' ? null : checkTable(file, parsed.table, parsed.text);
    return { layer, warnings: [] };
  }
  const variables = ignoredVariables(workspace);
  if (parsed.status === 'missing')
    return { layer: null, warnings: warningFor(workspace, [], variables) };
  const { allowed, ignored } = withinTrust(parsed.table);
  const layer = checkTable(file, allowed, parsed.text);
  const { settings, raised } = onlyLower(layer.settings, below);
  return {
    layer: { ...layer, settings },
    warnings: warningFor(workspace, [...ignored, ...raised], variables),
  };
}

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
    else if (typeof value !== 'object' || value === null || Array.isArray(value))
      ignored.push(section);
    else
      for (const [key, item] of Object.entries(value as Table)) {
        if (section === 'permissions' && key === 'deny') allowed[section] = { deny: item };
        else ignored.push(`${section}.${key}`);
      }
  }
  return { allowed, ignored };
}

function onlyLower(
  settings: Settings,
  below: Settings,
): { settings: Settings; raised: readonly string[] } {
  if (settings.budget === undefined) return { settings, raised: [] };
  const before = new Map<string, unknown>(Object.entries(below.budget ?? {}));
  const entries: [string, unknown][] = Object.entries(settings.budget);
  const isLower = ([key, value]: [string, unknown]) => isAtMost(value, before.get(key));
  const raised = entries.filter((entry) => !isLower(entry)).map(([key]) => `budget.${key}`);
  const budget = Object.fromEntries(entries.filter(isLower)) as Required<Settings>['budget'];
  return { settings: { ...settings, budget }, raised };
}

/** Two numbers, or two lengths of time of which one may be in seconds. */
function isAtMost(value: unknown, limit: unknown): boolean {
  if (limit === undefined) return true;
  if (typeof value === 'number' && typeof limit === 'number') return value <= limit;
  const [wanted, known] = [value, limit].map((each) => parseDuration(String(each)));
  return typeof wanted === 'number' && typeof known === 'number' && wanted <= known;
}

/** More names than this make the warning unreadable. */
const MAX_NAMED = 12;

function warningFor(
  workspace: string,
  keys: readonly string[],
  variables: readonly string[],
): readonly string[] {
  const file = workspaceConfigFile(workspace);
  const parts = [
    ...(keys.length === 0 ? [] : [`${file}: ignored ${listed(keys)}.`]),
    ...(variables.length === 0 ? [] : [`${dotEnvFile(workspace)}: ignored ${listed(variables)}.`]),
  ];
  if (parts.length === 0) return [];
  return [
    `${parts.join(' ')} This workspace is not trusted: its files may only set [tui] and [log], lower limits in [budget] and add rules to permissions.deny. Put the rest of ${relative(workspace, file)} into your own config.toml.`,
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).map(printable).join(', ')}${more}`;
}

/** What the workspace's `.env` would set, were it trusted. */
function ignoredVariables(workspace: string): readonly string[] {
  const file = dotEnvFile(workspace);
  if (leadsOutside(file, workspace)) return [];
  const read = readSettingsFile(file);
  return read.status === 'read' ? Object.keys(parseEnv(read.text)).filter(isSetting) : [];
}
