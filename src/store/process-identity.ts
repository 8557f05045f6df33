/**
 * Tells one process from a later one with the same number. A pid is used again sooner or later; together
 * with its start time and the boot it belongs to it is not.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** In whatever unit the system counts; only good for comparing. */
  readonly startTime: string;
  readonly bootId: string;
}

/** Positions in `/proc/PID/stat`, counted after the name, which may hold anything. */
const STAT_STATE = 0;
const STAT_START_TIME = 19;

/** Null: there is no such process, or it has ended and only waits to be collected. */
export function identityOf(pid: number): ProcessIdentity | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const startTime = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return startTime === null ? null : { pid, startTime, bootId: bootId() };
}

/** Whether that very process is still running. */
export function isSameProcess(identity: ProcessIdentity): boolean {
  const now = identityOf(identity.pid);
  return now?.startTime === identity.startTime && now.bootId === identity.bootId;
}

/** Whether somebody has stopped it (SIGSTOP, a debugger), so that it does nothing until it is told to go on. */
export function isHalted(pid: number): boolean {
  const state =
    process.platform === 'linux'
      ? (statOf(pid)[STAT_STATE] ?? '')
      : (ask('ps', ['-o', 'stat=', '-p', String(pid)]) ?? '');
  return /^[Tt]/.test(state);
}

/** What stands behind the name; empty: there is no such process. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function startFromProc(pid: number): string | null {
  const fields = statOf(pid);
  if (/^[ZX]/.test(fields[STAT_STATE] ?? 'X')) return null;
  return fields[STAT_START_TIME] ?? null;
}

function startFromPs(pid: number): string | null {
  const line = ask('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
  const found = /^(\S+)\s+(\S.*)$/.exec(line ?? '');
  return found === null || found[1]?.startsWith('Z') === true ? null : (found[2] ?? null);
}

let knownBoot: string | null = null;

function bootId(): string {
  knownBoot ??=
    process.platform === 'linux'
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
      : (ask('sysctl', ['-n', 'kern.bootsessionuuid']) ?? '');
  return knownBoot;
}

/** Null: the program failed, which for `ps` means that nothing matched. */
function ask(program: string, args: readonly string[]): string | null {
  try {
    // The zone and language decide how `ps` writes a date; two askers must get the same text.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const text = execFileSync(program, args, { encoding: 'utf8', env, stdio: 'pipe' }).trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
}
