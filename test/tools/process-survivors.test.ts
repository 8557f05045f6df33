import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { CallId, SessionId } from '../../messages/ids.js';
import { startTimeOf } from '../../src/tools/process-identity.js';
import { endSurvivors } from '../../src/tools/process-survivors.js';

const CALL = 'main_1_1' as CallId;

/** A process as a killed daemon leaves it behind. */
async function leftBehind(environment: NodeJS.ProcessEnv = {}): Promise<{
  pid: number;
  startTime: string;
  ended: Promise<unknown>;
}> {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env });
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  return { pid, startTime: (await startTimeOf(pid)) ?? '', ended };
}

const newSession = (): SessionId => randomUUID() as SessionId;

test('a process with the recorded start time is ended', async () => {
  const { pid, startTime, ended } = await leftBehind();
  const calls = await endSurvivors([{ pid, startTime, callId: CALL }], newSession());
  expect([calls, await ended]).toEqual([[CALL], 'SIGTERM']);
});

test('a process that only has the same id is left alone', async () => {
  const { pid, startTime } = await leftBehind();
  const other = { pid, startTime: `${startTime}0`, callId: CALL };
  expect(await endSurvivors([other], newSession())).toEqual([]);
  expect(await startTimeOf(pid)).toBe(startTime);
});

test('a process that is gone needs no ending', async () => {
  const { pid, startTime, ended } = await leftBehind();
  process.kill(pid, 'SIGKILL');
  await ended;
  expect(await endSurvivors([{ pid, startTime, callId: CALL }], newSession())).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a process nobody recorded is found by the session in its environment',
  async () => {
    const session = newSession();
    const mine = await leftBehind({ OURO_SESSION: session, OURO_CALL: CALL });
    const noCall = await leftBehind({ OURO_SESSION: session });
    const foreign = await leftBehind({ OURO_SESSION: newSession(), OURO_CALL: CALL });
    expect(await endSurvivors([], session)).toEqual([CALL]);
    expect(await mine.ended).toBe('SIGTERM');
    expect(await startTimeOf(noCall.pid)).toBe(noCall.startTime);
    expect(await startTimeOf(foreign.pid)).toBe(foreign.startTime);
  },
);
