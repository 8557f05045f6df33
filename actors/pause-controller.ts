/**
 * Owns the set of holds and their deadlines. Accepts `pause.*` commands; after each one the gates agree
 * with the holds before `pause.changed` is reported. A deadline is an absolute time: a hold that is due
 * lifts itself, also when its timer had to be set in pieces or was restored after a restart.
 */
import { setup } from 'xstate';
import type { Millis } from '../messages/ids.js';
import { sessionFact, type JournalFact } from '../messages/journal.js';
import { holdKey, type Hold, type PauseCommand, type PauseFact } from '../messages/pause.js';
import type { Time } from './ports.js';

/** The longest wait a JavaScript timer can hold; longer deadlines are reached in several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type PauseEvent = PauseCommand | { type: 'pause.due'; key: string };

export interface PausePorts {
  readonly time: Time;
  /** Sets the gates: agents see the new holds from now on. */
  publish(holds: readonly Hold[]): void;
  report(fact: PauseFact): void;
  record(facts: readonly JournalFact[]): void;
}

export interface HoldChange {
  readonly holds: readonly Hold[];
  readonly set: readonly Hold[];
  readonly lifted: readonly Hold[];
}

/** Decides what an event does to the holds. No clock of its own: its test is a table. */
export function changeHolds(holds: readonly Hold[], event: PauseEvent, now: Millis): HoldChange {
  switch (event.type) {
    case 'pause.hold': {
      const key = holdKey(event.hold);
      if (holds.some((hold) => isSame(hold, event.hold))) {
        return { holds, set: [], lifted: [] };
      }
      const others = holds.filter((hold) => holdKey(hold) !== key);
      return { holds: [...others, event.hold], set: [event.hold], lifted: [] };
    }
    case 'pause.lift':
      return lift(holds, ({ kind, scope }) => event.kinds.includes(kind) && scope === event.scope);
    case 'pause.due':
      return lift(holds, (hold) => holdKey(hold) === event.key && isDue(hold, now));
    case 'pause.woke':
      return lift(holds, (hold) => isDue(hold, now));
  }
}

const isDue = ({ until }: Hold, now: Millis): boolean => until !== null && until <= now;

/** Nothing that anybody could see or wait for is different. */
const isSame = (a: Hold, b: Hold): boolean =>
  holdKey(a) === holdKey(b) &&
  a.until === b.until &&
  a.reason === b.reason &&
  a.release === b.release;

function lift(holds: readonly Hold[], due: (hold: Hold) => boolean): HoldChange {
  const lifted = holds.filter(due);
  if (lifted.length === 0) return { holds, set: [], lifted };
  return { holds: holds.filter((hold) => !due(hold)), set: [], lifted };
}

const rowsOf = ({ set, lifted }: HoldChange): JournalFact[] => [
  ...set.map((hold) => sessionFact('hold.set', { hold })),
  ...lifted.map(({ kind, scope }) => sessionFact('hold.lifted', { kind, scope })),
];

/** `holds`: those that were in force when the session last ran. */
export function pauseMachine(ports: PausePorts, holds: readonly Hold[] = []) {
  const pause = setup({
    types: { context: {} as { holds: readonly Hold[] }, events: {} as PauseEvent },
  });
  const waitFor = (until: Millis): number =>
    Math.min(Math.max(until - ports.time.now(), 0), LONGEST_TIMER_MS);
  const arm = (hold: Hold & { until: Millis }) =>
    pause.raise(
      { type: 'pause.due', key: holdKey(hold) },
      { id: holdKey(hold), delay: waitFor(hold.until) },
    );

  const handle = pause.enqueueActions(({ context, event, enqueue }) => {
    const now = ports.time.now();
    const change = changeHolds(context.holds, event, now);
    for (const hold of [...change.set, ...change.lifted]) enqueue(pause.cancel(holdKey(hold)));
    for (const hold of change.set.filter(endsByItself)) enqueue(arm(hold));
    if (event.type === 'pause.woke') {
      for (const hold of change.holds.filter(endsByItself)) {
        enqueue(pause.cancel(holdKey(hold)));
        enqueue(arm(hold));
      }
    }
    if (event.type === 'pause.due' && change.lifted.length === 0) {
      const early = context.holds.filter((hold) => holdKey(hold) === event.key);
      for (const hold of early.filter(endsByItself)) enqueue(arm(hold));
      return;
    }
    enqueue.assign({ holds: change.holds });
    enqueue(() => {
      ports.record(rowsOf(change));
      ports.publish(change.holds);
      const action = event.type === 'pause.due' ? undefined : event.action;
      const fact: PauseFact = { type: 'pause.changed', holds: change.holds, at: now };
      ports.report(action === undefined ? fact : { ...fact, action });
    });
  });

  return pause.createMachine({
    id: 'pause-controller',
    context: { holds },
    entry: pause.enqueueActions(({ context, enqueue }) => {
      enqueue(() => ports.publish(context.holds));
      for (const hold of context.holds.filter(endsByItself)) enqueue(arm(hold));
    }),
    on: { 'pause.*': { actions: handle } },
  });
}

const endsByItself = (hold: Hold): hold is Hold & { until: Millis } => hold.until !== null;
