/** Gives each agent of a mesh the keeper of its context. */
import type { AgentSetup } from '../../actors/agent-steps.js';
import type { KeeperFrame, KeeperPorts } from '../../actors/context/keeper-frame.js';
import { ContextKeeper } from '../../actors/context/keeper.js';
import type { AgentId } from '../../messages/ids.js';
import { Estimators } from './estimators.js';
import type { Moment } from './reminders.js';

/** What the world adds to a keeper. */
export interface SessionContext extends Pick<
  KeeperPorts,
  'condense' | 'beginning' | 'beforeCompact'
> {
  /** What the model is told with this request only; null: nothing. */
  notice(agent: AgentId, about: Moment): string | null;
  /** With what earlier sessions learned; left out: nothing is known of any model. */
  readonly estimators?: Estimators;
  windowOf(model: string): number;
  readonly replyTokens: number;
}

/**
 * Of the window, what a request for a summary may fill, at the two and a half characters a token that dense
 * text has.
 */
const SUMMARY_SHARE = 0.5;
const DENSE_CHARS_PER_TOKEN = 2.5;

export function keepersFor(
  context: SessionContext,
  base: Pick<KeeperPorts, 'record' | 'tell' | 'now'>,
): (setup: AgentSetup) => ContextKeeper {
  const { estimators = new Estimators() } = context;
  const frameOf = (model: string): KeeperFrame => {
    const windowTokens = context.windowOf(model);
    return {
      estimator: estimators.of(model),
      windowTokens,
      // A reply must not take the whole of a small window.
      replyTokens: Math.min(context.replyTokens, Math.floor(windowTokens / 4)),
      summaryChars: Math.floor(windowTokens * SUMMARY_SHARE * DENSE_CHARS_PER_TOKEN),
    };
  };
  return (setup) => {
    const { agent, model, tools, conversation, round } = setup;
    const lastRound = (): number | null =>
      setup.maxRounds === null ? null : round + setup.maxRounds;
    return new ContextKeeper(
      {
        ...context,
        ...base,
        frameOf,
        notice: (of, about) => context.notice(of, { ...about, lastRound: lastRound() }),
      },
      { agent, conversation, tools, ...frameOf(model) },
    );
  };
}
