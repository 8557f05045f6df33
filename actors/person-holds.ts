/** The holds that a person's journaled action leaves behind, in case the process died before it acted. */
import type { ActionRequest } from '../messages/actions.js';
import { shortId, type Millis } from '../messages/ids.js';
import { changedSpec, isReleased } from './changed-settings.js';
import { cannotRaise } from './raised-limits.js';
import { holdKey, type Hold, type HoldKind } from '../messages/pause.js';
import type { SessionSpec } from '../messages/session.js';

/** The holds that a person set, and that a plain `resume` lifts. */
export const OWN_HOLDS: readonly HoldKind[] = ['user', 'timer'];

/** The holds that a `resume` lifts which also adds to the limits. */
export const RAISED_HOLDS: readonly HoldKind[] = [...OWN_HOLDS, 'budget'];

/** The holds that want a person to look at what is there; a `resume --force` lifts them. */
export const FORCED_HOLDS: readonly HoldKind[] = ['stuck', 'recovery'];

export const isOwnHold = ({ kind, scope }: Pick<Hold, 'kind' | 'scope'>): boolean =>
  scope === 'session' && OWN_HOLDS.includes(kind);

export type ResumeAction = Extract<ActionRequest, { do: 'resume' }>;

/** The kinds of holds on the session that a `resume` lifts. */
export const liftedBy = ({ add, force = false }: ResumeAction): readonly HoldKind[] => [
  ...(add === undefined ? OWN_HOLDS : RAISED_HOLDS),
  ...(force ? FORCED_HOLDS : []),
];

/** The hold that a pause means. */
export const pauseHold = (
  spec: Pick<SessionSpec, 'id'>,
  since: Millis,
  until: Millis | null,
): Hold => ({
  kind: until === null ? 'user' : 'timer',
  scope: 'session',
  since,
  until,
  reason: 'paused by a person',
  release: `ouro resume ${shortId(spec.id)}`,
});

export function applyHoldAction(
  holds: readonly Hold[],
  action: ActionRequest,
  at: Millis,
  spec: SessionSpec | null,
): readonly Hold[] {
  switch (action.do) {
    case 'pause':
    case 'interrupt': {
      if (spec === null) return holds;
      const hold = pauseHold(spec, at, action.do === 'pause' ? action.until : null);
      return [...holds.filter((other) => holdKey(other) !== holdKey(hold)), hold];
    }
    case 'resume': {
      const { add } = action;
      if (add !== undefined && (spec === null || cannotRaise(spec, add) !== null)) return holds;
      const kinds = liftedBy(action);
      return holds.filter(({ kind, scope }) => scope !== 'session' || !kinds.includes(kind));
    }
    case 'set': {
      if (spec === null) return holds;
      const next = changedSpec(spec, action.change);
      return holds.filter((hold) => !isReleased(hold, spec, next));
    }
    case 'send':
    case 'answer':
    case 'approve':
    case 'deny':
    case 'stop':
      return holds;
  }
}
