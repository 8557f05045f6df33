/**
 * The rows that tell a foreign history, as if the agent had lived it: rounds are counted by answers, calls
 * have ids of ours, every call has exactly one outcome. Pure.
 */
import type { ToolCall } from '../../messages/conversation.js';
import { callIdOf, MAIN_AGENT, type AgentId, type CallId } from '../../messages/ids.js';
import { factOf, type JournalFact } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';
import type { Step, Turn } from './turns.js';

const NO_RESULT =
  'The transcript from which this session was imported has no result of this call. It may have happened ' +
  'in full, in part or not at all. Check its effects before you repeat it.';

export interface HistoryOptions {
  readonly agent: AgentId;
  /** Our name for a tool of another program. */
  readonly nameOf: (name: string) => string;
  /** Told of each call that a sub-agent answered. */
  readonly delegated: (agent: string, call: CallId) => void;
}

export function* historyFacts(
  turns: Iterable<Turn>,
  options: HistoryOptions,
): Generator<JournalFact> {
  const { agent } = options;
  let round = 0;
  let wasAsked = false;
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      round += 1;
      yield* answerFacts(turn, round, options);
      continue;
    }
    if (turn.role === 'system') {
      yield factOf('message.added', agent, round, { message: turn });
      continue;
    }
    const { text, isOwn } = turn;
    const first = agent === MAIN_AGENT ? 'goal' : 'parent';
    const origin = isOwn ? (wasAsked ? 'steer' : first) : 'harness';
    wasAsked ||= isOwn;
    yield factOf('message.added', agent, round, { message: { role: 'user', text, origin } });
  }
}

function* answerFacts(
  { text, reasoning, steps }: Extract<Turn, { role: 'assistant' }>,
  round: number,
  { agent, nameOf, delegated }: HistoryOptions,
): Generator<JournalFact> {
  const calls = steps.map(({ call: { name, args, invalid } }, at): ToolCall => ({
    id: callIdOf(agent, round, at + 1),
    name: nameOf(name),
    args,
    ...(invalid === undefined ? {} : { invalid }),
  }));
  const thought = reasoning === '' ? {} : { reasoning };
  const message = { role: 'assistant', text, ...thought, calls } as const;
  yield factOf('message.added', agent, round, { message });
  for (const [at, step] of steps.entries()) {
    const callId = callIdOf(agent, round, at + 1);
    if (step.agent !== null) delegated(step.agent, callId);
    const outcome = outcomeOf(step);
    yield factOf('tool.outcome', agent, round, { callId, name: nameOf(step.call.name), outcome });
  }
}

function outcomeOf({ result }: Step): ToolOutcome {
  if (result === null) return { status: 'unknown', text: NO_RESULT };
  const { text, isError } = result;
  return isError
    ? { status: 'failed', reason: 'failed', text }
    : { status: 'ok', text, truncated: false };
}

/** A sub-agent whose work is over, whole: its birth, what was said, its end. */
export function* subAgentFacts(
  turns: () => Iterable<Turn>,
  callId: CallId,
  options: HistoryOptions,
): Generator<JournalFact> {
  const { agent } = options;
  const task = { kind: 'worker', task: firstWords(turns()), context: '' } as const;
  yield factOf('agent.spawned', agent, 0, { agent, parent: MAIN_AGENT, callId, task });
  let rounds = 0;
  let text = '';
  for (const fact of historyFacts(turns(), options)) {
    rounds = fact.round;
    if (fact.kind === 'message.added' && fact.body.message.role === 'assistant')
      text = fact.body.message.text;
    yield fact;
  }
  const end = { status: 'done', text, denied: [] } as const;
  yield factOf('agent.ended', agent, rounds, { agent, rounds, end });
}

function firstWords(turns: Iterable<Turn>): string {
  for (const turn of turns) if (turn.role === 'user') return turn.text;
  return '';
}
