/**
 * Which calls may run now. Pure: calls that share a lock run one after the other, in the order they came;
 * the rest run side by side up to a cap. A call that waits for something else takes neither a lock nor a
 * place.
 */
import type { ToolCall } from '../messages/conversation.js';
import type { AgentId, CallId } from '../messages/ids.js';
import type { CallPlan } from './ports.js';

/** Calls that run at once: enough for a batch of reads, few enough for a small machine. */
export const MAX_RUNNING = 8;
/** Calls that may wait for their turn; more are refused as `overloaded`. */
export const MAX_QUEUED = 256;

export interface ScheduledCall {
  readonly agent: AgentId;
  readonly round: number;
  readonly call: ToolCall;
  readonly plan: CallPlan;
}

export interface Schedule {
  /** In the order in which they may start. */
  readonly queued: readonly ScheduledCall[];
  readonly running: readonly ScheduledCall[];
  /** Begun, and waiting for something outside: they hold neither a place nor a lock. */
  readonly parked: readonly ScheduledCall[];
}

export const EMPTY_SCHEDULE: Schedule = { queued: [], running: [], parked: [] };

export const idOf = (scheduled: ScheduledCall): CallId => scheduled.call.id;

/** Starts everything that may start. */
export function startReady(schedule: Schedule): { schedule: Schedule; started: ScheduledCall[] } {
  const started: ScheduledCall[] = [];
  const queued: ScheduledCall[] = [];
  const taken = new Set(schedule.running.flatMap(locksOf));
  let places = MAX_RUNNING - schedule.running.filter(({ plan }) => !plan.waits).length;
  for (const next of schedule.queued) {
    const locks = locksOf(next);
    const free = next.plan.waits || (places > 0 && !locks.some((lock) => taken.has(lock)));
    // Also when it has to wait: a later call must not overtake it on the same lock.
    for (const lock of locks) taken.add(lock);
    if (!free) queued.push(next);
    else {
      started.push(next);
      if (!next.plan.waits) places -= 1;
    }
  }
  const running = [...schedule.running, ...started];
  return { schedule: { ...schedule, queued, running }, started };
}

const locksOf = ({ plan }: ScheduledCall): readonly string[] => (plan.waits ? [] : plan.locks);

/** Moves calls from the queue to the running ones without waiting for a place: they end at once. */
export function startAnyway(
  schedule: Schedule,
  which: (scheduled: ScheduledCall) => boolean,
): { schedule: Schedule; started: ScheduledCall[] } {
  const started = schedule.queued.filter(which);
  return {
    schedule: {
      ...schedule,
      queued: schedule.queued.filter((scheduled) => !which(scheduled)),
      running: [...schedule.running, ...started],
    },
    started,
  };
}

export const without = (schedule: Schedule, callId: CallId): Schedule => ({
  ...schedule,
  running: schedule.running.filter((scheduled) => idOf(scheduled) !== callId),
  parked: schedule.parked.filter((scheduled) => idOf(scheduled) !== callId),
});

/** Gives up a running call's place and locks. */
export const park = (schedule: Schedule, callId: CallId): Schedule => {
  const parked = schedule.running.filter((scheduled) => idOf(scheduled) === callId);
  return { ...without(schedule, callId), parked: [...schedule.parked, ...parked] };
};

/** Puts a parked call in front of those that have not begun. */
export const unpark = (schedule: Schedule, callId: CallId): Schedule => {
  const back = schedule.parked.filter((scheduled) => idOf(scheduled) === callId);
  return { ...without(schedule, callId), queued: [...back, ...schedule.queued] };
};
