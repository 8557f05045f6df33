/** The hooks around a tool call, behind the port that the tools know. */
import type { HookedCall, HookVerdict, ToolHooks } from '../../actors/ports.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { beginning } from './beginning.js';
import type { HookChain, HookMoment } from './hook-chain.js';

/** Of a result; the whole of it may be megabytes, and the model is shown no more of it either. */
export const RESULT_CHARS = 10_240;

export function toolHooks(chain: HookChain): ToolHooks {
  return {
    async before(call, signal): Promise<HookVerdict> {
      const moment = momentOf('PreToolUse', call, { input: call.args });
      const end = await chain.run(moment, signal);
      if (end.kind === 'block') return { decision: 'block', reason: end.reason };
      const { input, message } = end;
      return input === undefined
        ? { decision: 'go', message }
        : { decision: 'change', args: input, message };
    },
    async after(call, outcome, signal) {
      const moment = momentOf('PostToolUse', call, { input: call.args, ...resultOf(outcome) });
      const end = await chain.run(moment, signal);
      return end.kind === 'block' ? end.reason : end.message;
    },
  };
}

const momentOf = (
  event: 'PreToolUse' | 'PostToolUse',
  { callId, agent, round, tool }: HookedCall,
  fields: HookMoment['fields'],
): HookMoment => ({ event, agent, round, tool, callId, fields });

const resultOf = ({ status, text }: ToolOutcome): HookMoment['fields'] => ({
  status,
  result: beginning(text, RESULT_CHARS),
  result_truncated: text.length > RESULT_CHARS,
});
