/** `.ouro`, the one folder that is ours in a workspace: it must not show up in anybody's repository. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '.ouro';
const IGNORE_FILE = '.gitignore';

/** Once the folder is there, whoever made it. Not being able to write it costs nothing but tidiness. */
export function keepOutOfGit(workspace: string): void {
  const folder = join(workspace, FOLDER);
  const file = join(folder, IGNORE_FILE);
  if (!existsSync(folder) || existsSync(file)) return;
  try {
    writeFileSync(file, '*\n', { flag: 'wx' });
  } catch {
    // Somebody else was faster, or nothing can be written there.
  }
}
