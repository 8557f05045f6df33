/**
 * The processes of a session whose own process is gone, ended without grace. Promise: only what carries the
 * session in its environment is ended, with the groups that such a process leads or that have lost their
 * leader; never the group of whoever asks.
 */
import { readFileSync, readdirSync } from 'node:fs';
import type { SessionId } from '../../messages/ids.js';

/** The name under which tools' processes carry their session. */
const SESSION_VARIABLE = 'OURO_SESSION';

/** Position of the group in `/proc/PID/stat`, counted after the name, which may hold anything. */
const STAT_GROUP = 2;

/** One that is being ended may start another; a process that outruns this many rounds is not among ours. */
const ROUNDS = 5;

/** How many processes were ended. Where there is no `/proc` nobody can be found: then 0. */
export function killProcessesOf(session: SessionId): number {
  const killed = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = processesOf(session).filter((pid) => !killed.has(pid));
    if (found.length === 0) break;
    for (const pid of found) {
      killed.add(pid);
      for (const target of targetsOf(pid, session)) kill(target);
    }
  }
  return killed.size;
}

function processesOf(session: SessionId): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').map(Number);
  return pids.filter((pid) => pid > 1 && pid !== process.pid && carries(pid, session));
}

/** The process, and its group where all of it is ours to end. */
function targetsOf(pid: number, session: SessionId): number[] {
  const group = groupOf(pid);
  if (group === null || group <= 1 || group === groupOf(process.pid)) return [pid];
  const wholeIsOurs = group === pid || carries(group, session) || groupOf(group) !== group;
  return wholeIsOurs ? [pid, -group] : [pid];
}

function carries(pid: number, session: SessionId): boolean {
  const environment = read(`/proc/${pid}/environ`);
  return environment?.split('\0').includes(`${SESSION_VARIABLE}=${session}`) === true;
}

/** Null: there is no such process. */
function groupOf(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[STAT_GROUP]);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // Most processes are not ours to look into, and some are gone by now.
    return null;
  }
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It ended by itself, or with its group.
  }
}
