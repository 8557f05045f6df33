/** What a session is put together from: found right, and not yet begun. */
import { join } from 'node:path';
import type { Time } from '../actors/ports.js';
import type { InstructionSource } from './context/instructions.js';
import type { DaemonRequest } from './daemon-request.js';
import type { Endpoint } from './endpoint.js';
import type { Ground } from './ground.js';
import type { CreatedJudge } from './permissions/judge.js';
import type { OpenedSandbox } from './sandbox/open-sandbox.js';
import type { SessionFolders } from './session-folders.js';
import type { SessionPast } from './session-past.js';

export interface Parts {
  readonly request: DaemonRequest;
  readonly ground: Ground;
  readonly folders: SessionFolders;
  readonly judge: Extract<CreatedJudge, { ok: true }>;
  readonly endpoint: Endpoint;
  readonly confined: Extract<OpenedSandbox, { ok: true }>;
  readonly past: SessionPast;
  readonly time: Time;
}

/** Where output that is too long to be shown is kept whole. */
export const spillDirOf = ({ ground }: Parts): string => join(ground.dir, 'output');

export const instructionsOf = ({ request, ground, past }: Parts): InstructionSource => ({
  ouroHome: request.home,
  workspace: ground.spec.workspace,
  trusted: (request.trust?.accepted ?? null) !== null,
  remembered: past.remembered,
});

/** Trust that was given for this session holds when it goes on. */
export function keepTrust({ request: { trust }, ground: { index, spec } }: Parts): void {
  if (trust?.isForSession === true && trust.accepted !== null)
    index.trust.set(spec.workspace, trust.accepted, spec.id);
}
