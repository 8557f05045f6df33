/** Where ouro keeps its own files. Imports nothing heavy: every verb of the command line asks this. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An absolute path: `$OURO_HOME`, else `~/.ouro`. It need not exist. */
export function ouroHome(env: Environment): string {
  const user = env['HOME'] === undefined || env['HOME'] === '' ? homedir() : env['HOME'];
  const wanted = env['OURO_HOME'];
  if (wanted === undefined || wanted === '') return join(user, '.ouro');
  // Unit files and `.env` files pass a tilde on as it stands.
  return wanted.startsWith('~/') ? join(user, wanted.slice(2)) : resolve(wanted);
}

export const userConfigFile = (home: string): string => join(home, 'config.toml');
export const workspaceConfigFile = (workspace: string): string =>
  join(workspace, '.ouro', 'config.toml');
