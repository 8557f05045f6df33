/** Rows of a session, call by call, as the agent loop and the dispatcher write them. */
import type { AgentId, CallId } from '../../messages/ids.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { MAIN, okOutcome, specOf, usageOf } from '../support/session-samples.js';

export const started = sessionFact('session.started', {
  spec: specOf({ workspace: '/home/me/space' }),
  version: '1',
  pid: 1,
});

export interface MadeCall {
  readonly name: string;
  readonly args?: unknown;
  /** Default: it went well. */
  readonly outcome?: ToolOutcome;
  /** It came from memory, or was never begun. */
  readonly notBegun?: true;
}

interface Where {
  readonly agent?: AgentId;
  readonly round: number;
  /** All are begun before the first of them ends. */
  readonly parallel?: boolean;
}

/** An answer of the model and what became of its calls. */
export function roundOf(
  { agent = MAIN, round, parallel = false }: Where,
  ...made: readonly MadeCall[]
): JournalFact[] {
  const calls = made.map(({ name, args = {} }, at) => ({
    id: `${agent}_${round}_${at + 1}` as CallId,
    name,
    args,
  }));
  const begin = made.map((call, at): JournalFact[] => {
    if (call.notBegun === true) return [];
    const body = {
      callId: calls[at]?.id ?? ('' as CallId),
      name: call.name,
      effect: 'read',
    } as const;
    return [factOf('tool.intent', agent, round, body)];
  });
  const end = made.map(({ name, outcome = okOutcome() }, at): JournalFact[] => [
    factOf('tool.outcome', agent, round, {
      callId: calls[at]?.id ?? ('' as CallId),
      name,
      outcome,
    }),
  ]);
  const each = begin.map((rows, at) => [...rows, ...(end[at] ?? [])]);
  return [
    factOf('message.added', agent, round, { message: { role: 'assistant', text: '', calls } }),
    ...(parallel ? [...begin, ...end] : each).flat(),
  ];
}

/** Rounds of one call each. */
export const oneByOne = (...made: readonly MadeCall[]): JournalFact[] =>
  made.flatMap((call, at) => roundOf({ round: at + 1 }, call));

export const times = <T>(count: number, made: T): T[] => Array.from({ length: count }, () => made);

export const shell = (command: string): MadeCall => ({ name: 'shell', args: { command } });
export const file = (name: string, path: string, more: Partial<MadeCall> = {}): MadeCall => ({
  name,
  args: { path },
  ...more,
});

/** A sub-agent and what its only answer used. */
export const subAgent = (number: number, kind: string, tokens: number): JournalFact[] => {
  const agent = `sub-${number}` as AgentId;
  const callId = `main_1_${number}` as CallId;
  const task = { kind: kind as 'explore', task: 'look', context: '' };
  return [
    factOf('agent.spawned', agent, 0, { agent, parent: MAIN, callId, task }),
    factOf('model.outcome', agent, 1, {
      status: 'ok',
      usage: usageOf(tokens - 1, 1),
      model: 'm',
      ms: 1,
      finish: 'stop',
    }),
  ];
};
