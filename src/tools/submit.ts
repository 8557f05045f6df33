/** `submit`: the model says that its work is over. The agent loop acts on it. */
import { z } from 'zod';
import { done } from './outcomes.js';
import { defineTool } from './tool.js';

export const submitTool = defineTool({
  name: 'submit',
  description: 'End your work, once: the goal is met, or you cannot go on.',
  effect: 'none',
  schema: z.strictObject({
    summary: z.string().min(1),
    outcome: z.enum(['done', 'partial', 'blocked']),
  }),
  about: ({ outcome }) => outcome,
  execute: ({ outcome }) => done(`Submitted as ${outcome}.`),
});
