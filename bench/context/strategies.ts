/**
 * Ways to keep a conversation within its window. `mask` and `mask + summary` are the product's own keeper,
 * with a model that gives no summaries and with one that does; the others are there to be compared with.
 */
import type { Estimator } from '../../actors/context/estimator.js';
import { ContextKeeper } from '../../actors/context/keeper.js';
import { ACT_AT } from '../../actors/context/ladder.js';
import { candidates, KEEP_RESULTS, MIN_AGE_ROUNDS } from '../../actors/context/masking.js';
import { recordOf } from '../../actors/context/record.js';
import { keptWords } from '../../actors/context/summary.js';
import type { Conversation } from '../../actors/conversation.js';
import type { ContextFact } from '../../messages/context.js';
import type { Message } from '../../messages/conversation.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import type { ToolDefinition, Usage } from '../../messages/model.js';
import type { SessionSpec } from '../../messages/session.js';
import { DEFAULTS } from '../../config/settings.js';
import { Estimators } from '../../src/session/estimators.js';
import type { SessionContext } from '../../src/session/agent-context.js';
import { sessionContext } from '../../src/session-context.js';
import type { ModelClient } from '../../actors/ports.js';

export const STRATEGIES = ['none', 'mask each round', 'mask', 'mask + summary', 'restart'] as const;
export type StrategyName = (typeof STRATEGIES)[number];

export interface Strategy {
  /** What this request consists of. */
  prepare(round: number): Promise<readonly Message[]>;
  counted(usage: Usage): void;
}

export interface StrategyParts {
  readonly conversation: Conversation;
  readonly tools: readonly ToolDefinition[];
  readonly windowTokens: number;
  readonly spec: SessionSpec;
  readonly home: string;
  readonly model: ModelClient;
  readonly estimator: Estimator;
  /** As in a session: the rows of the journal, and what is told to whoever watches. */
  readonly record: (...facts: JournalFact[]) => void;
  readonly tell: (fact: ContextFact) => void;
}

export function strategyOf(name: StrategyName, parts: StrategyParts): Strategy {
  switch (name) {
    case 'none':
      return plain(parts, () => undefined);
    case 'mask each round':
      return plain(parts, (round) => maskEach(parts, round));
    case 'mask':
    case 'mask + summary':
      return kept(keeperOf(parts), parts.conversation);
    case 'restart':
      return plain(parts, () => restartWhenFull(parts));
  }
}

const plain = ({ conversation }: StrategyParts, change: (round: number) => void): Strategy => ({
  prepare: (round) => {
    change(round);
    return Promise.resolve(conversation.messages);
  },
  counted: () => undefined,
});

const kept = (keeper: ContextKeeper, conversation: Conversation): Strategy => ({
  prepare: async (round) => {
    await keeper.fit(round);
    return keeper.sending(round, conversation.messages);
  },
  counted: (usage) => keeper.counted(usage),
});

function contextOf({ spec, windowTokens, model, home }: StrategyParts): SessionContext {
  return sessionContext({
    spec,
    config: { ...DEFAULTS, context: { ...DEFAULTS.context, window: windowTokens } },
    model,
    time: { now: () => 0 },
    instructions: { ouroHome: home, workspace: spec.workspace, trusted: false },
    findings: () => [],
    todos: () => [],
    budget: () => [],
    estimators: new Estimators(),
    known: { windowOf: () => windowTokens, slots: null },
    hooks: undefined,
  });
}

function keeperOf(parts: StrategyParts): ContextKeeper {
  const { conversation, tools, windowTokens, estimator, record, tell } = parts;
  const context = contextOf(parts);
  return new ContextKeeper(
    {
      ...context,
      record,
      tell: (fact) => {
        tell(fact);
        return Promise.resolve();
      },
      now: () => 0,
    },
    {
      agent: MAIN_AGENT,
      conversation,
      tools,
      estimator,
      windowTokens,
      replyTokens: context.replyTokens,
      summaryChars: windowTokens,
    },
  );
}

/** Each result as soon as it is old enough. */
function maskEach({ conversation, tell }: StrategyParts, round: number): void {
  const { messages } = conversation;
  const rule = { round, before: messages.length, minAge: MIN_AGE_ROUNDS };
  const found = candidates(messages, { ...rule, keepResults: KEEP_RESULTS });
  if (found.length === 0) return;
  conversation.mask(found);
  tell(compacted(round, 'mask', found.length));
}

function restartWhenFull(parts: StrategyParts): void {
  const { conversation, windowTokens, estimator, tell } = parts;
  const { messages } = conversation;
  if (estimator.of(messages) < windowTokens * ACT_AT) return;
  const record = recordOf(messages, conversation.record);
  const beginning = contextOf(parts).beginning(MAIN_AGENT, keptWords(messages));
  conversation.beginAnew({ messages: beginning, record });
  tell(compacted(0, 'restart', messages.length));
}

const compacted = (round: number, step: 'mask' | 'restart', count: number): ContextFact => ({
  type: 'context.compacted',
  agent: MAIN_AGENT,
  round,
  step,
  count,
  tokensBefore: 0,
  tokensAfter: 0,
  at: 0,
});
