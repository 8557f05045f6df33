/** The dashboard of `ouro run`: stays until the session is over or the person leaves, then says how it went. */
import { shortId, type SessionId } from '../../messages/ids.js';
import type { RunResult } from '../../messages/result.js';
import { EXIT_CODES } from '../../messages/session.js';
import { runDashboard, type DashboardEnd } from '../../tui/dashboard.js';
import { resultText } from '../../tui/result-text.js';
import { stripControls } from '../../tui/text/sanitise.js';
import { connect } from '../control/client.js';
import { createDashboardLink } from '../control/dashboard-link.js';
import { openIndex } from '../store/index-store.js';
import { tokenPath } from '../store/socket-path.js';
import type { Terminal } from './run-end.js';

export type Watched = DashboardEnd | { readonly kind: 'unreachable'; readonly reason: string };

export async function watchRun(home: string, id: SessionId, terminal: Terminal): Promise<number> {
  return reportEnd(await openDashboard(home, id, 'run', terminal), id, terminal);
}

/** Opens the dashboard on a running session; returns how it was left. */
export async function openDashboard(
  home: string,
  id: SessionId,
  mode: 'run' | 'attach',
  { out, env }: Terminal,
): Promise<Watched> {
  const socketPath = socketOf(home, id);
  if (socketPath === null) return { kind: 'unreachable', reason: 'the session is not running' };
  const connected = await connect({ socketPath, tokenPath: tokenPath(socketPath) });
  if (!connected.ok) return { kind: 'unreachable', reason: connected.message };
  return runDashboard({
    link: createDashboardLink(connected.client),
    mode,
    input: process.stdin,
    output: out,
    term: env['TERM'] ?? 'dumb',
    colour: await wantsColour(home, env),
    now: () => Date.now(),
  });
}

/** A configuration that cannot be read is for the verbs that need it to complain about. */
async function wantsColour(home: string, env: Terminal['env']): Promise<boolean> {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const { loadConfig } = await import('../../config/load.js');
  const loaded = loadConfig({ home, workspace: process.cwd(), env });
  return !loaded.ok || loaded.config.tui.colour !== 'never';
}

function socketOf(home: string, id: SessionId): string | null {
  const index = openIndex({ home, time: { now: () => Date.now() }, orReadOnly: true });
  try {
    return index.get(id)?.socket ?? null;
  } finally {
    index.close();
  }
}

function reportEnd(end: Watched, id: SessionId, terminal: Terminal): number {
  const { err } = terminal;
  switch (end.kind) {
    case 'ended':
      return end.result === null ? 1 : printResult(end.result, terminal);
    case 'stopped-by-user':
      err.write(`Session ${shortId(id)} was stopped. Go on with: ouro resume ${shortId(id)}\n`);
      return EXIT_CODES.interrupted;
    case 'left':
    case 'terminated':
      err.write(`Session ${shortId(id)} goes on in the background.\n`);
      err.write(`  ouro attach ${shortId(id)}\n  ouro stop ${shortId(id)}\n`);
      return end.kind === 'left' ? 0 : EXIT_CODES.terminated;
    case 'resume-wanted':
    case 'lost':
    case 'unreachable': {
      const reason = end.kind === 'resume-wanted' ? 'its process is gone' : end.reason;
      err.write(`Session ${shortId(id)}: ${reason}\n  ouro resume ${shortId(id)}\n`);
      return 1;
    }
  }
}

function printResult(result: RunResult, { out, err }: Terminal): number {
  err.write(`${resultText(result)}\n`);
  if (result.text !== '') out.write(`${stripControls(result.text)}\n`);
  return result.exit_code;
}
