/**
 * `sleep`: waits for a time, an event or a person, without costing anything. Whoever keeps the clock and the
 * agents is asked to wait; processes and paths are watched here.
 */
import { z } from 'zod';
import type { CallContext, Time } from '../../actors/ports.js';
import type { AgentId, CallId, Millis } from '../../messages/ids.js';
import type { WaitedEvent, WaitRequest, WakeReason } from '../../messages/sleeps.js';
import { endText } from './background-program.js';
import type { BackgroundProcesses } from './background-processes.js';
import { done, failed } from './outcomes.js';
import { pathChange } from './path-change.js';
import { shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

/** Must not reject; resolves soon after the signal aborts: `shutdown`, or `cancelled`. */
export type Wait = (request: WaitRequest, context: CallContext) => Promise<WakeReason>;

export interface SleepParts {
  readonly wait: Wait;
  /** When the call began in an earlier run of the process; null: it is new. */
  readonly begunAt: (callId: CallId) => Millis | null;
  readonly time: Time;
  /** Null: there are no background processes. */
  readonly background: BackgroundProcesses | null;
}

/** A day: whoever needs more is better started again. */
const MAX_SECONDS = 24 * 60 * 60;

/** An event that does not come within this has usually been missed. */
const EVENT_SECONDS = 60 * 60;

const EVENTS = ['agent_id', 'process_id', 'path'] as const;

const schema = z
  .strictObject({
    mode: z.enum(['timer', 'event', 'manual']),
    seconds: z.int().min(1).max(MAX_SECONDS).optional(),
    agent_id: z.string().min(1).optional(),
    process_id: z.string().min(1).optional(),
    path: z.string().min(1).optional(),
  })
  .superRefine((args, issues) => {
    const named = EVENTS.filter((name) => args[name] !== undefined);
    if (args.mode === 'timer' && args.seconds === undefined) {
      issues.addIssue({ code: 'custom', path: ['seconds'], message: 'a timer needs it' });
    }
    if (args.mode === 'event' && named.length !== 1) {
      issues.addIssue({ code: 'custom', message: `an event needs one of ${EVENTS.join(', ')}` });
    }
    if (args.mode !== 'event' && named.length > 0) {
      issues.addIssue({ code: 'custom', path: [named[0] ?? ''], message: 'only an event has it' });
    }
  });
type Args = z.output<typeof schema>;

export const sleepTool = (parts: SleepParts): Tool =>
  defineTool({
    name: 'sleep',
    description: 'Wait for a time, an event or (manual) a person.',
    effect: 'none',
    waits: true,
    schema,
    path: ({ path }) => (path === undefined ? null : { path, access: 'read' }),
    about: ({ mode, seconds, ...events }) =>
      [mode, ...Object.values(events), seconds === undefined ? '' : `${seconds}s`].join(' '),
    execute: (args, run) => sleepUntilWoken(parts, args, run),
  });

async function sleepUntilWoken(
  { wait, begunAt, time, background }: SleepParts,
  args: Args,
  run: ToolRun,
): Promise<ToolResult> {
  const process = args.process_id === undefined ? null : background?.find(args.process_id);
  if (process === undefined || (args.process_id !== undefined && process === null)) {
    const name = shown(args.process_id ?? '');
    return failed(`there is no background process '${name}'. process_list shows those there are.`);
  }
  const earlier = begunAt(run.callId);
  const since = earlier ?? time.now();
  // Whichever comes first ends the waiting for the other.
  const over = new AbortController();
  const signal = AbortSignal.any([run.signal, over.signal]);
  const asked = wait(requestOf(args, run, since), { ...run, signal });
  const ends: Promise<WakeReason>[] = [asked];
  if (process) ends.push(process.ended.then(() => 'process_ended'));
  if (args.path !== undefined) {
    const changed = pathChange(run.target.real, earlier, signal);
    ends.push(changed.then(() => (signal.aborted ? asked : 'path_changed')));
  }
  const reason = await Promise.race(ends);
  over.abort();
  if (reason === 'cancelled') return { status: 'stopped', text: '' };
  const slept = ((time.now() - since) / 1000).toFixed(1);
  const how = process?.end ? `\n${process.id} ${endText(process.end)}.` : '';
  const advice = reason === 'nobody_there' ? `\n${NOBODY_THERE}` : '';
  return done(`[Sleep ended. Reason: ${reason}. You slept for ${slept}s]${how}${advice}`);
}

const NOBODY_THERE =
  'In this run nobody can wake you: wait for a time or an event, decide yourself, or submit as blocked.';

function requestOf(args: Args, { target }: ToolRun, since: Millis): WaitRequest {
  const { mode, seconds = EVENT_SECONDS } = args;
  const until = since + seconds * 1000;
  switch (mode) {
    case 'manual':
      return { mode, since };
    case 'timer':
      return { mode, since, until };
    case 'event':
      return { mode, event: eventOf(args, target.relative), since, until };
  }
}

function eventOf({ agent_id, process_id }: Args, path: string): WaitedEvent {
  if (agent_id !== undefined) return { kind: 'agent', agent: agent_id as AgentId };
  if (process_id !== undefined) return { kind: 'process', id: process_id };
  return { kind: 'path', path };
}
