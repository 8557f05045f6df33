/** What a simulated session has in place of a configuration: the defaults, with what the seed decides. */
import { DEFAULTS, type Config } from '../../config/settings.js';
import type { Scenario } from '../scenario.js';

export const configOf = ({ money, talk }: Pick<Scenario, 'money' | 'talk'>): Config => ({
  ...DEFAULTS,
  model: { ...DEFAULTS.model, maxTokens: money.maxTokens },
  context: { window: talk.window, replyTokens: talk.replyTokens, toolGuides: false },
  prices: money.prices,
});
