/** The folders beside the workspace that flags and configuration give to a session, as its spec keeps them. */
import type { LoadedConfig } from '../../config/load.js';
import type { SessionSpec } from '../../messages/session.js';
import { findFolders, type FolderPlace } from '../session-folders.js';

export type FurtherFolders =
  | { readonly ok: true; readonly folders: Pick<SessionSpec, 'addDirs' | 'readDirs'> }
  /** With the place where the folder was named. */
  | { readonly ok: false; readonly reason: string };

/** A folder for writing is one for reading too. */
export function foldersOf(
  { config, origins }: Extract<LoadedConfig, { ok: true }>,
  place: FolderPlace,
): FurtherFolders {
  const added = findFolders(config.tools.addDirs, place);
  if (!added.ok) return { ok: false, reason: at(origins['tools.add_dirs'], added.reason) };
  const readable = findFolders(config.tools.readDirs, place);
  if (!readable.ok) return { ok: false, reason: at(origins['tools.read_dirs'], readable.reason) };
  const { folders: addDirs } = added;
  const { folders: readDirs } = readable;
  return {
    ok: true,
    folders: {
      ...(addDirs.length === 0 ? {} : { addDirs }),
      ...(readDirs.length === 0 ? {} : { readDirs }),
    },
  };
}

const at = (origin: string | undefined, reason: string): string =>
  origin === undefined ? reason : `${origin}: ${reason}`;
