/** The folder in which each agent's next command starts: where its last one ended. */
import { statSync } from 'node:fs';
import type { AgentId } from '../../messages/ids.js';

export class ShellFolders {
  readonly #workspace: string;
  readonly #folders = new Map<AgentId, string>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** The workspace again when the folder is gone. */
  current(agent: AgentId): string {
    const folder = this.#folders.get(agent);
    return folder !== undefined && isFolder(folder) ? folder : this.#workspace;
  }

  /** `said` is what the shell printed; anything but a real folder is ignored. */
  moved(agent: AgentId, said: string): void {
    const folder = said.replace(/\n$/, '');
    if (folder.startsWith('/') && isFolder(folder)) this.#folders.set(agent, folder);
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
