/** `check_agent`: how a sub-agent stands, or all of them; with `block` once they have ended. */
import { z } from 'zod';
import type { CallContext } from '../../actors/ports.js';
import type { AgentId } from '../../messages/ids.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { MAX_RESULT } from './delegate.js';
import { defineTool, type Tool } from './tool.js';

/** `agent` null: all that work for the one who asks. */
export type CheckAgent = (
  agent: AgentId | null,
  block: boolean,
  context: CallContext,
) => Promise<ToolOutcome>;

export const checkAgentTool = (check: CheckAgent): Tool =>
  defineTool({
    name: 'check_agent',
    description: 'Status and result of a sub-agent.',
    effect: 'none',
    waits: true,
    truncation: { kind: 'head', maxBytes: MAX_RESULT },
    schema: z.strictObject({
      agent_id: z.string().min(1).describe('"*" lists all'),
      block: z.boolean().default(false),
    }),
    about: ({ agent_id }) => agent_id,
    execute: ({ agent_id, block }, run) =>
      check(agent_id === '*' ? null : (agent_id as AgentId), block, run),
  });
