/**
 * In which order the calls of one answer may run. They run side by side, except those that name others with
 * `depends_on`: positions in the answer, from 1. Such a call begins when those have succeeded; when one of
 * them has not, it is answered without having been run.
 */
import type { ToolCall } from '../messages/conversation.js';
import type { CallId } from '../messages/ids.js';
import type { ToolOutcome } from '../messages/tools.js';

const DEPENDS_ON = 'depends_on';

export interface OrderedCall {
  /** As it is to be run: what orders calls is no argument of the tool. */
  readonly call: ToolCall;
  readonly after: readonly CallId[];
  /** Why it cannot be run; null: it can. */
  readonly fault: string | null;
}

export function inOrder(batch: readonly ToolCall[]): readonly OrderedCall[] {
  const named = batch.map((call) => positionsOf(call, batch.length));
  return batch.map((call, i) => {
    const positions = named[i] ?? null;
    const isFaulty = positions === null || leadsBack(i, named);
    return {
      call: withoutOrder(call),
      after: isFaulty ? [] : positions.flatMap((at) => batch[at]?.id ?? []),
      fault: isFaulty ? FAULT : null,
    };
  });
}

const FAULT = `Error: ${DEPENDS_ON} names other calls of the same answer by their position, from 1, and never in a circle. The call was not run.`;

/** Null: not what it should be. */
function positionsOf({ args }: ToolCall, count: number): readonly number[] | null {
  const value = (args as Readonly<Record<string, unknown>> | null)?.[DEPENDS_ON];
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const positions = list.map((item) => Number(item) - 1);
  return positions.every((at) => Number.isInteger(at) && at >= 0 && at < count) ? positions : null;
}

function leadsBack(from: number, named: readonly (readonly number[] | null)[]): boolean {
  const seen = new Set<number>();
  const open = [...(named[from] ?? [])];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === from) return true;
    if (!seen.has(at)) open.push(...(named[at] ?? []));
    seen.add(at);
  }
  return false;
}

function withoutOrder(call: ToolCall): ToolCall {
  const args = call.args as Readonly<Record<string, unknown>> | null;
  if (args === null || typeof args !== 'object' || !Object.hasOwn(args, DEPENDS_ON)) return call;
  const own = Object.entries(args).filter(([name]) => name !== DEPENDS_ON);
  return { ...call, args: Object.fromEntries(own) };
}

export const badOrder = (fault: string): ToolOutcome => ({
  status: 'failed',
  reason: 'bad-args',
  text: fault,
});

export const notRun = (before: ToolCall): ToolOutcome => ({
  status: 'cancelled',
  text: `Not run: it depends on ${before.name}, which did not succeed.`,
});
