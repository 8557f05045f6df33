/**
 * What makes a process that one and no other (ids are used again, ids with start times are not), and
 * whether it still does anything: a dead process that nobody has collected yet keeps its id but is gone.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

interface ProcessStat {
  readonly isDead: boolean;
  readonly group: number;
  readonly startTime: string;
}

const IS_LINUX = process.platform === 'linux';

/** Positions in /proc/PID/stat, counted from what follows the name. */
const STATE = 0;
const GROUP = 2;
const START_TIME = 19;

/**
 * When it started, in a form that only serves to be compared; null: there is no such process. On Linux it
 * is read before this returns, so that it is known even for a process that ends at once.
 */
export async function startTimeOf(pid: number): Promise<string | null> {
  if (IS_LINUX) return statOf(pid)?.startTime ?? null;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

function statOf(pid: number): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isDead = fields[STATE] === 'Z' || fields[STATE] === 'X';
    return { isDead, group: Number(fields[GROUP]), startTime: fields[START_TIME] ?? '' };
  } catch {
    return null;
  }
}

/**
 * Whether it lives and is the one that started then. `quickly`: for one that was proven to be it a moment ago;
 * where only another program could tell the time, that it lives is enough.
 */
export async function isThatProcess(
  pid: number,
  startTime: string | null,
  how: 'proven' | 'quickly' = 'proven',
): Promise<boolean> {
  if (startTime === null || !oneProcess(pid).lives()) return false;
  return (how === 'quickly' && !IS_LINUX) || (await startTimeOf(pid)) === startTime;
}

/** Something that can be ended: one process or a whole group. */
export interface Endable {
  lives(): boolean;
  signal(name: NodeJS.Signals): void;
}

export const oneProcess = (pid: number): Endable => ({
  lives: () => send(pid, 0) && !(IS_LINUX && statOf(pid)?.isDead === true),
  signal: (name) => void send(pid, name),
});

export const processGroup = (leader: number): Endable => ({
  lives: () => send(-leader, 0) && (!IS_LINUX || hasLivingMember(leader)),
  signal: (name) => void send(-leader, name),
});

function hasLivingMember(leader: number): boolean {
  return readdirSync('/proc').some((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    return stat?.group === leader && !stat.isDead;
  });
}

/** False: gone, or not ours to signal; either way nothing more can be done about it. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
