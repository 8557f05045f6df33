/** The environment as configuration sees it: `$OURO_HOME/.env` below the real one. */
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './home.js';
import { readSettingsFile } from './settings-file.js';

export const dotEnvFile = (home: string): string => join(home, '.env');

export interface EffectiveEnvironment {
  readonly env: Environment;
  /** The variables that came from the file. */
  readonly fromFile: ReadonlySet<string>;
  /** The file is there and cannot be read; says why. */
  readonly problem: string | null;
}

/** A variable that is set but empty in the real environment counts as unset. */
export function effectiveEnvironment(home: string, env: Environment): EffectiveEnvironment {
  const file = readSettingsFile(dotEnvFile(home));
  if (file.status === 'missing') return { env, fromFile: new Set(), problem: null };
  if (file.status === 'unreadable') return { env, fromFile: new Set(), problem: file.why };
  const merged: Record<string, string | undefined> = { ...env };
  const fromFile = new Set<string>();
  for (const [name, value] of Object.entries(parseEnv(file.text))) {
    const real = env[name];
    // The file lies in the home folder, so it cannot say where that is.
    if ((real !== undefined && real !== '') || name === 'OURO_HOME') continue;
    merged[name] = value;
    fromFile.add(name);
  }
  return { env: merged, fromFile, problem: null };
}
