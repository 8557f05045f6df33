/** The sandbox that works here, tried out with the very options that commands will get, or why none does. */
import type { CommandSandbox, Launch } from '../../actors/ports.js';
import { inBubblewrap, TEMP_INSIDE, type Bubblewrap } from './bubblewrap.js';
import { confinedPlaces, makeClosable } from './confined-places.js';
import { groundOf, kindOf, realPath, type Ground, type SandboxRequest } from './ground.js';
import { layered } from './places.js';
import { findProgram, tryOut, type Trial } from './probe.js';
import { explainRefusal } from './refusals.js';
import {
  bubblewrapRefused,
  NO_SANDBOX_EXEC,
  noTempFolder,
  NOT_INSTALLED,
  otherPlatform,
  sandboxExecRefused,
  type Obstacle,
} from './remedies.js';
import { inSandboxExec, SANDBOX_EXEC } from './sandbox-exec.js';

export type Found = Works | Obstacle;

interface Works {
  readonly works: true;
  readonly sandbox: CommandSandbox;
  readonly program: string;
}

type Wrap = (launch: Launch) => Launch;

export async function findSandbox(
  request: SandboxRequest,
  platform: NodeJS.Platform = process.platform,
): Promise<Found> {
  if (platform !== 'linux' && platform !== 'darwin') return otherPlatform(platform);
  let ground: Ground;
  try {
    ground = groundOf(request);
  } catch (cause) {
    return noTempFolder(request.tempDir, cause);
  }
  return platform === 'linux' ? bubblewrap(ground) : sandboxExec(ground);
}

async function bubblewrap(ground: Ground): Promise<Found> {
  const program = findProgram('bwrap', ground.env, ground.roots);
  if (program === null) return NOT_INSTALLED;
  const temp = realPath(TEMP_INSIDE) ?? TEMP_INSIDE;
  let last: Trial | null = null;
  for (const userNamespace of process.getuid?.() === 0 ? [false, true] : [false]) {
    const how: Bubblewrap = { program, network: ground.network, userNamespace };
    const confine: Wrap = (launch) =>
      inBubblewrap(how, layered(confinedPlaces(ground, temp)), launch);
    last = await tryOut(confine(probe(ground)));
    if (last.ok) {
      return {
        works: true,
        sandbox: sandboxOf('bubblewrap', ground, TEMP_INSIDE, confine),
        program,
      };
    }
  }
  return bubblewrapRefused(program, last?.ok === false ? last.said : '');
}

async function sandboxExec(ground: Ground): Promise<Found> {
  if (kindOf(SANDBOX_EXEC) !== 'file') return NO_SANDBOX_EXEC;
  const { network, temp } = ground;
  const confine: Wrap = (launch) =>
    inSandboxExec(network, temp, layered(confinedPlaces(ground, temp)), launch);
  const trial = await tryOut(confine(probe(ground)));
  if (!trial.ok) return sandboxExecRefused(SANDBOX_EXEC, trial.said);
  const sandbox = sandboxOf('sandbox-exec', ground, temp, confine);
  return { works: true, sandbox, program: SANDBOX_EXEC };
}

const probe = ({ workspace, env }: Ground): Launch => ({
  file: 'true',
  args: [],
  cwd: workspace,
  env,
});

function sandboxOf(
  kind: CommandSandbox['kind'],
  ground: Ground,
  temp: string,
  confine: Wrap,
): CommandSandbox {
  const { network, roots } = ground;
  const wrap: Wrap = (launch) => {
    makeClosable(ground);
    return confine(launch);
  };
  const explain: CommandSandbox['explain'] = (output, exitCode) =>
    explainRefusal({ network, roots, temp }, output, exitCode);
  return { kind, network, wrap, explain };
}
