/** Tells the operator's hooks that a session has crashed for the last time, as its own process would have. */
import type { StandingSession } from './liveness.js';
import { planRun } from './plan-run.js';
import type { VerbContext } from './verb-context.js';
import { workspaceTrust } from './workspace-trust.js';

/** Does nothing where no hooks are configured, or where the configuration cannot be read. */
export async function notifyOfCrash(
  { id, workspace, goal }: StandingSession,
  reason: string,
  context: VerbContext,
): Promise<void> {
  const { home, env } = context;
  const trusted = await workspaceTrust({ place: context, workspace, session: id });
  if (!trusted.ok) return;
  const planned = planRun({
    home,
    env,
    workspace,
    trust: trusted.trust,
    flags: {},
    headless: false,
    checkFirst: false,
    work: { kind: 'resume', id, goal: null, notice: null, byPerson: false },
  });
  const settings = planned.ok ? planned.plan.config.hooks : undefined;
  if (!planned.ok || settings === undefined) return;
  const { sessionHooks } = await import('../session-hooks.js');
  const { emptyResult } = await import('../session/run-result.js');
  const hooks = sessionHooks({
    settings,
    spec: { id, workspace },
    source: 'resume',
    goal,
    env: planned.plan.request.env,
    time: context,
    tell: () => Promise.resolve(false),
  });
  await hooks.end(emptyResult({ status: 'internal_error', reason, text: '' }));
}
