/**
 * What undoing would do, decided before anything is touched: what is put back, what somebody else has changed
 * since and is left alone, and what was not kept.
 */
import { join } from 'node:path';
import { sameState, type FileState } from '../../messages/changes.js';
import { linkAbove, NOTHING, stateNow, type Found } from './file-state.js';
import type { NetChange } from './history.js';

export interface Step {
  readonly path: string;
  readonly now: FileState;
  readonly wanted: FileState;
}

export interface Refused {
  readonly path: string;
  readonly reason: string;
}

export interface UndoPlan {
  /** To be put back; those that are as wanted already have nothing to do. */
  readonly steps: readonly Step[];
  readonly conflicts: readonly Refused[];
  readonly notKept: readonly Refused[];
}

export function planUndo(workspace: string, changes: readonly NetChange[]): UndoPlan {
  const steps: Step[] = [];
  const conflicts: Refused[] = [];
  const notKept: Refused[] = [];
  const ownLinks = new Set(
    changes.filter(({ before, after }) => isOwnLink(before, after)).map(({ path }) => path),
  );
  for (const change of changes) {
    const { path, before } = change;
    const link = linkAbove(workspace, path);
    const now = link === null ? stateNow(join(workspace, path), sizeOf(change)) : NOTHING;
    const why = reasonNotKept(change);
    const inTheWay = link === null || ownLinks.has(link) ? null : `${link} is a link now`;
    const objection = inTheWay ?? conflictOf(change, now);
    if (sameState(now.state, before)) steps.push({ path, now: now.state, wanted: before });
    else if (why !== null) notKept.push({ path, reason: why });
    else if (objection !== null) conflicts.push({ path, reason: objection });
    else steps.push({ path, now: now.state, wanted: before });
  }
  return { steps, conflicts, notKept };
}

/** It goes when the rest is put back. */
const isOwnLink = (before: FileState, after: FileState): boolean =>
  before.kind !== 'link' && after.kind === 'link';

/** A larger file is none of those that are known by their content, so it need not be read. */
const sizeOf = ({ before, after }: NetChange): number =>
  Math.max(
    ...[before, after].map((state) => (state.kind === 'file' && state.hash ? state.size : 0)),
  );

function reasonNotKept({ before, after }: NetChange): string | null {
  if (before.kind === 'other') return 'it was a socket, a pipe or a device';
  if (after.kind === 'other') return 'it is a socket, a pipe or a device';
  if (before.kind !== 'file' || before.hash !== null) return null;
  switch (before.notKept) {
    case 'too-large':
      return 'its content was not kept: it is larger than undo.max_file_bytes';
    case 'full':
      return 'its content was not kept: undo.max_session_bytes was reached';
    default:
      return 'its content was not kept: it could not be read';
  }
}

function conflictOf({ after, isBroken }: NetChange, now: Found): string | null {
  if (isBroken) return 'somebody else changed it between two changes of the session';
  if (isLeft(after, now)) return null;
  return now.state.kind === 'none'
    ? 'somebody else removed it since'
    : 'somebody else changed it since';
}

/** Content that was not kept is known again by its stamp. */
const isLeft = (left: FileState, { state, stamp }: Found): boolean =>
  left.kind === 'file' && left.hash === null
    ? state.kind === 'file' && left.stamp === stamp
    : sameState(left, state);
