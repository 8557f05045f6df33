/** The toolbox of one session, tied to its journal and its mesh. */
import type { PermissionJudge, Time } from '../actors/ports.js';
import type { Environment } from '../config/home.js';
import type { Config } from '../config/settings.js';
import type { CoordinatorMessage } from '../messages/coordinator.js';
import { MAIN_AGENT } from '../messages/ids.js';
import type { Ground } from './ground.js';
import type { WaitingCalls } from './session/mesh.js';
import { createToolBox, type SessionToolBox } from './tools/toolbox.js';

export interface SessionToolsParts {
  readonly ground: Ground;
  readonly home: string;
  readonly env: Environment;
  readonly limits: Config['tools'];
  readonly judge: PermissionJudge;
  readonly time: Time;
  readonly spillDir: string;
  /** Calls that wait for a sub-agent. */
  readonly waiting: WaitingCalls;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
}

export function sessionTools(parts: SessionToolsParts): SessionToolBox {
  const { ground, limits, time, waiting, tell } = parts;
  return createToolBox({
    workspace: ground.spec.workspace,
    ouroHome: parts.home,
    session: ground.spec.id,
    spillDir: parts.spillDir,
    journal: ground.journal,
    time,
    judge: parts.judge,
    limits: {
      toolTimeoutMs: limits.timeoutMs,
      shellTimeoutMs: limits.shellTimeoutMs,
      maxResultBytes: limits.maxResultBytes,
    },
    environment: parts.env,
    kindOf: (agent) => (agent === MAIN_AGENT ? 'main' : 'explore'),
    onDiscovery: (agent, round, discovery) =>
      void tell({ type: 'discovery.added', agent, round, discovery, at: time.now() }),
    delegate: async (task, { agent, callId }) => {
      const answer = waiting.ask(callId);
      await tell({ type: 'subagent.spawn', parent: agent, callId, task });
      return answer;
    },
  });
}
