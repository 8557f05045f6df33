/** What a session that goes on makes of the processes that its last run had started and meant to keep. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fold, type Recovered } from '../actors/recovery.js';
import type { CallId, SessionId } from '../messages/ids.js';
import { factOf, type JournalFact } from '../messages/journal.js';
import { adoptedBy, keptFrom } from '../src/session-kept.js';
import type { ProcessFact } from '../src/tools/background-program.js';
import { keptFiles } from '../src/tools/kept-command.js';
import { startTimeOf } from '../src/tools/process-identity.js';
import { rowsOf } from './support/journal-rows.js';
import { MAIN } from './support/session-samples.js';

const session = randomUUID() as SessionId;
const spillDir = mkdtempSync(join(tmpdir(), 'ouro-kept-'));
afterAll(() => rmSync(spillDir, { recursive: true, force: true }));

const callOf = (id: string): CallId => `main_1_${id.slice(1)}` as CallId;

/** The row of a process that runs; `of`: the session in its environment. */
async function running(id: string, keep: boolean, of: SessionId = session): Promise<JournalFact> {
  const env = { PATH: process.env['PATH'], OURO_SESSION: of, OURO_CALL: callOf(id) };
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  return row(id, keep, pid, (await startTimeOf(pid)) ?? '');
}

const row = (id: string, keep: boolean, pid: number, startTime: string): JournalFact => {
  const body = { id, callId: callOf(id), pid, startTime, command: `serve ${id}` };
  return factOf('process.started', MAIN, 3, keep ? { ...body, keep: 'restart' } : body);
};

const find = (recovered: Recovered) => keptFrom(recovered, { session, spillDir });

test('one that lives and is proven to be it is spared; the others are ended', async () => {
  const recovered = fold(
    rowsOf(
      await running('p1', true),
      await running('p2', false),
      await running('p3', true, randomUUID() as SessionId),
    ),
  );
  const found = await find(recovered);
  expect(found.spared).toEqual([callOf('p1')]);
  const isLinux = process.platform === 'linux';
  expect(found.others.map(({ callId }) => callId)).toEqual(
    isLinux ? [callOf('p2'), callOf('p3')] : [callOf('p2')],
  );
});

test('the end of one that is gone is put on record, and the agent is told of it once', async () => {
  writeFileSync(keptFiles(spillDir, 'p4').exit, '7');
  const gone = [row('p4', true, 2 ** 22, '1'), row('p5', true, 2 ** 22, '1')];
  const recovered = fold(rowsOf(...gone, row('p6', false, 2 ** 22, '1')));
  const found = await find(recovered);
  expect(found.spared).toEqual([]);
  expect(found.rows).toEqual([
    factOf('process.ended', MAIN, 3, { id: 'p4', callId: callOf('p4'), exitCode: 7 }),
    factOf('process.ended', MAIN, 3, {
      ...{ id: 'p5', callId: callOf('p5'), exitCode: null, unseen: true },
    }),
  ]);
  expect(found.notice).toBe(
    'While the session was not running, background processes ended: p4 (serve p4) ended with exit ' +
      'code 7; p5 (serve p5) ended, and its exit code is not known. process_output shows what they printed.',
  );
  const again = await find(fold(rowsOf(...gone, ...found.rows)));
  expect([again.rows, again.notice]).toEqual([[], null]);
});

test('what is left of one whose command has ended is not gone on with', async () => {
  writeFileSync(keptFiles(spillDir, 'p7').exit, '0');
  const found = await find(fold(rowsOf(await running('p7', true))));
  expect([found.spared, found.rows.length, found.others.length]).toEqual([[], 1, 1]);
});

test('those that go on are known by all that is on record of them, and what they change counts as theirs', () => {
  const told: ProcessFact[] = [];
  const changes = { processTold: (fact: ProcessFact) => void told.push(fact) };
  const recovered = fold(rowsOf(row('p8', true, 42, 't'), row('p9', false, 43, 't')));
  const [one, ...others] = adoptedBy(recovered, changes);
  expect(one).toMatchObject({
    ...{ id: 'p8', agent: MAIN, round: 3, callId: callOf('p8'), pid: 42, startTime: 't' },
    ...{ command: 'serve p8', startedAt: expect.any(Number) as number },
  });
  expect(others).toEqual([]);
  expect(told).toMatchObject([{ type: 'started', id: 'p8', agent: MAIN, round: 3 }]);
  expect(adoptedBy(null, changes)).toEqual([]);
});
