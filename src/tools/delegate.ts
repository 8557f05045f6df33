/** `delegate`: a task for a sub-agent. The call waits for it without holding anything. */
import { z } from 'zod';
import type { CallContext } from '../../actors/ports.js';
import type { SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { defineTool, type Tool } from './tool.js';

/** What a sub-agent reports is a summary; the whole is in its own conversation. */
const MAX_RESULT = 4000;

export type Delegate = (task: SubAgentTask, context: CallContext) => Promise<ToolOutcome>;

export const delegateTool = (delegate: Delegate): Tool =>
  defineTool({
    name: 'delegate',
    description:
      'Give a self-contained task to a sub-agent that reads and searches on its own and reports back. ' +
      'Several can work at once.',
    effect: 'read',
    waits: true,
    truncation: { kind: 'head', maxBytes: MAX_RESULT },
    schema: z.strictObject({
      task: z.string().min(1),
      type: z.enum(['explore']).default('explore'),
      context: z.string().default('').describe('What you know that helps'),
    }),
    about: ({ task }) => task,
    execute: ({ task, type, context }, run) => delegate({ kind: type, task, context }, run),
  });
