/** Watches one session until it has ended or is held, whatever becomes of its process in the meantime. */
import type { SessionId } from '../../messages/ids.js';
import type { Hold } from '../../messages/pause.js';
import type { RunResult } from '../../messages/result.js';
import { isGuarded } from '../store/guardian-record.js';
import type { ControlClient } from '../control/client.js';
import { reach } from './ask-session.js';
import { endOfResult, howItEnded } from './how-it-ended.js';
import type { SessionEnd } from './how-it-ended.js';
import { isLive, standingSession } from './liveness.js';
import type { Place } from './open-home.js';
import { becomesTrue, rest } from './waiting-time.js';

export type Awaited = 'end' | 'held';

export type Sighting =
  | { readonly kind: 'ended'; readonly end: SessionEnd }
  | { readonly kind: 'held'; readonly holds: readonly Hold[] }
  /** It was called off. */
  | { readonly kind: 'over' };

/** Between two tries to reach a session that is starting, ending or stuck. */
const RETRY_MS = 250;
/** From its goodbye to its end a session only closes its doors. */
const LEAVE_MS = 5_000;
const LOOK_MS = 20;

export async function watchFor(
  what: Awaited,
  id: SessionId,
  place: Place,
  over: AbortSignal,
): Promise<Sighting> {
  for (;;) {
    const session = standingSession(place, id);
    if (session === null) return { kind: 'ended', end: VANISHED };
    if (!session.live) {
      const end = howItEnded(place.home, session);
      if (!comesBack(place.home, id, end)) return { kind: 'ended', end };
    }
    if (over.aborted) return { kind: 'over' };
    if (!session.live) {
      await rest(RETRY_MS, over);
      continue;
    }
    const reached = await reach(session);
    if (!reached.ok) {
      await rest(RETRY_MS, over);
      continue;
    }
    const heard = await listen(what, reached.client, over);
    if (heard?.kind === 'held') return heard;
    if (heard !== null) return endedWith(heard.result, id, place, over);
    await rest(RETRY_MS, over);
  }
}

/** It has crashed, and is about to be started again. */
const comesBack = (home: string, id: SessionId, { status }: SessionEnd): boolean =>
  (status === null || status === 'internal_error') && isGuarded(home, id);

/** It was pruned while it was waited for. */
const VANISHED: SessionEnd = { status: null, exitCode: 1, result: null };

type Heard =
  { readonly kind: 'bye'; readonly result: RunResult | null } | Extract<Sighting, { kind: 'held' }>;

/** Null: the connection ended before anything was heard, or it was called off. */
async function listen(
  what: Awaited,
  client: ControlClient,
  over: AbortSignal,
): Promise<Heard | null> {
  const hangUp = (): void => client.close();
  over.addEventListener('abort', hangUp);
  if (over.aborted) hangUp();
  try {
    const { snapshots, ended } = client.events(what === 'held' ? ['snapshot', 'bye'] : ['bye']);
    if (what === 'held') {
      for await (const { holds } of snapshots) if (holds.length > 0) return { kind: 'held', holds };
    }
    const end = await ended;
    return end.kind === 'bye' ? end : null;
  } finally {
    over.removeEventListener('abort', hangUp);
    client.close();
  }
}

async function endedWith(
  result: RunResult | null,
  id: SessionId,
  place: Place,
  until: AbortSignal,
): Promise<Sighting> {
  await becomesTrue(() => !isLive(place.home, id), { limitMs: LEAVE_MS, everyMs: LOOK_MS, until });
  if (result !== null) return { kind: 'ended', end: endOfResult(result) };
  const session = standingSession(place, id);
  return { kind: 'ended', end: session === null ? VANISHED : howItEnded(place.home, session) };
}
