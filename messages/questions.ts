/** Questions: whatever waits for a person. Numbered `q1`, `q2` … in their session, never twice. */
import type { AgentId, CallId, Millis } from './ids.js';

/** A choice the agent put to the person, as `ask_user` asked it. */
export interface ChoiceQuestion {
  readonly kind: 'choice';
  readonly prompt: string;
  /** Empty: any text is an answer. */
  readonly choices: readonly string[];
  /** A choice may be changed before it is sent. */
  readonly editable: boolean;
}

/** A call that the rules leave to a person. */
export interface ApprovalQuestion {
  readonly kind: 'approval';
  readonly tool: string;
  readonly subject: string;
  /** One line: what would be done. */
  readonly summary: string;
  /** The rule that left it open. */
  readonly rule: string;
}

export type QuestionBody = ChoiceQuestion | ApprovalQuestion;

export interface Question {
  readonly id: string;
  readonly agent: AgentId;
  readonly callId: CallId;
  readonly body: QuestionBody;
  readonly since: Millis;
  /** When it is answered by default: a choice with `timed_out`, an approval with a refusal. Null: never. */
  readonly until: Millis | null;
}

export type ApprovalScope = 'once' | 'session';

export type Answer =
  | { readonly status: 'selected'; readonly index: number; readonly text: string }
  | { readonly status: 'edited'; readonly index: number; readonly text: string }
  | { readonly status: 'free_text'; readonly text: string }
  | { readonly status: 'skipped' }
  | { readonly status: 'timed_out' }
  | { readonly status: 'approved'; readonly scope: ApprovalScope }
  | { readonly status: 'denied'; readonly reason: string }
  /** Nobody needs it any more: the call was cancelled, or the process ended. */
  | { readonly status: 'withdrawn' };

/** What a call asks of the mesh; it is numbered there. */
export interface QuestionRequest {
  readonly type: 'question.ask';
  readonly agent: AgentId;
  readonly callId: CallId;
  readonly body: QuestionBody;
  readonly until: Millis | null;
  readonly at: Millis;
}

/** The call that asked has ended without an answer. */
export interface QuestionWithdrawal {
  readonly type: 'question.withdraw';
  readonly callId: CallId;
  readonly at: Millis;
}

export type QuestionFact =
  | { readonly type: 'question.opened'; readonly question: Question; readonly at: Millis }
  | {
      readonly type: 'question.answered';
      readonly question: Question;
      readonly answer: Answer;
      readonly at: Millis;
    };

/** What is asked, in words. */
export const promptOf = ({ body }: Pick<Question, 'body'>): string =>
  body.kind === 'choice' ? body.prompt : `may it run ${body.summary}?`;

/** What was answered, in words. */
export function answerText(answer: Answer): string {
  switch (answer.status) {
    case 'selected':
    case 'edited':
    case 'free_text':
      return answer.text;
    case 'approved':
      return answer.scope === 'session' ? 'approved for this session' : 'approved';
    case 'denied':
      return answer.reason === '' ? 'denied' : `denied: ${answer.reason}`;
    case 'skipped':
    case 'withdrawn':
      return answer.status;
    case 'timed_out':
      return 'nobody answered in time';
  }
}
