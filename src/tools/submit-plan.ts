/** `submit_plan`: the plan is made, and the work begins. Only sessions that plan first have it. */
import { z } from 'zod';
import type { Effect } from '../../messages/tools.js';
import { done, failed } from './outcomes.js';
import { defineTool, type Tool } from './tool.js';

/** What the tools must know of the phase a session is in. */
export interface PlanDesk {
  /** False: planning is over already. */
  submit(plan: string): boolean;
  /** Why a call has to wait for the plan; null: it need not. */
  refusal(tool: { readonly name: string; readonly effect: Effect }, args: unknown): string | null;
}

/** It is told to the agent once more, and again when its conversation begins anew. */
const MAX_PLAN = 20_000;

export const submitPlanTool = (desk: PlanDesk): Tool =>
  defineTool({
    name: 'submit_plan',
    description: 'End planning with your plan; after that all tools may be used.',
    effect: 'none',
    schema: z.strictObject({ summary: z.string().min(1).max(MAX_PLAN) }),
    about: ({ summary }) => summary,
    execute: ({ summary }) =>
      desk.submit(summary)
        ? done('Plan accepted. The work begins with your next answer.')
        : failed('planning is over already. Go on with the work; keep track of changes with todo.'),
  });
