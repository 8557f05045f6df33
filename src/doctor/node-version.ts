/** Whether this Node is one that the program is made for. */
import { ok, problem, type Finding } from './finding.js';

/** As `package.json` says. */
const OLDEST = [20, 19] as const;

/** `version` such as `20.19.4`. */
export function checkNode(version: string): readonly Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  const what = `Node ${version}`;
  if (!isOld) return [ok('node', what)];
  return [
    problem('node', `${what} is too old`, `install Node ${OLDEST.join('.')} or newer, then npm ci`),
  ];
}
