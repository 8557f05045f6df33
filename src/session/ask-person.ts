/**
 * Asks the person through the mesh, on behalf of a call that waits. Where nobody is to be asked, the default
 * is the answer at once; attaching or detaching a dashboard changes nothing about that.
 */
import type { CallContext, Time } from '../../actors/ports.js';
import { defaultAnswer } from '../../actors/coordinator-questions.js';
import type { ReplyRegistry } from '../../messages/channels/oneshot.js';
import type { CoordinatorMessage } from '../../messages/coordinator.js';
import type { CallId } from '../../messages/ids.js';
import type { Answer, QuestionBody } from '../../messages/questions.js';
import type { OnQuestion } from '../../messages/session.js';

/** A question that nobody has answered in a day is answered by default. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

export interface AskPorts {
  readonly onQuestion: OnQuestion;
  readonly time: Time;
  readonly answers: ReplyRegistry<CallId, Answer>;
  /** What was answered in an earlier run of the process; null: nothing. Left out: there was none. */
  readonly earlier?: (callId: CallId, body: QuestionBody) => Answer | null;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
  /** Ends the run: a question came up that nobody may answer. */
  readonly fail: () => void;
}

export type AskPerson = (
  body: QuestionBody,
  timeoutMs: number | null,
  context: CallContext,
) => Promise<Answer>;

export const askPerson =
  ({ onQuestion, time, answers, earlier, tell, fail }: AskPorts): AskPerson =>
  async (body, timeoutMs, { agent, callId, signal }) => {
    const known = earlier?.(callId, body) ?? null;
    if (known !== null) return known;
    if (onQuestion !== 'wait') {
      if (onQuestion === 'fail') fail();
      return body.kind === 'choice'
        ? defaultAnswer({ body })
        : { status: 'denied', reason: 'nobody is there to be asked' };
    }
    if (signal.aborted) return { status: 'withdrawn' };
    const at = time.now();
    const until = at + Math.min(timeoutMs ?? LONGEST_WAIT_MS, LONGEST_WAIT_MS);
    const answer = answers.ask(callId);
    const withdraw = (): void => {
      void tell({ type: 'question.withdraw', callId, at: time.now() });
      answers.settle(callId, { status: 'withdrawn' });
    };
    signal.addEventListener('abort', withdraw, { once: true });
    try {
      if (!(await tell({ type: 'question.ask', agent, callId, body, until, at }))) withdraw();
      return await answer;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  };
