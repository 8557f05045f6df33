/**
 * What the kernel says of a process: memory, processor time, bytes written. Linux only; elsewhere, and once
 * the process is gone, there is nothing to read and the answer is null.
 */
import { readFileSync, readdirSync } from 'node:fs';

export interface ProcessFigures {
  readonly rssBytes: number;
  readonly cpuMs: number;
  /** Bytes that were, or will be, written to disk for it. */
  readonly writtenBytes: number;
}

/** A tick of `/proc/PID/stat`; the same on every Linux that Node runs on. */
const TICK_MS = 10;

/** Fields of `/proc/PID/stat`, counted behind the name, which may hold anything. */
const STAT_UTIME = 11;
const STAT_STIME = 12;

export const HAS_PROC = process.platform === 'linux';
export const NO_PROC = 'needs /proc, which only Linux has';

export function processFigures(pid: number): ProcessFigures | null {
  if (!HAS_PROC) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[STAT_UTIME]) + Number(fields[STAT_STIME]);
    return {
      rssBytes: 1024 * numberAfter('VmRSS:', readFileSync(`/proc/${pid}/status`, 'latin1')),
      cpuMs: ticks * TICK_MS,
      writtenBytes: numberAfter('\nwrite_bytes:', readFileSync(`/proc/${pid}/io`, 'latin1')),
    };
  } catch {
    return null;
  }
}

/** Processor time of the threads that live, in nanoseconds: fine enough for a process that does nothing. */
export function fineCpuNs(pid: number): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'))
      .reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
  } catch {
    return null;
  }
}

function numberAfter(label: string, text: string): number {
  const start = text.indexOf(label);
  return start < 0 ? 0 : Number.parseInt(text.slice(start + label.length), 10);
}
