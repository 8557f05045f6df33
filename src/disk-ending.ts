/** How a session ends that the disk did not let begin. */
import { statfsSync } from 'node:fs';
import type { Ending } from './session/ending.js';
import { diskReason, type DiskReason } from './store/disk-errors.js';
import { PlaceUnusable } from './store/place-unusable.js';
import { sizeText } from './tools/shown.js';

const WHAT_TO_DO: Readonly<Record<DiskReason, string>> = {
  'disk-full': 'Free some space there',
  'read-only': 'Make it writable',
  failed: 'Check the disk and its quota',
};

/** Null: it was not the disk, or another place than the home. */
export function diskEnding(error: unknown, home: string): Ending | null {
  const why = diskReason(error);
  const isElsewhere =
    error instanceof Error &&
    'path' in error &&
    typeof error.path === 'string' &&
    !error.path.startsWith(home);
  if (why === null || isElsewhere) return null;
  const said = messageOf(error);
  const reason =
    `The disk with ${home}, where ouro keeps its sessions, does not take what is written: ${said} ` +
    `(${freeIn(home)}). ${WHAT_TO_DO[why]}, or set OURO_HOME to a folder on another disk. Nothing was ` +
    'started, and nothing was spent.';
  return { status: 'internal_error', reason, text: '' };
}

const messageOf = (error: unknown): string => {
  if (error instanceof PlaceUnusable) return messageOf(error.cause);
  return error instanceof Error ? error.message : String(error);
};

/** For people. */
export function freeIn(folder: string): string {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return `${sizeText(bavail * bsize)} free`;
  } catch {
    return 'how much is free is not known';
  }
}
