/** Where Claude Code keeps the transcripts of a folder: under the folder's path, with safe characters alone. */
import { hash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '../../messages/ids.js';

/** Names of folders may have 255 bytes; what is cut off is told apart by a hash. */
const MAX_CHARS = 200;
const HASH_CHARS = 8;

/** Every character that is no ASCII letter or digit becomes `-`. */
export function sanitisedPath(path: string): string {
  const safe = path.replace(/[^A-Za-z0-9]/g, '-');
  if (safe.length <= MAX_CHARS) return safe;
  return `${safe.slice(0, MAX_CHARS)}-${hash('sha256', path).slice(0, HASH_CHARS)}`;
}

/** `env`: names another folder than `~/.claude` with CLAUDE_CONFIG_DIR. */
export function claudeTranscript(
  env: Readonly<Record<string, string | undefined>>,
  workspace: string,
  session: SessionId,
): string {
  const named = env['CLAUDE_CONFIG_DIR'] ?? '';
  const root = named === '' ? join(env['HOME'] ?? homedir(), '.claude') : named;
  return join(root, 'projects', sanitisedPath(workspace), `${session}.jsonl`);
}
