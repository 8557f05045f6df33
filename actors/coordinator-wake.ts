/**
 * What it means that the machine slept: requests to the model are asked again, since nobody listens at the
 * other end any more; whoever has to answer a question gets time to do so; what was due meanwhile is due now,
 * once. Pure.
 */
import type { Letter, SessionWoke } from '../messages/coordinator.js';
import { MAIN_AGENT, type Millis } from '../messages/ids.js';
import { questionHold } from './coordinator-questions.js';
import { withLog, type State } from './coordinator-state.js';

/** A person who opens the lid must be able to find the question, and think. */
export const LEAST_TO_ANSWER_MS = 10 * 60 * 1000;

export function wakeSession(state: State, { sleptMs, at }: SessionWoke): [State, Letter[]] {
  const later = (until: Millis | null): Millis | null =>
    until === null ? null : Math.max(until, at + LEAST_TO_ANSWER_MS);
  const questions = state.questions.map((question) => ({
    ...question,
    until: later(question.until),
  }));
  const minutes = Math.max(1, Math.round(sleptMs / 60_000));
  const text = `the machine slept for about ${minutes} min: requests under way are asked again`;
  const next = withLog(
    { ...state, questions },
    { at, agent: MAIN_AGENT, round: 0, kind: 'notice', text },
  );
  const asking = new Set(questions.map(({ agent }) => agent));
  return [
    next,
    [
      // Ahead of what is due: a question that was due while nobody could answer it is not.
      ...[...asking].flatMap((agent) => questionHold(next, agent, at)),
      { to: 'pause', message: { type: 'pause.woke' } },
      ...state.agents
        .filter(({ end }) => end === null)
        .map(({ id: agent }): Letter => ({
          to: 'agent',
          agent,
          message: { type: 'agent.abortRequest' },
        })),
    ],
  ];
}
