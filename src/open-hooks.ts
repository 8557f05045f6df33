/** Opens the hooks of a session where some are configured; where not, nothing of them is loaded. */
import type { Time } from '../actors/ports.js';
import type { Environment } from '../config/home.js';
import type { Config } from '../config/settings.js';
import type { Ground } from './ground.js';
import type { HooksOfSession, SessionHooksParts } from './session-hooks.js';

export interface HooksRequest extends Pick<SessionHooksParts, 'goal' | 'tell'> {
  readonly config: Pick<Config, 'hooks'>;
  readonly env: Environment;
  readonly ground: Pick<Ground, 'spec' | 'recovered'>;
  readonly time: Time;
}

export async function openHooks(request: HooksRequest): Promise<HooksOfSession | undefined> {
  const { config, env, ground, goal, time, tell } = request;
  const { hooks: settings } = config;
  if (settings === undefined) return undefined;
  const { sessionHooks } = await import('./session-hooks.js');
  const { spec, recovered } = ground;
  const source = recovered === null ? 'startup' : 'resume';
  return sessionHooks({ settings, spec, source, goal, env, time, tell });
}
