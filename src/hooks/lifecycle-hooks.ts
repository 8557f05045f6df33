/**
 * The hooks at the turning points of a session. Owns what they must remember: what SessionStart said until
 * the first request, and how often in a row each agent was sent back to its work.
 */
import type { LifecycleHooks, LifecycleVerdict, StopVerdict } from '../../actors/ports.js';
import { MAIN_AGENT, type AgentId } from '../../messages/ids.js';
import { beginning } from './beginning.js';
import type { ChainEnd, HookChain, HookMoment } from './hook-chain.js';

/** A hook that is never content must not keep an agent at work, and paying, for ever. */
export const MAX_SENT_BACK = 3;

/** Notifications that run at once; of a storm of them nobody reads more. */
export const MAX_NOTIFICATIONS = 8;

/** Of the model's last words and of other texts in an event. */
const TEXT_CHARS = 10_240;

/** What all that runs at the session's end may take: the result has been told, and somebody waits. */
const END_MS = 10_000;

/** The same after a signal: the process promises to be gone soon. */
const HURRIED_END_MS = 1_000;

export interface SessionHooks extends LifecycleHooks {
  /** SessionStart: what it says, or its block, meets the main agent's first request. */
  begin(source: 'startup' | 'resume', goal: string, signal: AbortSignal): Promise<void>;
  /** Returns at once. One too many is passed over. */
  notify(kind: string, message: string, more?: Readonly<Record<string, unknown>>): void;
  /** Ends the notifications that still run. */
  endAll(): void;
  /** SessionEnd, and a last notification. */
  end(ending: SessionEnding, isHurried: boolean): Promise<void>;
}

export interface SessionEnding {
  readonly status: string;
  readonly exit_code: number;
  readonly reason: string;
  readonly text: string;
}

export function lifecycleHooks(chain: HookChain): SessionHooks {
  const sentBack = new Map<AgentId, number>();
  const stopping = new AbortController();
  let opening: ChainEnd = NOTHING;
  let notifying = 0;

  return {
    async begin(source, goal, signal) {
      const fields = { source, goal: cut(goal) };
      opening = await chain.run(ofSession('SessionStart', fields), signal);
    },
    async preModel({ agent, round, model }, signal) {
      const first = agent === MAIN_AGENT ? opening : NOTHING;
      if (first.kind === 'block') return verdictOf(first);
      const end = await chain.run({ event: 'PreModel', agent, round, fields: { model } }, signal);
      // Otherwise it is still to be said, before the request that is really sent.
      if (end.kind === 'go' && agent === MAIN_AGENT && !signal.aborted) opening = NOTHING;
      return verdictOf(both(first, end));
    },
    async onStop({ agent, round, text, outcome }, signal): Promise<StopVerdict> {
      const before = sentBack.get(agent) ?? 0;
      const event = agent === MAIN_AGENT ? 'Stop' : 'SubagentStop';
      const fields = { outcome, text: cut(text), sent_back: before };
      const end = await chain.run({ event, agent, round, fields }, signal);
      const isOverruled = end.kind === 'block' && before >= MAX_SENT_BACK;
      if (end.kind === 'go' || isOverruled) sentBack.delete(agent);
      else sentBack.set(agent, before + 1);
      return isOverruled ? { decision: 'overruled', reason: end.reason } : verdictOf(end);
    },
    async preCompact({ agent, round, reason }, signal) {
      const moment = { event: 'PreCompact', agent, round, fields: { reason } } as const;
      return verdictOf(await chain.run(moment, signal));
    },
    notify(kind, message, more = {}) {
      if (notifying >= MAX_NOTIFICATIONS || stopping.signal.aborted) return;
      notifying += 1;
      const fields = { kind, message: cut(message), ...more };
      void chain.run(ofSession('Notification', fields), stopping.signal).then(() => {
        notifying -= 1;
      });
    },
    endAll() {
      stopping.abort();
    },
    async end({ status, exit_code, reason, text }, isHurried) {
      const limitMs = isHurried ? HURRIED_END_MS : END_MS;
      const { signal } = new AbortController();
      const fields = { status, exit_code, reason, text: cut(text) };
      const message = `the session has ended: ${reason}`;
      await Promise.all([
        chain.run({ ...ofSession('SessionEnd', fields), limitMs }, signal),
        chain.run(
          { ...ofSession('Notification', { kind: 'end', message, status }), limitMs },
          signal,
        ),
      ]);
    },
  };
}

const NOTHING: ChainEnd = { kind: 'go', input: undefined, message: null };

const cut = (text: string): string => beginning(text, TEXT_CHARS);

const ofSession = (event: HookMoment['event'], fields: HookMoment['fields']): HookMoment => ({
  event,
  agent: MAIN_AGENT,
  round: 0,
  fields,
});

function both(first: ChainEnd, second: ChainEnd): ChainEnd {
  if (first.kind === 'block') return first;
  if (second.kind === 'block' || first.message === null) return second;
  const { message } = second;
  return { ...second, message: message === null ? first.message : `${first.message}\n${message}` };
}

const verdictOf = (end: ChainEnd): LifecycleVerdict =>
  end.kind === 'block'
    ? { decision: 'block', reason: end.reason }
    : { decision: 'go', message: end.message };
