/** `ouro sessions prune`: removes what is over `[retention]`, oldest first; never what runs or has a tag. */
import type { SessionId } from '../../messages/ids.js';
import { plural } from '../../tui/text/amounts.js';
import { beyondRetention, type OverLimit } from '../store/retention.js';
import { removeSession } from '../store/session-folder.js';
import { tagsOf } from '../store/session-labels.js';
import { isLive, listSessions } from './liveness.js';
import { killProcessesOf } from './session-processes.js';
import { withIndex } from './open-home.js';
import { sizeText, taggedLine, taggedSession, type TaggedSession } from './tagged-sessions.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';
import { dropWorktree, worktreeOf } from './worktree-removal.js';

export interface PruneOptions {
  /** Says what would be removed, and removes nothing. */
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const WHY: Readonly<Record<OverLimit, string>> = {
  age: 'older than retention.days',
  number: 'beyond retention.per_workspace',
  size: 'beyond retention.max_bytes',
};

interface Pruned {
  readonly id: SessionId;
  readonly why: OverLimit;
  readonly one: TaggedSession;
  /** What became of its worktree; left out: it had none, or nothing was removed. */
  readonly worktree?: string;
}

export const sessionsPrune = (options: PruneOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    // Only here is a configuration needed.
    const { failAsConfig, readConfig } = await import('./read-config.js');
    const read = await readConfig({}, context);
    if (!read.ok) return output.fail(read.failure);
    if (!read.loaded.ok) return failAsConfig(output, read.loaded);
    const { retention } = read.loaded.config;
    const { dryRun = false } = options;
    const all = listSessions(context, { all: true }).map((one) => taggedSession(context.home, one));
    const over = chosenOf(all, retention, context.now());
    const removed = dryRun ? over : await removeAll(over, context);
    for (const { one, why, worktree = '' } of removed)
      output.line(`${taggedLine(one, context.now())}  (${WHY[why]})${worktree}`);
    const bytes = removed.reduce((sum, { one }) => sum + one.bytes, 0);
    const what = `${plural(removed.length, 'session')}, ${sizeText(bytes)}`;
    output.line(
      `${dryRun ? 'would remove' : 'removed'} ${what}; kept ${all.length - removed.length}`,
    );
    output.data({
      ok: true,
      dry_run: dryRun,
      retention: {
        days: retention.days,
        per_workspace: retention.perWorkspace,
        max_bytes: retention.maxBytes,
      },
      sessions: removed.map(({ id, why, one }) => ({ id, why, bytes: one.bytes })),
      bytes,
      kept: all.length - removed.length,
    });
    return EXIT_DONE;
  });

function chosenOf(
  all: readonly TaggedSession[],
  limits: Parameters<typeof beyondRetention>[1],
  now: number,
): readonly Pruned[] {
  const byId = new Map(all.map((one) => [one.session.id, one]));
  const sessions = all.map(({ session, tags, bytes }) => ({
    id: session.id,
    workspace: session.workspace,
    updatedAt: session.updatedAt,
    bytes,
    isKept: session.live || tags.length > 0,
  }));
  return beyondRetention(sessions, limits, now).flatMap(({ id, why }) => {
    const one = byId.get(id);
    return one === undefined ? [] : [{ id, why, one }];
  });
}

async function removeAll(over: readonly Pruned[], context: VerbContext): Promise<Pruned[]> {
  const removed: Pruned[] = [];
  for (const one of over) {
    const worktree = worktreeOf(context, one.id);
    if (!remove(one.id, context)) continue;
    const dropped = worktree === null ? null : await dropWorktree(worktree, context);
    removed.push(dropped === null ? one : { ...one, worktree: `; ${dropped.text}` });
  }
  return removed;
}

/** It may have been started or tagged since it was looked at. */
function remove(id: SessionId, context: VerbContext): boolean {
  if (isLive(context.home, id) || tagsOf(context.home, id).length > 0) return false;
  if (!withIndex(context, false, (index) => removeSession(context.home, index, id))) return false;
  // Where nobody is left to adopt it, nothing lives on.
  killProcessesOf(id);
  return true;
}
