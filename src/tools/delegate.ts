/** `delegate`: a task for a sub-agent. The call waits for it without holding anything, unless told not to. */
import { z } from 'zod';
import type { CallContext } from '../../actors/ports.js';
import { SUB_AGENT_KINDS, type SubAgentTask } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { defineTool, type Tool } from './tool.js';

/** What a sub-agent reports is a summary; `read_output` has the whole. */
export const MAX_RESULT = 4000;

export type Delegate = (task: SubAgentTask, context: CallContext) => Promise<ToolOutcome>;

export const delegateTool = (delegate: Delegate): Tool =>
  defineTool({
    name: 'delegate',
    description:
      'Give a sub-agent a self-contained task: explore reads, worker does, planner plans.',
    // What it does is judged call by call.
    effect: 'read',
    waits: true,
    truncation: { kind: 'head', maxBytes: MAX_RESULT },
    schema: z.strictObject({
      task: z.string().min(1),
      type: z.enum(SUB_AGENT_KINDS).default('worker'),
      context: z.string().default(''),
      model: z.string().min(1).optional(),
      background: z.boolean().default(false),
    }),
    about: ({ task, type }) => `${type}: ${task}`,
    execute: ({ task, type, context, model, background }, run) =>
      delegate(
        {
          kind: type,
          task,
          context,
          ...(model === undefined ? {} : { model }),
          ...(background ? { background } : {}),
        },
        run,
      ),
  });
