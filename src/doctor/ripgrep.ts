/** Whether the ripgrep that came with the program runs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ok, problem, reasonOf, type Finding } from './finding.js';

/** It answers in milliseconds; this is for a machine that is very busy. */
const LIMIT_MS = 10_000;

/** `find` says where it is; the real one is loaded only when it is asked for. */
export async function checkRipgrep(
  find: () => Promise<string> = async () => (await import('@vscode/ripgrep')).rgPath,
): Promise<readonly Finding[]> {
  try {
    const file = await find();
    const { stdout } = await promisify(execFile)(file, ['--no-config', '--version'], {
      timeout: LIMIT_MS,
    });
    const [version = ''] = stdout.split('\n');
    return [ok('ripgrep', version)];
  } catch (error) {
    const what = `ripgrep does not run, so grep and find_files will not: ${reasonOf(error)}`;
    const advice = 'install the packages again for this machine: npm ci';
    return [problem('ripgrep', what, advice)];
  }
}
