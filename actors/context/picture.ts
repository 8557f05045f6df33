/** What an agent's next request consists of, for people: zones, masked results, the summary, what goes next. */
import type { ContextUse } from '../../messages/context.js';
import type { Message } from '../../messages/conversation.js';
import type { AgentId, CallId } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { fold } from '../recovery.js';
import { bulkOf, Estimator, type Weights } from './estimator.js';
import { candidates, isMasked, KEEP_RESULTS, MIN_AGE_ROUNDS } from './masking.js';
import { compactionsIn, type Compaction } from './undo.js';
import { isSummary, zonesOf } from './zones.js';

export interface ContextPicture {
  readonly agent: AgentId;
  readonly model: string;
  /** Its window is that of a server on this machine. */
  readonly local: boolean;
  readonly round: number;
  readonly messages: number;
  /** Estimated tokens. */
  readonly zones: Omit<ContextUse, 'window'>;
  readonly masked: readonly { readonly id: CallId; readonly text: string }[];
  /** Results that would be masked first, oldest first, with what each would free. */
  readonly next: readonly {
    readonly id: CallId;
    readonly text: string;
    readonly tokens: number;
  }[];
  /** Null: nothing is summarised. */
  readonly summary: string | null;
  readonly compactions: readonly Compaction[];
}

/** Null: the journal knows no such agent. `weights`: what was learned about the tokens of a model. */
export function pictureOf(
  rows: readonly JournalRow[],
  agent: AgentId,
  weights: (model: string) => Weights | undefined,
): ContextPicture | null {
  const recovered = fold(rows);
  const found = recovered.agents.get(agent);
  if (found === undefined) return null;
  const { spec } = recovered;
  const model = spec?.model ?? '';
  const { messages } = found.conversation;
  const estimator = new Estimator(weights(model));
  return {
    agent,
    model,
    local: spec !== null && (spec.local || spec.rehearsal !== null),
    round: found.round,
    messages: messages.length,
    zones: zoneTokens(messages, estimator),
    masked: messages.flatMap((message) =>
      message.role === 'tool' && isMasked(message)
        ? [{ id: message.callId, text: message.text }]
        : [],
    ),
    next: nextMasked(messages, found.round + 1, estimator),
    summary: messages.find(isSummary)?.text ?? null,
    compactions: compactionsIn(rows, agent),
  };
}

function zoneTokens(messages: readonly Message[], estimator: Estimator): ContextPicture['zones'] {
  const { pinned, summary, middle } = zonesOf(messages);
  const tokens = (from: number, to: number): number => estimator.of(messages.slice(from, to));
  return {
    pinned: tokens(0, pinned),
    summary: tokens(pinned, summary),
    middle: tokens(summary, middle),
    recent: tokens(middle, messages.length),
  };
}

function nextMasked(
  messages: readonly Message[],
  round: number,
  estimator: Estimator,
): ContextPicture['next'] {
  const rule = { round, before: messages.length, minAge: MIN_AGE_ROUNDS };
  return candidates(messages, { ...rule, keepResults: KEEP_RESULTS }).flatMap(
    ({ index, callId, text }) => {
      const message = messages[index];
      if (message?.role !== 'tool') return [];
      const freed =
        estimator.tokens(bulkOf(message)) - estimator.tokens(bulkOf({ ...message, text }));
      return [{ id: callId, text, tokens: freed }];
    },
  );
}
