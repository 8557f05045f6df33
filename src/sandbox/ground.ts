/**
 * What a sandbox is built for: settled once, when the session starts. Folders that do not exist are left
 * out; everything else is a real path, because a mount or a rule for a link would say nothing about what it
 * leads to.
 */
import { lstatSync, mkdirSync, closeSync, openSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface SandboxRequest {
  readonly network: boolean;
  readonly workspace: string;
  readonly addDirs: readonly string[];
  readonly ouroHome: string;
  /** The session's own; made here when it is missing, with access for nobody else. */
  readonly tempDir: string;
  /** The person's: it says where the home folder, the agents' sockets and the programs are. */
  readonly env: NodeJS.ProcessEnv;
}

export interface Ground {
  readonly network: boolean;
  readonly workspace: string;
  /** The workspace and the folders added to it. */
  readonly roots: readonly string[];
  readonly ouroHome: string;
  readonly home: string;
  /** What commands find as `/tmp`. */
  readonly temp: string;
  /** A file without content, which commands find in the place of a hidden one. */
  readonly empty: string;
  readonly programFolders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Throws what the file system says when the temporary folder cannot be made. */
export function groundOf(request: SandboxRequest): Ground {
  const { network, env, tempDir } = request;
  mkdirSync(tempDir, { recursive: true, mode: 0o700 });
  const own = realpathSync.native(tempDir);
  const temp = join(own, 'tmp');
  mkdirSync(temp, { recursive: true, mode: 0o700 });
  const empty = join(own, 'empty');
  closeSync(openSync(empty, 'a', 0o600));
  const roots = [request.workspace, ...request.addDirs].flatMap((folder) => realPath(folder) ?? []);
  return {
    network,
    workspace: realPath(request.workspace) ?? request.workspace,
    roots,
    ouroHome: realPath(request.ouroHome) ?? request.ouroHome,
    home: realPath(env['HOME'] ?? homedir()) ?? homedir(),
    temp,
    empty,
    programFolders: (env['PATH'] ?? '').split(delimiter).filter((path) => path.startsWith('/')),
    env,
  };
}

/** Null: it does not exist, or not for us. */
export function realPath(path: string): string | null {
  try {
    return exists(path) ? realpathSync.native(path) : null;
  } catch {
    return null;
  }
}

/** Null: it does not exist, or not for us. Follows links. */
export function kindOf(path: string): 'folder' | 'file' | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    return found.isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

/** Asked before anything that would throw: most of what is looked for is not there, and errors are slow. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
