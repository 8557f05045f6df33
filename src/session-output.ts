/** What changes in a session whose final answer has to fit a schema: the request, the end of the turn, the result. */
import type { AgentSetup } from '../actors/agent-steps.js';
import type { ModelClient } from '../actors/ports.js';
import type { SessionSpec } from '../messages/session.js';
import type { Ending, JudgedEnding } from './session/ending.js';

export interface StructuredSession {
  model(inner: ModelClient): ModelClient;
  /** For the main agent. */
  readonly setup: Pick<AgentSetup, 'outputSchema' | 'objection'>;
  judge(ending: Ending): JudgedEnding;
}

const ANY_TEXT: StructuredSession = {
  model: (inner) => inner,
  setup: {},
  judge: (ending) => ending,
};

/** The schema was checked before it came into the spec. */
export async function structuredSession({ outputSchema }: SessionSpec): Promise<StructuredSession> {
  if (outputSchema === undefined) return ANY_TEXT;
  const { compileSchema } = await import('./output/schema.js');
  const { finalAnswer, objectionTo } = await import('./output/final-answer.js');
  const { unlessRefused } = await import('./output/unless-refused.js');
  const compiled = compileSchema(outputSchema);
  if (!compiled.ok) throw new Error(`the schema of the session cannot be used: ${compiled.reason}`);
  const { validate } = compiled;
  return {
    model: unlessRefused,
    setup: { outputSchema, objection: (end, messages) => objectionTo(end, messages, validate) },
    judge(ending) {
      const answer = finalAnswer(ending.text, validate);
      if (answer.ok) {
        return { ...ending, text: JSON.stringify(answer.value), structured: answer.value };
      }
      if (ending.status !== 'done' && ending.status !== 'unverified') return ending;
      const reason = `the answer does not fit the schema: ${answer.reason}`;
      return { ...ending, status: 'invalid_output', reason };
    },
  };
}
