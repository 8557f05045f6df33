/** Gives each agent of a mesh the keeper of its context. */
import type { AgentSetup } from '../../actors/agent-steps.js';
import { Estimator } from '../../actors/context/estimator.js';
import { ContextKeeper, type KeeperPorts } from '../../actors/context/keeper.js';

/** What the world adds to a keeper. */
export interface SessionContext extends Pick<
  KeeperPorts,
  'condense' | 'beginning' | 'beforeCompact' | 'notice'
> {
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
  // Agents with the same model learn together.
  const estimators = new Map<string, Estimator>();
  const estimatorOf = (model: string): Estimator => {
    const known = estimators.get(model);
    if (known !== undefined) return known;
    const fresh = new Estimator();
    estimators.set(model, fresh);
    return fresh;
  };
  return ({ agent, model, tools, conversation }) => {
    const windowTokens = context.windowOf(model);
    return new ContextKeeper(
      { ...context, ...base },
      {
        agent,
        conversation,
        tools,
        estimator: estimatorOf(model),
        windowTokens,
        // A reply must not take the whole of a small window.
        replyTokens: Math.min(context.replyTokens, Math.floor(windowTokens / 4)),
        summaryChars: Math.floor(windowTokens * SUMMARY_SHARE * DENSE_CHARS_PER_TOKEN),
      },
    );
  };
}
