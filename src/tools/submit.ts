/** `submit`: the model says that its work is over. The agent loop acts on it. */
import { z } from 'zod';
import { done } from './outcomes.js';
import { defineTool } from './tool.js';

export const submitTool = defineTool({
  name: 'submit',
  description: 'End your work: call it once, when the goal is met or you cannot go on.',
  effect: 'none',
  schema: z.strictObject({
    summary: z.string().min(1).describe('What was done and found'),
    outcome: z
      .enum(['done', 'partial', 'blocked'])
      .describe('partial: some is left; blocked: something you lack stops you'),
  }),
  about: ({ outcome }) => outcome,
  execute: ({ outcome }) => done(`Submitted as ${outcome}.`),
});
