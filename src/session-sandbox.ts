/**
 * What a session's sandbox, or the lack of one, means before its first request: whether any command could run
 * at all, and what stands in the log that a dashboard shows. Pure.
 */
import { withLog, type State } from '../actors/coordinator-state.js';
import { MAIN_AGENT, type Millis } from '../messages/ids.js';
import type { SessionSpec } from '../messages/session.js';
import type { CreatedJudge } from './permissions/judge.js';
import type { OpenedSandbox } from './sandbox/open-sandbox.js';

type Judge = Pick<Extract<CreatedJudge, { ok: true }>, 'explain'>;
type Obstacle = Extract<OpenedSandbox, { ok: true }>['obstacle'];

/**
 * Why no command could run but those that are proven to only read, with the ways out; null: some could, or the
 * person has said that none has to. The commands of a rehearsal were written down beforehand by whoever
 * rehearses, so they are tried.
 */
export function withoutCommands(
  { permissions, onQuestion, rehearsal, workspace }: SessionSpec,
  { explain }: Judge,
  obstacle: Obstacle,
): string | null {
  const { mode } = permissions;
  if (obstacle === null || rehearsal !== null || mode === 'bypass' || mode === 'plan') return null;
  if (onQuestion !== 'deny' && mode !== 'dont-ask') return null;
  const { considered } = explain({ tool: 'shell', effect: 'execute', subject: '', cwd: workspace });
  const isDecided = ({ kind, form }: (typeof considered)[number]['rule']): boolean =>
    kind === 'allow' || (kind === 'deny' && form === 'every');
  if (considered.some(({ rule }) => isDecided(rule))) return null;
  return (
    `No command could run: ${obstacle.reason}, no rule allows one, and nobody is asked. Ways out: ` +
    `${obstacle.remedy}; or --allow rules for the commands the work needs, such as ` +
    `--allow 'shell(npm test*)'; or --sandbox off, to do with those that only read; or, on a machine that ` +
    `holds nothing of value, --permission-mode bypass.`
  );
}

/** The state with what people should know of the sandbox in its log, where a dashboard shows it. */
export const inSight = (state: State, notice: string | null, at: Millis): State =>
  notice === null
    ? state
    : withLog(state, { at, agent: MAIN_AGENT, round: 0, kind: 'notice', text: notice });
