/** `think`: room for a model to reason in. Nothing happens, and the answer is empty. */
import { z } from 'zod';
import { done } from './outcomes.js';
import { defineTool } from './tool.js';

const SUMMARY_CHARACTERS = 60;

export const thinkTool = defineTool({
  name: 'think',
  description: 'Reason in writing.',
  effect: 'none',
  schema: z.strictObject({ thought: z.string() }),
  about: ({ thought }) => thought.slice(0, SUMMARY_CHARACTERS),
  execute: () => done(''),
});
