/** The configuration that a session would go on with. Loads the reader of files. */
import { formatConfigErrors, loadConfig } from '../../config/load.js';
import type { Config } from '../../config/settings.js';
import type { StandingSession } from './liveness.js';
import type { VerbContext } from './verb-context.js';
import { workspaceTrust } from './workspace-trust.js';

/** Throws, with the reasons, where it cannot be read. */
export async function configOf(
  { id, workspace }: Pick<StandingSession, 'id' | 'workspace'>,
  context: VerbContext,
): Promise<Config> {
  const { home, env } = context;
  const answered = await workspaceTrust({ place: context, workspace, session: id });
  if (!answered.ok) throw new Error(answered.reason);
  const { trusted, changed } = answered.trust;
  const loaded = loadConfig({ home, workspace, env, flags: {}, trusted, changed });
  if (!loaded.ok) throw new Error(formatConfigErrors(loaded.errors));
  return loaded.config;
}
