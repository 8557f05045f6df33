/**
 * The environment as configuration sees it: the real one, below it `$OURO_HOME/.env`, and below that the
 * `.env` of a workspace that is trusted, of which only `OURO_*` counts: the rest is the project's own.
 */
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { ConfigError } from './errors.js';
import type { Environment } from './home.js';
import { readSettingsFile } from './settings-file.js';

export const dotEnvFile = (folder: string): string => join(folder, '.env');

export interface EffectiveEnvironment {
  readonly env: Environment;
  /** The variables that came from a file, each with the file. */
  readonly fromFile: ReadonlyMap<string, string>;
  /** Files that are there and cannot be read. */
  readonly problems: readonly ConfigError[];
}

/**
 * A variable that is set but empty in the real environment counts as unset. `trustedWorkspace`: a workspace
 * whose own variables count; null: none does.
 */
export function effectiveEnvironment(
  home: string,
  env: Environment,
  trustedWorkspace: string | null = null,
): EffectiveEnvironment {
  const merged: Record<string, string | undefined> = { ...env };
  const fromFile = new Map<string, string>();
  const problems: ConfigError[] = [];
  const add = (file: string, counts: (name: string) => boolean): void => {
    const read = readSettingsFile(file);
    if (read.status === 'unreadable') problems.push(unreadable(file, read.why));
    if (read.status !== 'read') return;
    for (const [name, value] of Object.entries(parseEnv(read.text))) {
      const known = merged[name];
      if ((known !== undefined && known !== '') || !counts(name)) continue;
      merged[name] = value;
      fromFile.set(name, file);
    }
  };
  // Neither can say where the home folder is: one lies in it, the other has no say in it.
  add(dotEnvFile(home), (name) => name !== 'OURO_HOME');
  if (trustedWorkspace !== null) add(dotEnvFile(trustedWorkspace), isSetting);
  return { env: merged, fromFile, problems };
}

/** Whether a variable of a workspace's `.env` is meant for ouro. */
export const isSetting = (name: string): boolean =>
  name.startsWith('OURO_') && name !== 'OURO_HOME';

const unreadable = (file: string, why: string): ConfigError => ({
  file,
  line: null,
  key: '',
  expected: 'a readable file',
  message: why,
});
