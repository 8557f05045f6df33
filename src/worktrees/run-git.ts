/** Runs the person's git on a repository, without what the repository would have it start. Never rejects. */
import { execFile } from 'node:child_process';

/** A large working copy takes a while to write; what takes longer waits for something. */
const LIMIT_MS = 120_000;

/** Names of many files. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Hooks and watchers of a repository are programs, and nobody has asked for them here. */
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];

/** Variables that point git at another repository, as a hook of one sets them. */
const ELSEWHERE = /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE|PREFIX)$/;

export type GitAnswer =
  | { readonly ok: true; readonly text: string }
  /** What git said, or why there is none. */
  | { readonly ok: false; readonly reason: string; readonly isMissing: boolean };

export function runGit(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<GitAnswer> {
  const kept = Object.entries(environment).filter(([name]) => !ELSEWHERE.test(name));
  const env = { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  const options = { cwd: folder, env, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    execFile('git', [...QUIET, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ ok: true, text: stdout.trim() });
      else
        resolve({
          ok: false,
          reason: stderr.trim() || error.message,
          isMissing: error.code === 'ENOENT',
        });
    });
  });
}
