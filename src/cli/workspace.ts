/** The folder a session works in: it must exist, and must not be one that nobody means to hand over. */
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve, sep } from 'node:path';

export type FoundWorkspace =
  | { readonly ok: true; readonly workspace: string }
  | { readonly ok: false; readonly reason: string };

/** `named`: with `-C`, which also lifts the refusal of far-reaching folders. */
export function findWorkspace(
  named: string | undefined,
  cwd: string,
  home: string,
): FoundWorkspace {
  const path = resolve(cwd, named ?? '.');
  let workspace: string;
  try {
    workspace = realpathSync(path);
    if (!statSync(workspace).isDirectory()) {
      return { ok: false, reason: `The workspace ${path} is not a folder.` };
    }
  } catch {
    return {
      ok: false,
      reason: `The workspace ${path} does not exist. Create it, or name another with -C.`,
    };
  }
  const danger = named === undefined ? dangerOf(workspace, home) : null;
  if (danger === null) return { ok: true, workspace };
  return {
    ok: false,
    reason: `${workspace} is ${danger}: an agent could change everything in it. Go to a project folder, or name it with -C if you mean it.`,
  };
}

function dangerOf(workspace: string, home: string): string | null {
  if (workspace === '/') return 'the root of the file system';
  if (workspace === realOf(homedir())) return 'your home folder';
  const inside = `${realOf(home)}${sep}`.startsWith(`${workspace}${sep}`);
  return inside ? 'the folder that holds the sessions of ouro' : null;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
