/**
 * Where the operator's hooks take part in an agent's round: before its request, and when its turn is over.
 * What they say to the model enters the conversation here, with its row in the journal.
 */
import type { CycleEnd } from '../messages/agents.js';
import type { AgentId } from '../messages/ids.js';
import { factOf } from '../messages/journal.js';
import { userMessage, type Conversation } from './conversation.js';
import type { Journal, LifecycleHooks } from './ports.js';

export interface HookPorts {
  readonly journal: Journal;
  readonly hooks?: LifecycleHooks;
}

export interface HookedAgent {
  readonly agent: AgentId;
  readonly model: string;
  readonly conversation: Conversation;
}

/** Null: the request may be sent, or the signal has aborted. */
export async function askBeforeRequest(
  ports: HookPorts,
  setup: HookedAgent,
  round: number,
  signal: AbortSignal,
): Promise<CycleEnd | null> {
  const { agent, model } = setup;
  const verdict = await ports.hooks?.preModel({ agent, round, model }, signal);
  if (verdict === undefined || signal.aborted) return null;
  if (verdict.decision === 'block') {
    const { reason: hook } = verdict;
    const text = `A hook of the operator let no further request be sent: ${hook}`;
    return { status: 'blocked', text, denied: true, hook };
  }
  if (verdict.message !== null) say(ports, setup, round, `[hook: ${verdict.message}]`);
  return null;
}

/** `again`: the agent was sent back to work, or something came up while the hooks were asked. */
export async function askToEnd(
  ports: HookPorts,
  setup: HookedAgent,
  round: number,
  end: CycleEnd,
  signal: AbortSignal,
): Promise<CycleEnd | 'again'> {
  if (ports.hooks === undefined) return end;
  const { agent, conversation } = setup;
  const about = { agent, round, text: 'text' in end ? end.text : '', outcome: end.status };
  const verdict = await ports.hooks.onStop(about, signal);
  if (signal.aborted) return 'again';
  if (verdict.decision === 'block') {
    say(ports, setup, round, `A hook of the operator does not let you stop yet: ${verdict.reason}`);
    return 'again';
  }
  // Words that came while the hooks were asked belong to this turn.
  if (conversation.said.length > 0) return 'again';
  const isOverruled = verdict.decision === 'overruled' && end.status === 'done';
  return isOverruled ? { status: 'partial', text: end.text, hook: verdict.reason } : end;
}

/** Puts words of the program into the conversation. */
export function say(
  { journal }: HookPorts,
  { agent, conversation }: HookedAgent,
  round: number,
  text: string,
): void {
  const message = userMessage(text, 'harness');
  conversation.add(message);
  // Later rows cannot overtake it, and a journal that fails reports itself.
  journal.append([factOf('message.added', agent, round, { message })]).catch(() => undefined);
}
