/**
 * Ends what an earlier run of the program left behind when it was killed: process groups known by their
 * leader's id and start time, and on Linux every process that carries the session in its environment, so
 * that one which has left its group is found too.
 */
import { readdir, readFile } from 'node:fs/promises';
import type { CallId, SessionId } from '../../messages/ids.js';
import { end } from './process-end.js';
import { isThatProcess, oneProcess, processGroup } from './process-identity.js';

export interface StartedProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly callId: CallId;
}

/** Names under which children carry what they belong to. */
export const SESSION_VARIABLE = 'OURO_SESSION';
export const CALL_VARIABLE = 'OURO_CALL';

/** Resolves when they are gone, with the calls they belonged to. `spared`: calls whose processes go on. */
export async function endSurvivors(
  started: readonly StartedProcess[],
  session: SessionId,
  spared: readonly CallId[] = [],
): Promise<CallId[]> {
  const leaders = await Promise.all(
    started.map(async (one) => ((await isThatProcess(one.pid, one.startTime)) ? [one] : [])),
  );
  const survivors = [
    ...leaders.flat().map(({ pid, callId }) => ({ callId, what: processGroup(pid) })),
    ...(await carriersOf(session)).map(({ pid, callId }) => ({ callId, what: oneProcess(pid) })),
  ].filter(({ callId, what }) => !spared.includes(callId) && what.lives());
  await Promise.all(survivors.map(({ what }) => end(what)));
  return [...new Set(survivors.map(({ callId }) => callId))];
}

/** Whether a process of the session lives; on Linux its environment has to say so too. */
export async function isOfSession(
  { pid, startTime, callId }: StartedProcess,
  session: SessionId,
): Promise<boolean> {
  if (!(await isThatProcess(pid, startTime))) return false;
  return process.platform !== 'linux' || (await callOf(pid, session)) === callId;
}

/** Processes, other than this one, that were started for a call of the session. */
async function carriersOf(session: SessionId): Promise<{ pid: number; callId: CallId }[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1 && pid !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const callId = await callOf(pid, session);
      return callId === null ? [] : [{ pid, callId }];
    }),
  );
  return found.flat();
}

async function callOf(pid: number, session: SessionId): Promise<CallId | null> {
  // Most processes are not ours to look into, and some are gone by now.
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  const variables = environment.split('\0');
  if (!variables.includes(`${SESSION_VARIABLE}=${session}`)) return null;
  const call = variables.find((variable) => variable.startsWith(`${CALL_VARIABLE}=`));
  return call === undefined ? null : (call.slice(CALL_VARIABLE.length + 1) as CallId);
}
