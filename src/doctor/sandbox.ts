/** Whether commands can be confined, and what the configuration makes of that. */
import { ok, problem, warn, type Finding } from './finding.js';

export type SandboxState =
  | { readonly works: true; readonly program: string; readonly version: string | null }
  | { readonly works: false; readonly reason: string; readonly remedy: string };

export async function checkSandbox(
  mode: 'auto' | 'require' | 'off',
  look: () => Promise<SandboxState>,
): Promise<readonly Finding[]> {
  const state = await look();
  if (state.works) {
    const unused = mode === 'off' ? ', but sandbox.mode is off' : '';
    return [ok('sandbox', `${state.version ?? state.program} works${unused}`)];
  }
  const { reason, remedy } = state;
  switch (mode) {
    case 'off':
      return [ok('sandbox', `switched off (and none would work: ${reason})`)];
    case 'auto':
      return [warn('sandbox', `commands are not confined: ${reason}`, remedy)];
    case 'require':
      return [problem('sandbox', `sandbox.mode is require, but ${reason}`, remedy)];
  }
}
