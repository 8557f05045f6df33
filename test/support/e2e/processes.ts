/** The processes of one place: all that were started there, and all that those have started. */
import { readFileSync, readdirSync } from 'node:fs';

/** The environment variable that names the place; every process inherits it, the tools' children included. */
export const MARK = 'E2E_PLACE';

export interface LivingProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** Those of the place that live now; [] where there is no `/proc` to look at. */
export const processesOf = ({ root }: { readonly root: string }): readonly LivingProcess[] =>
  processesWith(`${MARK}=${root}`);

/** Those of every place in this folder. */
export const processesBelow = (folder: string): readonly LivingProcess[] =>
  processesWhere((entry) => entry.startsWith(`${MARK}=${folder}/`));

/** Those whose environment has this entry. */
export const processesWith = (wanted: string): readonly LivingProcess[] =>
  processesWhere((entry) => entry === wanted);

function processesWhere(isWanted: (entry: string) => boolean): readonly LivingProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    if (!read(`/proc/${pid}/environ`).split('\0').some(isWanted)) return [];
    return [{ pid, commandLine: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }];
  });
}

/** Most processes are not ours to look into, and some are gone by now. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

export function killQuietly(pid: number, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
