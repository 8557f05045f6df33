/** `ouro resume`: lifts a person's hold on a running session, or starts one that is not running from its journal. */
import { ouroHome } from '../../config/home.js';
import type { SessionId } from '../../messages/ids.js';
import { failedToStart, type Terminal } from './headless-run.js';
import { planRun } from './plan-run.js';
import { startInBackground } from './run.js';

/** Starts a session that is not running in the background, where it stopped. */
export async function resumeFromJournal(
  id: SessionId,
  workspace: string,
  terminal: Terminal,
): Promise<number> {
  const planned = planRun({
    home: ouroHome(terminal.env),
    env: terminal.env,
    workspace,
    flags: {},
    headless: false,
    checkFirst: true,
    work: { kind: 'resume', id, goal: null, byPerson: true },
  });
  if (!planned.ok) return failedToStart(planned.ending, {}, terminal);
  const { env: _inherited, ...boot } = planned.plan.request;
  return startInBackground(boot, terminal);
}
