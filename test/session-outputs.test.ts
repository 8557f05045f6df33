import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN_AGENT, type CallId, type SessionId } from '../messages/ids.js';
import { factOf } from '../messages/journal.js';
import { storedOutputs } from '../src/session-outputs.js';
import { openJournal } from '../src/store/journal-store.js';
import { specOf } from './support/session-samples.js';

const outcome = (callId: string, text: string) =>
  factOf('tool.outcome', MAIN_AGENT, 1, {
    callId: callId as CallId,
    name: 'shell',
    outcome: { status: 'ok', text, truncated: false },
  });

test('what was shown of an earlier call is read from the journal, while the session writes', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'outputs-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const id = randomUUID() as SessionId;
  const journal = openJournal({ dir, session: id, mode: 'create', time: { now: () => 1 } });
  onTestFinished(() => journal.close());
  const many = Array.from({ length: 1_200 }, (_, n) => outcome(`main_2_${n}`, 'x'));
  await journal.append([outcome('main_1_1', 'first'), ...many, outcome('main_1_2', 'last')]);
  const stored = storedOutputs({ dir, spec: specOf({ id }) });
  const read = (call: CallId) => stored.whole(call);
  const reading = read('main_1_1' as CallId);
  await journal.append([outcome('main_3_1', 'meanwhile')]);
  expect(await reading).toBe('first');
  expect(await read('main_3_1' as CallId)).toBe('meanwhile');
  expect(await read('main_9_9' as CallId)).toBeNull();
  const seqs: number[] = [];
  await stored.replay(({ seq }) => seqs.push(seq), new AbortController().signal);
  expect(seqs).toEqual(Array.from({ length: 1_203 }, (_, n) => n + 1));
  const aborted = stored.replay(() => undefined, AbortSignal.abort(new Error('enough')));
  await expect(aborted).rejects.toThrow('enough');
});
