/** How the end of a cycle, or of the process, becomes the status that people and scripts are told. Pure. */
import { textOf } from '../../actors/sub-agent-reports.js';
import { denialAdvice } from './denial-advice.js';
import type { CycleEnd } from '../../messages/agents.js';
import { PROPOSED_RAISE } from '../../messages/budget.js';
import type { ModelErrorKind } from '../../messages/model.js';
import type { EndStatus, QuitReason } from '../../messages/session.js';

export const TIME_REASON = 'the time limit was reached';

const REASONS: Readonly<Record<QuitReason, string>> = {
  stopped: 'stopped by a person',
  needs_input: 'a question came up that nobody is there to answer (--on-question)',
  time_limit: TIME_REASON,
  provider_error: 'the model server was away for too long (--max-wait)',
  hangup: 'the terminal went away (SIGHUP)',
  interrupted: 'interrupted (SIGINT)',
  terminated: 'asked to end (SIGTERM)',
  internal_error: 'an internal error; the log has the details',
};

export interface Ending {
  readonly status: EndStatus;
  /** One line for people. */
  readonly reason: string;
  /** The model's last words, or what is known instead. */
  readonly text: string;
  /** Without these a resumed session would end the same way. */
  readonly resumeFlags?: string;
}

/** `structured`: what the answer holds, where it fits the schema that was asked for. */
export interface JudgedEnding extends Ending {
  readonly structured?: unknown;
}

export const endingOfQuit = (quit: QuitReason, lastText: string, detail?: string): Ending => ({
  status: quit,
  reason: detail ?? REASONS[quit],
  text: lastText,
});

export function endingOfCycle(
  end: CycleEnd,
  tolerateDenials: boolean,
  advice: (tools: readonly string[]) => string = (tools) => denialAdvice(tools, []),
): Ending {
  const text = textOf(end);
  switch (end.status) {
    case 'done': {
      if (end.denied.length === 0 || tolerateDenials) {
        return { status: 'done', reason: 'the goal is met', text };
      }
      const reason = `finished, but ${advice(end.denied)}`;
      return { status: 'permission_denied', reason, text };
    }
    case 'partial': {
      const { hook } = end;
      const reason =
        hook === undefined
          ? 'done in part, as the agent says itself'
          : `a Stop hook still objects: ${firstLine(hook)}`;
      return { status: 'unverified', reason, text };
    }
    case 'blocked':
      if (end.hook !== undefined) {
        const reason = `a hook let no further request be sent: ${firstLine(end.hook)}`;
        return { status: 'permission_denied', reason, text };
      }
      return end.denied
        ? { status: 'permission_denied', reason: 'blocked by a denied call', text }
        : { status: 'needs_input', reason: 'blocked: the agent needs something from you', text };
    case 'round-limit':
      return {
        status: 'round_limit',
        reason: `the limit of ${end.limit} rounds was reached (--max-rounds)`,
        text,
      };
    case 'model-failed': {
      const { kind, message, limit } = end.error;
      const ending = { status: statusOfFailure(kind), reason: message, text: '' };
      return kind === 'budget'
        ? { ...ending, resumeFlags: PROPOSED_RAISE[limit?.unit ?? 'usd'] }
        : ending;
    }
    case 'stopped':
      return { status: 'stopped', reason: end.reason, text };
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
function statusOfFailure(kind: ModelErrorKind): EndStatus {
  if (kind === 'budget') return 'budget_limit';
  return kind === 'auth' ? 'auth' : 'provider_error';
}

/** Whether running it again may help without anybody changing something. */
export const isRetryable = (status: EndStatus): boolean =>
  ['provider_error', 'hangup', 'interrupted', 'terminated', 'workspace_busy'].includes(status);
