/**
 * Opens the sandbox of a session, as the person asked for it. It is never silently absent: whoever gets none
 * without having switched it off is told why and what would change that.
 *
 * On macOS the sandbox is `sandbox-exec`, with a profile that was written without a machine to try it on: it
 * is used when it has run a command once, and what it then really refuses was never tested.
 */
import { statSync } from 'node:fs';
import type { CommandSandbox } from '../../actors/ports.js';
import { findSandbox } from './find-sandbox.js';
import type { SandboxRequest } from './ground.js';
import type { Obstacle } from './remedies.js';

export interface SandboxOptions extends SandboxRequest {
  readonly mode: 'auto' | 'require' | 'off';
}

export type OpenedSandbox =
  | {
      readonly ok: true;
      /** Null: commands run as the person would run them. */
      readonly sandbox: CommandSandbox | null;
      /** To be shown to the person when the session starts. */
      readonly notice: string | null;
      /** Why there is none, though one was wanted. */
      readonly obstacle: Obstacle | null;
    }
  | { readonly ok: false; readonly reason: string };

export async function openSandbox(options: SandboxOptions): Promise<OpenedSandbox> {
  if (options.mode === 'off') return { ok: true, sandbox: null, notice: null, obstacle: null };
  const found = await findSandbox(options);
  if (found.works) {
    const { sandbox } = found;
    return { ok: true, sandbox, notice: foreign(options.workspace), obstacle: null };
  }
  return options.mode === 'auto'
    ? { ok: true, sandbox: null, notice: unconfined(found), obstacle: found }
    : { ok: false, reason: refused(found) };
}

const unconfined = ({ reason, remedy }: Obstacle): string =>
  `Commands are not confined by a sandbox: ${reason}. Those that are not proven to only read need an --allow ` +
  `rule or an approval. To change this, ${remedy}. With --sandbox off it stays so, and nothing is said.`;

const refused = ({ reason, remedy }: Obstacle): string =>
  `A sandbox was required, but ${reason}. Ways out: ${remedy}; or use --sandbox off with --allow rules for ` +
  `the commands the work needs, such as --allow 'shell(npm test*)'; or, on a machine that holds nothing of ` +
  `value, --sandbox off with --permission-mode bypass.`;

/** Root in the sandbox is root without its privileges, and so cannot write the files of others. */
function foreign(workspace: string): string | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(workspace, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner === 0) return null;
  return (
    `The workspace belongs to another user (uid ${owner}), and in the sandbox not even root can write the ` +
    `files of others: commands may fail with "Permission denied". To change this, run ouro as that user.`
  );
}
