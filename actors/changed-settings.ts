/** What it means that a person changes settings of a session. Pure: the live state and the fold share it. */
import { NO_BUDGET } from '../messages/budget.js';
import type { Hold } from '../messages/pause.js';
import type { SessionSpec } from '../messages/session.js';
import type { SettingsChange } from '../messages/settings-change.js';

/** The same object where nothing is another than it was. */
export function changedSpec(spec: SessionSpec, change: SettingsChange): SessionSpec {
  const next: SessionSpec = {
    ...spec,
    ...(change.name === undefined ? {} : { name: change.name, named: true }),
    model: change.model ?? spec.model,
    ...fallbackOf(spec, change),
    permissions: { ...spec.permissions, mode: change.permissionMode ?? spec.permissions.mode },
    limits: {
      maxRounds: otherwise(change.maxRounds, spec.limits.maxRounds),
      maxTimeMs: otherwise(change.maxTimeMs, spec.limits.maxTimeMs),
    },
    ...budgetOf(spec, change),
  };
  return isSame(spec, next) ? spec : next;
}

const otherwise = (wanted: number | null | undefined, present: number | null): number | null =>
  wanted === undefined ? present : wanted;

const fallbackOf = (
  spec: SessionSpec,
  { fallback }: SettingsChange,
): Pick<SessionSpec, 'fallback'> =>
  fallback === undefined || (fallback.length === 0 && spec.fallback === undefined)
    ? {}
    : { fallback };

function budgetOf(
  { budget = NO_BUDGET }: SessionSpec,
  { maxCost, maxTokens }: SettingsChange,
): Pick<SessionSpec, 'budget'> {
  if (maxCost === undefined && maxTokens === undefined) return {};
  const sessionUsd = otherwise(maxCost, budget.sessionUsd);
  const sessionTokens = otherwise(maxTokens, budget.sessionTokens);
  return { budget: { ...budget, sessionUsd, sessionTokens } };
}

function isSame(before: SessionSpec, after: SessionSpec): boolean {
  const essence = ({ budget = NO_BUDGET, fallback = [], ...spec }: SessionSpec): string =>
    JSON.stringify([
      spec.name,
      // A name that somebody gave stays, whatever title comes.
      spec.named !== false,
      spec.model,
      fallback,
      spec.permissions.mode,
      spec.limits.maxRounds,
      spec.limits.maxTimeMs,
      budget.sessionUsd,
      budget.sessionTokens,
    ]);
  return essence(before) === essence(after);
}

/** A hold for a limit that is higher now, or gone. A limit that is reached all the same holds it again. */
export function isReleased(hold: Hold, before: SessionSpec, after: SessionSpec): boolean {
  if (hold.kind !== 'budget' || hold.scope !== 'session') return false;
  switch (hold.limit) {
    case 'usd':
      return isHigher(before.budget?.sessionUsd, after.budget?.sessionUsd);
    case 'tokens':
      return isHigher(before.budget?.sessionTokens, after.budget?.sessionTokens);
    case 'time':
      return isHigher(before.limits.maxTimeMs, after.limits.maxTimeMs);
    // Set by a program that did not say for which limit.
    default:
      return (['usd', 'tokens', 'time'] as const).some((limit) =>
        isReleased({ ...hold, limit }, before, after),
      );
  }
}

const isHigher = (before: number | null | undefined, after: number | null | undefined): boolean =>
  (after ?? Infinity) > (before ?? Infinity);

/** A name that a person gave stays. */
export const titledSpec = (spec: SessionSpec, title: string | null): SessionSpec =>
  title === null || spec.named !== false ? spec : { ...spec, name: title, named: true };
