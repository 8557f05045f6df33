/** What an agent's model means for its context. */
import type { Estimator } from './estimator.js';

export interface KeeperFrame {
  readonly estimator: Estimator;
  /** Tokens of the whole window, and those kept free for the reply. */
  readonly windowTokens: number;
  readonly replyTokens: number;
  /** Characters that one request for a summary may hold. */
  readonly summaryChars: number;
}
