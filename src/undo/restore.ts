/**
 * Carries out a plan: puts files, links and folders back as they were. A link is never followed. What fails is
 * told, and the rest goes on.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sameState, type FileState } from '../../messages/changes.js';
import { readContent } from './content-store.js';
import { linkAbove, look } from './file-state.js';
import type { Refused, Step } from './plan-undo.js';

/** The owner's own bits: without them nothing can be put into a folder. */
const OWNER = 0o700;

export interface Restored {
  readonly done: readonly string[];
  readonly failed: readonly Refused[];
}

export interface RestorePlace {
  readonly workspace: string;
  /** Where the contents are. */
  readonly dir: string;
}

export function restore(place: RestorePlace, steps: readonly Step[]): Restored {
  const todo = steps.filter(({ now, wanted }) => !sameState(now, wanted));
  const failed = new Map<string, string>();
  for (const [wants, work] of PHASES) {
    const chosen = todo.filter(({ path, now, wanted }) => !failed.has(path) && wants(now, wanted));
    // What a folder holds comes after it, and goes before it.
    chosen.sort((a, b) => depth(a.path) - depth(b.path));
    if (work === removeFolder) chosen.reverse();
    for (const step of chosen) {
      const problem = attempt(() => {
        const link = linkAbove(place.workspace, step.path);
        if (link !== null) throw new Error(`${link} is a link now`);
        work(join(place.workspace, step.path), step, place);
      });
      if (problem !== null) failed.set(step.path, problem);
    }
  }
  return {
    done: steps.map(({ path }) => path).filter((path) => !failed.has(path)),
    failed: [...failed].map(([path, reason]) => ({ path, reason })),
  };
}

type Work = (path: string, step: Step, place: RestorePlace) => void;
type Wants = (now: FileState, wanted: FileState) => boolean;

const isLeaf = ({ kind }: FileState): boolean => kind === 'file' || kind === 'link';

const removeLeaf: Work = (path) => unlinkSync(path);

const removeFolder: Work = (path) => rmdirSync(path);

/** One that is closed to its owner could be neither emptied nor filled. */
const openFolder: Work = (path, { now, wanted }) => {
  const mode = wanted.kind === 'folder' ? wanted.mode : now.kind === 'folder' ? now.mode : 0;
  if (look(path)?.kind === 'folder') chmodSync(path, mode | OWNER);
};

const makeFolder: Work = (path) => void mkdirSync(path, { recursive: true });

const putLeaf: Work = (path, { now, wanted }, { dir }) => {
  if (now.kind === 'file' && wanted.kind === 'file' && now.hash === wanted.hash) {
    if (look(path)?.kind === 'file') chmodSync(path, wanted.mode);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const fresh = join(dirname(path), `.ouro-undo-${randomUUID()}`);
  if (wanted.kind === 'link') symlinkSync(wanted.target, fresh);
  else if (wanted.kind === 'file') writeFresh(fresh, wanted, dir);
  renameSync(fresh, path);
};

const setMode: Work = (path, { wanted }) => {
  if (wanted.kind === 'folder' && look(path)?.kind === 'folder') chmodSync(path, wanted.mode);
};

const PHASES: readonly (readonly [Wants, Work])[] = [
  [(now) => now.kind === 'folder', openFolder],
  [(now, wanted) => isLeaf(now) && !isLeaf(wanted), removeLeaf],
  [(now, wanted) => now.kind === 'folder' && wanted.kind !== 'folder', removeFolder],
  [(now, wanted) => now.kind !== 'folder' && wanted.kind === 'folder', makeFolder],
  [(_, wanted) => isLeaf(wanted), putLeaf],
  [(_, wanted) => wanted.kind === 'folder', setMode],
];

function writeFresh(
  path: string,
  { hash, mode }: Extract<FileState, { kind: 'file' }>,
  dir: string,
): void {
  const content = hash === null ? null : readContent(dir, hash);
  if (content === null) throw new Error('what was kept of it is damaged or gone');
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < content.length;) at += writeSync(fd, content, at);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

const depth = (path: string): number => path.split('/').length;

/** Null: it worked. */
function attempt(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY';
    if (isFull) return 'the folder holds files of somebody else';
    return error instanceof Error ? error.message : String(error);
  }
}
