/**
 * How a command is started that outlives this process: below a small shell in a group of its own, which writes
 * what the command prints into a file and keeps that file within bounds, whether or not anybody is there to
 * look. When the command has ended, its exit code is in a file beside it.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Launch } from '../../actors/ports.js';
import { SPILL_CAP } from './spill-file.js';

export interface KeptFiles {
  /** What it prints. */
  readonly output: string;
  /** Its exit code, as soon as it has ended. */
  readonly exit: string;
}

/** By the id of the process, in every run of the session. */
export function keptFiles(spillDir: string, id: string): KeptFiles {
  const file = join(spillDir, `process-${id.replace(/[^\w-]/g, '_')}`);
  return { output: `${file}.txt`, exit: `${file}.exit` };
}

/** In one piece from the command's pipe to the file: what a pipe of Linux holds. */
const PIECE_BYTES = 64 * 1024;

/** Pieces between two looks at the file's length: by so much, 32 MB at most, it may be longer than the cap. */
const PIECES = 512;

/** Kept of a file that has reached the cap: the last hours of most servers, and quickly copied. */
const KEPT_BYTES = 8 * 1024 * 1024;

const DROPPED = '[earlier output was dropped: the file had reached its limit]';

/**
 * The right side is the only one that writes the file, so that nothing is lost or overtaken when it is
 * shortened; a command that prints faster than that waits. It outlives a TERM to the group, because the command
 * may have last words. A disk that takes no more costs the file, not the command. `dd` alone passes on what
 * comes without waiting for more, on every system.
 */
const SCRIPT = `out=$1 exit=$2
shift 2
{
  "$@"
  code=$?
  (umask 077; printf %s "$code" >"$exit.new" && mv "$exit.new" "$exit")
} 2>&1 | {
  trap '' TERM INT HUP
  umask 077
  PATH=/usr/bin:/bin:$PATH
  while before=$(wc -c <"$out") && dd bs=${PIECE_BYTES} count=${PIECES} 2>/dev/null >>"$out"; do
    after=$(wc -c <"$out")
    [ $after -gt $before ] || break
    [ $after -lt ${SPILL_CAP} ] || {
      { echo '${DROPPED}'; tail -c ${KEPT_BYTES} "$out"; } >"$out.new" && mv "$out.new" "$out"
    }
  done
  cat >/dev/null
}`;

export function keptLaunch(launch: Launch, { output, exit }: KeptFiles): Launch {
  const { file, args, cwd, env } = launch;
  return {
    file: '/bin/sh',
    args: ['-c', SCRIPT, 'ouro-kept', output, exit, file, ...args],
    cwd,
    env,
  };
}

/** Makes the file for its output, empty; throws what the disk says. */
export function prepare({ output, exit }: KeptFiles): void {
  mkdirSync(dirname(output), { recursive: true, mode: 0o700 });
  rmSync(exit, { force: true });
  closeSync(openSync(output, 'w', 0o600));
}

/** Null: it has not ended by itself. */
export function exitCodeIn({ exit }: KeptFiles): number | null {
  try {
    return Number(readFileSync(exit, 'latin1'));
  } catch {
    return null;
  }
}
