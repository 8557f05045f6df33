/** The folder of the package itself, wherever the compiled program lies in it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What node is told to run, here and by other programs. */
export const programFile = (): string => join(packageRoot(), 'bin', 'ouro.js');

export function packageRoot(): string {
  const here = fileURLToPath(import.meta.url);
  let folder = dirname(here);
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${here}`);
    folder = parent;
  }
  return folder;
}
