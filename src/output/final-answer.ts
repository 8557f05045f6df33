/** Reads the final answer of a model as JSON and judges it. Two repairs a turn; then it is what it is. Pure. */
import type { CycleEnd } from '../../messages/agents.js';
import type { Message } from '../../messages/conversation.js';
import { isRepair, repairText } from './instruction.js';
import type { Validator } from './schema.js';

/** As in other agents: what is not mended by then will not be. */
export const MAX_REPAIRS = 2;

export type FinalAnswer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

const FENCED = /```[a-z]*\s*\n([\s\S]*?)\n\s*```/gi;

/** The text itself, or the only fenced block in it: some models cannot leave the fence out. */
export function finalAnswer(text: string, validate: Validator): FinalAnswer {
  const fenced = [...text.matchAll(FENCED)].map(([, inside]) => inside ?? '');
  const [only, ...others] = fenced;
  const found = parse(text) ?? (only === undefined || others.length > 0 ? null : parse(only));
  if (found === null) return { ok: false, reason: 'It is not JSON.' };
  const errors = validate(found.value);
  if (errors.length === 0) return { ok: true, value: found.value };
  return { ok: false, reason: errors.map((error) => `- ${error}`).join('\n') };
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Words that send an answer back; null: it fits, it was no answer, or it was sent back often enough. */
export function objectionTo(
  end: CycleEnd,
  messages: readonly Message[],
  validate: Validator,
): string | null {
  if (end.status !== 'done' && end.status !== 'partial') return null;
  const answer = finalAnswer(end.text, validate);
  if (answer.ok || repairsOf(messages) >= MAX_REPAIRS) return null;
  return repairText(answer.reason);
}

/** Since a person spoke last. */
function repairsOf(messages: readonly Message[]): number {
  const spoken = messages.findLastIndex(
    (message) => message.role === 'user' && message.origin !== 'harness',
  );
  return messages
    .slice(spoken + 1)
    .filter((message) => message.role === 'user' && isRepair(message.text)).length;
}
