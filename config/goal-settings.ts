/** `[goal]`: how a session takes up its goal. */
import type { z } from 'zod';
import type { GOAL_SCHEMA } from './goal-schema.js';

export interface GoalSettings {
  /** A session plans before it changes anything. */
  readonly plan: boolean;
  /** The first prompt says how work of the goal's kind is done. */
  readonly templates: boolean;
}

/** Both make the first prompt longer, so whoever wants them asks for them. */
export const GOAL_DEFAULTS: GoalSettings = { plan: false, templates: false };

export const goalOf = (goal: z.infer<typeof GOAL_SCHEMA> = {}): GoalSettings => ({
  plan: goal.plan ?? GOAL_DEFAULTS.plan,
  templates: goal.templates ?? GOAL_DEFAULTS.templates,
});
