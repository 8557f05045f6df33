/** Rows of whole rounds, as the agent loop and the dispatcher write them: request, answer, calls, outcomes. */
import { callIdOf, type AgentId } from '../../messages/ids.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { Effect, ToolOutcome } from '../../messages/tools.js';
import { MAIN, okOutcome, specOf, usageOf } from '../support/session-samples.js';

export interface MadeCall {
  readonly name: string;
  readonly args?: unknown;
  readonly effect?: Effect;
  /** Default: it went well. Null: none is known. */
  readonly outcome?: ToolOutcome | null;
}

export const shell = (command: string, exit = 0): MadeCall => ({
  name: 'shell',
  args: { command },
  effect: 'execute',
  outcome: okOutcome(`[exit: ${exit}]\nwords`),
});

export const write = (path: string): MadeCall => ({
  name: 'write_file',
  args: { path, content: 'x' },
  effect: 'write',
});

export const edit = (path: string): MadeCall => ({
  name: 'edit_file',
  args: { path },
  effect: 'write',
});

/** The first rows of a session with a goal. */
export const begun = (goal = 'do it', spec = specOf()): JournalFact[] => [
  sessionFact('session.started', { spec, version: '1', pid: 1 }),
  sessionFact('message.added', { message: { role: 'system', text: 'You are ouro.' } }),
  sessionFact('goal.set', { goal }),
  sessionFact('message.added', { message: { role: 'user', text: goal, origin: 'goal' } }),
];

interface Round {
  readonly agent?: AgentId;
  readonly round: number;
  readonly text?: string;
  /** How many messages the request had. */
  readonly messages?: number;
}

export function aRound(
  { agent = MAIN, round, text = '', messages = 2 }: Round,
  ...made: MadeCall[]
): JournalFact[] {
  const model = 'scripted';
  const calls = made.map(({ name, args = {} }, at) => ({
    id: callIdOf(agent, round, at + 1),
    name,
    args,
  }));
  const ended = made.flatMap(({ name, effect = 'read', outcome = okOutcome() }, at) => {
    const callId = callIdOf(agent, round, at + 1);
    const isDenied = outcome?.status === 'denied';
    return [
      ...(isDenied ? [] : [factOf('tool.intent', agent, round, { callId, name, effect })]),
      ...(outcome === null
        ? []
        : [factOf('tool.outcome', agent, round, { callId, name, outcome })]),
    ];
  });
  return [
    factOf('model.intent', agent, round, { model, messages, attempt: 1 }),
    factOf('model.outcome', agent, round, {
      status: 'ok',
      usage: usageOf(100, 10),
      model,
      ms: 5,
      finish: 'stop',
    }),
    factOf('message.added', agent, round, { message: { role: 'assistant', text, calls } }),
    ...ended,
  ];
}

export const spawned = (agent: AgentId): JournalFact =>
  factOf('agent.spawned', agent, 0, {
    agent,
    parent: MAIN,
    callId: callIdOf(MAIN, 1, 1),
    task: { kind: 'explore', task: 'look around', context: '' },
  });

export const endedWith = (status: 'done' | 'stopped', text = ''): JournalFact =>
  sessionFact('session.ended', {
    status,
    text,
    reason: status === 'done' ? 'the goal is met' : '',
  });
