/**
 * The tool executor: owns the running calls and their locks. Accepts `tool.*` commands; answers each call
 * exactly once through `settle`, and reports `tool.started` and `tool.finished`. Running a call is a port.
 */
import { setup } from 'xstate';
import { ReplyRegistry } from '../messages/channels/oneshot.js';
import type { CallId } from '../messages/ids.js';
import type { ToolCommand, ToolFact, ToolOutcome } from '../messages/tools.js';
import type { CallContext, FinishedCall, Time, ToolBox } from './ports.js';
import {
  EMPTY_SCHEDULE,
  idOf,
  MAX_QUEUED,
  startAnyway,
  park,
  startReady,
  unpark,
  without,
  type Schedule,
  type ScheduledCall,
} from './tool-schedule.js';

type ExecutorEvent =
  ToolCommand | { type: 'tool.ended' | 'tool.park' | 'tool.unpark'; callId: CallId };

export interface ExecutorPorts {
  readonly time: Time;
  readonly tools: ToolBox;
  /** Answers the agent that waits for this call. */
  settle(callId: CallId, outcome: ToolOutcome): void;
  /** Gives a waiting call what it waits for. */
  answer(callId: CallId, outcome: ToolOutcome): void;
  report(fact: ToolFact): void;
  /** A bug in a port: fatal. */
  crash(error: unknown): void;
}

export function executorMachine(ports: ExecutorPorts) {
  const aborts = new Map<CallId, AbortController>();
  /** Calls that wait for their place back. */
  const returning = new ReplyRegistry<CallId, undefined>();
  const executor = setup({
    types: { context: {} as Schedule, events: {} as ExecutorEvent },
  });

  const abort = (which: (scheduled: ScheduledCall) => boolean, schedule: Schedule): void => {
    const begun = [...schedule.running, ...schedule.parked];
    for (const scheduled of begun.filter(which)) aborts.get(idOf(scheduled))?.abort();
  };

  const handle = executor.enqueueActions(({ context, event, enqueue, self }) => {
    const start = (started: readonly ScheduledCall[], cancelled: boolean): void => {
      enqueue(() => {
        for (const scheduled of started) {
          const callId = idOf(scheduled);
          const begun = aborts.get(callId);
          // One that had begun before goes on, or is told to end; the others begin.
          if (cancelled) begun?.abort();
          if (begun !== undefined) returning.settle(callId, undefined);
          else begin(scheduled, cancelled, (type) => self.send({ type, callId }));
        }
      });
    };
    const schedule = (next: Schedule): void => {
      const ready = startReady(next);
      enqueue.assign(ready.schedule);
      start(ready.started, false);
    };
    /** A cancelled call ends at once: it waits neither for a place nor for a lock. */
    const startCancelled = (from: Schedule, which: (scheduled: ScheduledCall) => boolean): void => {
      const { schedule: next, started } = startAnyway(from, which);
      enqueue.assign(next);
      start(started, true);
    };
    const cancel = (which: (scheduled: ScheduledCall) => boolean): void => {
      enqueue(() => abort(which, context));
      startCancelled(context, which);
    };
    switch (event.type) {
      case 'tool.run': {
        const { agent, round, call } = event;
        if (context.queued.length >= MAX_QUEUED) {
          enqueue(() => ports.settle(call.id, OVERLOADED));
          return;
        }
        const plan = ports.tools.plan(agent, call);
        schedule({ ...context, queued: [...context.queued, { agent, round, call, plan }] });
        return;
      }
      case 'tool.ended':
        schedule(without(context, event.callId));
        return;
      case 'tool.park':
        schedule(park(context, event.callId));
        return;
      case 'tool.unpark':
        if (aborts.get(event.callId)?.signal.aborted === true) {
          const { callId } = event;
          startCancelled(unpark(context, callId), (scheduled) => idOf(scheduled) === callId);
        } else schedule(unpark(context, event.callId));
        return;
      case 'tool.answer':
        enqueue(() => ports.answer(event.callId, event.outcome));
        return;
      case 'tool.cancel':
        cancel((scheduled) => idOf(scheduled) === event.callId);
        return;
      case 'tool.cancelAll':
        cancel(({ agent }) => event.agent === null || agent === event.agent);
        return;
    }
  });

  function begin(
    scheduled: ScheduledCall,
    cancelled: boolean,
    tell: (type: 'tool.ended' | 'tool.park' | 'tool.unpark') => void,
  ): void {
    const { agent, round, call, plan } = scheduled;
    const controller = new AbortController();
    aborts.set(call.id, controller);
    if (cancelled) controller.abort();
    const about = { agent, round, callId: call.id, name: call.name };
    const at = ports.time.now();
    ports.report({ type: 'tool.started', ...about, summary: plan.summary, at });
    const context: CallContext = {
      agent,
      round,
      callId: call.id,
      signal: controller.signal,
      parked: async (wait) => {
        tell('tool.park');
        try {
          return await wait();
        } finally {
          const back = returning.ask(call.id);
          tell('tool.unpark');
          await back;
        }
      },
    };
    const finish = ({ outcome, committed }: FinishedCall): Promise<unknown> => {
      aborts.delete(call.id);
      ports.settle(call.id, outcome);
      tell('tool.ended');
      // The world hears of it once it is on disk; a journal that cannot write reports itself.
      return committed.then(
        () => ports.report({ type: 'tool.finished', ...about, outcome, at: ports.time.now() }),
        () => undefined,
      );
    };
    ports.tools
      .run(call, context)
      .then(finish)
      .catch((error: unknown) => ports.crash(error));
  }

  return executor.createMachine({
    id: 'tool-executor',
    context: EMPTY_SCHEDULE,
    on: { 'tool.*': { actions: handle } },
  });
}

export const OVERLOADED: ToolOutcome = {
  status: 'overloaded',
  text: 'Error: too many tool calls are waiting. Nothing was run; ask for fewer calls at once.',
};
