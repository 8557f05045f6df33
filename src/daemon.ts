/**
 * The composition root: makes one session out of journal, model, tools, mesh and control socket. What can
 * be wrong before the first request is found while opening and comes back as a value; nothing has been
 * written to the journal then, and every lock is free again.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Time } from '../actors/ports.js';
import type { Daemon, DaemonRequest } from './daemon-request.js';
import { startEndpoint } from './endpoint.js';
import { diskEnding } from './disk-ending.js';
import { openGround, type Ground, type Work } from './ground.js';
import { createJudge } from './permissions/judge.js';
import type { OpenedSandbox } from './sandbox/open-sandbox.js';
import { assembleSession } from './session-assembly.js';
import { unpricedLimit } from './session-budget.js';
import { usableFolders, type SessionFolders } from './session-folders.js';
import { waitsForServer } from './session-model.js';
import { sessionPast } from './session-past.js';
import { withoutCommands } from './session-sandbox.js';
import type { Ending } from './session/ending.js';

export type { Daemon, DaemonRequest } from './daemon-request.js';

export type OpenedDaemon =
  { readonly ok: true; readonly daemon: Daemon } | { readonly ok: false; readonly ending: Ending };

const systemTime: Time = { now: () => Date.now() };

export async function openDaemon(request: DaemonRequest): Promise<OpenedDaemon> {
  const { home, work, shareWorkspace } = request;
  // Before a new session leaves anything behind.
  const early = work.kind === 'new' ? unpricedLimit(work.spec, request.config) : null;
  if (early !== null) return { ok: false, ending: early };
  const opened = openGround({ home, work, shareWorkspace, time: systemTime });
  if (!opened.ok) return opened;
  const { ground } = opened;
  const { workspace, permissions } = ground.spec;
  const unpriced = unpricedLimit(ground.spec, request.config);
  if (unpriced !== null) {
    ground.release();
    return { ok: false, ending: unpriced };
  }
  const folders = usableFolders(ground.spec);
  const [endpoint, confined] = await Promise.all([
    startEndpoint(ground.spec, request, waitsForServer(ground, work)),
    confine(ground, folders, request),
  ]);
  const sandboxed = confined.ok && confined.sandbox !== null;
  const judge = createJudge({ ...permissions, workspace, ...folders, ouroHome: home, sandboxed });
  const idle =
    judge.ok && confined.ok ? withoutCommands(ground.spec, judge, confined.obstacle) : null;
  const goesOn = idle === null || !request.needsCommands;
  if (judge.ok && endpoint.ok && confined.ok && goesOn) {
    const said = { ...confined, notice: idle ?? confined.notice };
    const { endpoint: server } = endpoint;
    const past = sessionPast({ home, ground, time: systemTime });
    const parts = { request, ground, folders, judge, endpoint: server, confined: said, past };
    try {
      return { ok: true, daemon: await assembleSession({ ...parts, time: systemTime }) };
    } catch (error) {
      const ending = diskEnding(error, home);
      if (ending === null) throw error;
      await server.close();
      giveBack(ground, work);
      return { ok: false, ending };
    }
  }
  giveBack(ground, work);
  if (!endpoint.ok) return endpoint;
  await endpoint.endpoint.close();
  const refused = confined.ok ? idle : confined.reason;
  const ending: Ending =
    refused === null
      ? { status: 'config', reason: judge.ok ? '' : judge.message, text: '' }
      : { status: 'permission_denied', reason: refused, text: '' };
  return { ok: false, ending };
}

/** A session that never began leaves nothing behind. */
function giveBack(ground: Ground, work: Work): void {
  ground.release();
  if (work.kind === 'new') rmSync(ground.dir, { recursive: true, force: true });
}

/** Opens the sandbox that the session asks for; a session of old asks for none. */
async function confine(
  { spec, dir }: Ground,
  { addDirs }: SessionFolders,
  { home, env }: DaemonRequest,
): Promise<OpenedSandbox> {
  const { mode, network } = spec.sandbox ?? { mode: 'off', network: false };
  if (mode === 'off') return { ok: true, sandbox: null, notice: null, obstacle: null };
  const { openSandbox } = await import('./sandbox/open-sandbox.js');
  const tempDir = join(dir, 'temp');
  const { workspace } = spec;
  return openSandbox({ mode, network, workspace, addDirs, ouroHome: home, tempDir, env });
}
