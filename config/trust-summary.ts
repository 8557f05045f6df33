/**
 * What the files of a workspace would do once they are trusted, for the person who decides: every setting that
 * needs trust with its value, every variable, every server, every file that is run or obeyed. Nothing is left
 * out and nothing is cut short unseen: what is not shown is what a repository would hide its command in.
 */
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'smol-toml';
import { dotEnvFile, isSetting } from './environment.js';
import { escaped } from './errors.js';
import { workspaceConfigFile } from './home.js';
import { readSettingsFile } from './settings-file.js';
import { tomlValue } from './toml-value.js';
import { mustBeLower, needsTrust } from './untrusted.js';

export interface TrustedFile {
  /** From the workspace. */
  readonly name: string;
  /** What it is, in words. */
  readonly what: string;
  /** What it sets that takes effect with the trust, made safe to print. */
  readonly sets: readonly TrustedSetting[];
}

export interface TrustedSetting {
  readonly key: string;
  readonly value: string;
}

/** A person who is shown more than this reads the file instead, and is told to. */
const MAX_VALUE = 2_000;

const HIDDEN = '(a secret, not shown)';

/** `files`: names as the hash of the workspace lists them. */
export const summariseTrust = (
  workspace: string,
  files: readonly string[],
  isSecret: (name: string) => boolean,
): readonly TrustedFile[] =>
  files.map((name) => {
    const file = join(workspace, name);
    if (file === workspaceConfigFile(workspace))
      return { name, what: 'settings', sets: settingsIn(file) };
    if (file === dotEnvFile(workspace))
      return { name, what: 'variables that begin with OURO_', sets: variablesIn(file, isSecret) };
    if (name === '.mcp.json') return { name, what: 'MCP servers', sets: serversIn(file) };
    return { name, what: roleOf(name), sets: [] };
  });

function roleOf(name: string): string {
  if (name.startsWith('.ouro/hooks/')) return 'a hook';
  return name.startsWith('.ouro/prompts/') ? 'a prompt' : 'named in a setting, and may be run';
}

function settingsIn(file: string): readonly TrustedSetting[] {
  const table = readAs(file, parse);
  return Object.entries(table).flatMap(([section, values]) => {
    if (typeof values !== 'object' || Array.isArray(values))
      return [setting(section, tomlValue(values))];
    return Object.entries(values)
      .filter(([name]) => gainsByTrust(`${section}.${name}`))
      .map(([name, value]) => setting(`${section}.${name}`, tomlValue(value)));
  });
}

/** A limit may be raised then. */
const gainsByTrust = (key: string): boolean => needsTrust(key) || mustBeLower(key);

const variablesIn = (
  file: string,
  isSecret: (name: string) => boolean,
): readonly TrustedSetting[] =>
  Object.entries(readAs(file, parseEnv))
    .filter(([name]) => isSetting(name))
    .map(([name, value]) => setting(name, isSecret(name) ? HIDDEN : tomlValue(value)));

/** Variables and headers of a server are where people put its keys. */
const KEY_PLACES = ['env', 'headers'];

function serversIn(file: string): readonly TrustedSetting[] {
  const { mcpServers } = readAs(file, (text) => JSON.parse(text) as object) as {
    readonly mcpServers?: unknown;
  };
  if (typeof mcpServers !== 'object' || mcpServers === null) return [];
  return Object.entries(mcpServers).map(([name, server]) => {
    const text = JSON.stringify(server, (key, value: unknown) =>
      KEY_PLACES.includes(key) && typeof value === 'object' && value !== null
        ? Object.keys(value)
        : value,
    );
    return setting(`mcpServers.${name}`, text);
  });
}

function setting(key: string, value: string): TrustedSetting {
  const more = value.length - MAX_VALUE;
  const cut =
    more > 0 ? `${value.slice(0, MAX_VALUE)}… (${more} more characters: read the file)` : value;
  return { key: escaped(key), value: escaped(cut) };
}

/** What cannot be read sets nothing; the loader says so when it is trusted. */
function readAs<T extends object>(file: string, parser: (text: string) => T): Partial<T> {
  const read = readSettingsFile(file);
  if (read.status !== 'read') return {};
  try {
    return parser(read.text);
  } catch {
    return {};
  }
}
