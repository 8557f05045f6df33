/**
 * `ouro context show`: what an agent's next request consists of. Of a session that runs, the zones are what it
 * measured itself; everything else, and all of one that does not run, comes from its journal.
 */
import { existsSync } from 'node:fs';
import { windowOf } from '../../config/model-windows.js';
import type { ContextUse } from '../../messages/context.js';
import { MAIN_AGENT, shortId, type AgentId } from '../../messages/ids.js';
import { contextOf, type ContextPicture } from '../session-compactions.js';
import { memoryFile } from '../store/layout.js';
import { reach } from './ask-session.js';
import { contextLines } from './context-text.js';
import type { StandingSession } from './liveness.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';

export interface ContextShowOptions {
  readonly id?: string | undefined;
  readonly agent?: string | undefined;
  readonly json?: boolean | undefined;
}

export const contextShow = (options: ContextShowOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const selected = selectSession({ id: options.id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const agent = (options.agent ?? MAIN_AGENT) as AgentId;
    const picture = contextOf(context.home, session.id, agent);
    if (picture === null) {
      const message = `${shortId(session.id)}: there is no agent ${agent} in it`;
      return output.fail({ code: 'not_possible', message });
    }
    const measured = session.live ? await measuredBy(session, agent) : null;
    const { window: room, ...zones } = measured ?? { window: null, ...picture.zones };
    const window = await windowTokens(session, picture, context);
    const path = memoryFile(context.home, session.workspace);
    const memory = { path, exists: existsSync(path) };
    const shown = { ...picture, zones, window, room, live: session.live, memory };
    for (const line of contextLines(session, shown)) output.line(line);
    output.data({ ok: true, session: session.id, ...shown });
    return EXIT_DONE;
  });

/** Null: it cannot be asked just now, or has measured nothing yet. */
async function measuredBy(session: StandingSession, agent: AgentId): Promise<ContextUse | null> {
  const reached = await reach(session);
  if (!reached.ok) return null;
  try {
    const reply = await reached.client.request({ do: 'status' });
    if (!reply.ok || reply.data === null || !('agents' in reply.data)) return null;
    return reply.data.agents.find(({ id }) => id === agent)?.context ?? null;
  } finally {
    reached.client.close();
  }
}

/** As a session there would get it; where the configuration cannot be read, what the model's maker states. */
async function windowTokens(
  { workspace }: StandingSession,
  { model, local }: ContextPicture,
  context: VerbContext,
): Promise<number> {
  const { readConfig } = await import('./read-config.js');
  const read = await readConfig({ workspace }, context);
  const configured = read.ok && read.loaded.ok ? read.loaded.config.context.window : null;
  return configured ?? windowOf(model, local);
}
