/**
 * What the files of a workspace may set. They came with the repository: where it is trusted they may say
 * everything, else they may choose how things look, lower limits and refuse more; whatever else they say is
 * ignored with one warning.
 */
import { realpathSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { dotEnvFile, isSetting } from './environment.js';
import { printable } from './errors.js';
import { checkTable, failed, fileError, parseFile, type ParsedFile } from './file-layer.js';
import { workspaceConfigFile } from './home.js';
import type { Layer } from './layer.js';
import type { Settings } from './schema.js';
import { readSettingsFile } from './settings-file.js';
import { DEFAULT_LIMITS, isAtMost, MAY_SET_TEXT, mustBeLower, withinTrust } from './untrusted.js';

/** How far the workspace's files are trusted. */
interface Trusted {
  readonly trusted: boolean;
  /** Names of files that are not as a person accepted them. */
  readonly changed: readonly string[];
}

interface WorkspaceLayer {
  /** Null: there is no file. */
  readonly layer: Layer | null;
  readonly warnings: readonly string[];
}

/** `below` is what holds without it: a limit of an untrusted workspace counts only if it is lower. */
export function workspaceLayer(
  workspace: string,
  { trusted, changed }: Trusted,
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
    return { layer: null, warnings: warningFor(workspace, [], variables, changed) };
  const { allowed, ignored } = withinTrust(parsed.table);
  const layer = checkTable(file, allowed, parsed.text);
  const { settings, raised } = onlyLower(layer.settings, below);
  return {
    layer: { ...layer, settings },
    warnings: warningFor(workspace, [...ignored, ...raised], variables, changed),
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

function onlyLower(
  settings: Settings,
  below: Settings,
): { settings: Settings; raised: readonly string[] } {
  const before = sectionsOf(below);
  const raised: string[] = [];
  const kept = Object.entries(sectionsOf(settings)).map(([section, values]) => {
    const entries = Object.entries(values ?? {}).filter(([name, value]) => {
      const key = `${section}.${name}`;
      const isLower =
        !mustBeLower(key) || isAtMost(value, before[section]?.[name] ?? DEFAULT_LIMITS[key]);
      if (!isLower) raised.push(key);
      return isLower;
    });
    return [section, Object.fromEntries(entries)] as const;
  });
  return { settings: Object.fromEntries(kept), raised };
}

const sectionsOf = (
  settings: Settings,
): Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> => settings;

/** More names than this make the warning unreadable. */
const MAX_NAMED = 12;

function warningFor(
  workspace: string,
  keys: readonly string[],
  variables: readonly string[],
  changed: readonly string[],
): readonly string[] {
  const file = workspaceConfigFile(workspace);
  const parts = [
    ...(keys.length === 0 ? [] : [`${file}: ignored ${listed(keys)}.`]),
    ...(variables.length === 0 ? [] : [`${dotEnvFile(workspace)}: ignored ${listed(variables)}.`]),
  ];
  if (parts.length + changed.length === 0) return [];
  const why =
    changed.length === 0
      ? 'This workspace is not trusted'
      : `This workspace is not trusted any more, because files have changed since you accepted it (${listed(changed)})`;
  return [
    `${[...parts, why].join(' ')}: its files may only ${MAY_SET_TEXT}. To look at them and accept them: ouro config trust ${inShell(workspace)}`,
  ];
}

const inShell = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

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
