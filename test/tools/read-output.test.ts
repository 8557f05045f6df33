import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StoredOutputs } from '../../src/tools/read-output.js';
import { pastCall } from './past-calls.js';
import { workbench } from './workbench.js';

/** Results by their id, and one call to be found by its words. */
const kept = (whole: (id: string) => string | null): StoredOutputs => ({
  whole: (id) => Promise.resolve(whole(id)),
  replay: (visit) => {
    pastCall(1, 'shell', { command: 'cat a.txt' }, 'some text').forEach(visit);
    return Promise.resolve();
  },
});

test('a command whose output was cut can be read back in pages', async () => {
  const bench = workbench();
  await bench.run('shell', { command: 'seq 1 20000' });
  const { text } = await bench.run('read_output', { id: 'main_1_1', offset: 10_000, limit: 2 });
  expect(text).toBe(
    'L10000: 10000\nL10001: 10001\n[truncated: 20000 total lines in file]\n' +
      "[Showing lines 10000-10001 of 20000. Next page: read_output(id='main_1_1', offset=10002, limit=2)]",
  );
  const last = await bench.run('read_output', { id: 'main_1_1', offset: 19_999 });
  expect(last).toEqual({ status: 'ok', text: 'L19999: 19999\nL20000: 20000', truncated: false });
});

test('a command that was ended by its time limit can be read back too', async () => {
  const bench = workbench();
  const { text } = await bench.run('shell', { command: 'seq 1 20000; sleep 9', timeout: 1 });
  expect(text).toMatch(/\n20000\n\[all of it: read_output id=main_1_1\]$/);
  const back = await bench.run('read_output', { id: 'main_1_1', offset: 20_000 });
  expect(back.text).toBe('L20000: 20000');
});

test('a result that was cut on its way to the model is kept whole', async () => {
  const report = Array.from({ length: 2000 }, (_, n) => `finding ${n}`).join('\n');
  const bench = workbench({
    delegate: () => Promise.resolve({ status: 'ok', text: report, truncated: false }),
  });
  const { text } = await bench.run('delegate', { task: 'look' });
  expect(text).toMatch(/\[output truncated: .*\]\n\[all of it: read_output id=main_1_1\]$/);
  expect(Buffer.byteLength(text)).toBeLessThan(4_100);
  const back = await bench.run('read_output', { id: 'main_1_1', offset: 2000 });
  expect(back.text).toBe('L2000: finding 1999');
});

test('any other result comes from wherever it is stored', async () => {
  const bench = workbench({
    storedOutputs: kept((id) => (id === 'main_3_1' ? 'one\ntwo\nthree\n' : null)),
  });
  const { text } = await bench.run('read_output', { id: 'main_3_1', offset: 2, limit: 1 });
  expect(text).toBe(
    'L2: two\n[truncated: 3 total lines in file]\n[Showing lines 2-2 of 3. ' +
      "Next page: read_output(id='main_3_1', offset=3, limit=1)]",
  );
  expect((await bench.run('read_output', { call_id: 'main_3_1' })).text).toBe(
    'L1: one\nL2: two\nL3: three',
  );
});

test.each([
  [{ id: 'none' }, "no output of a call 'none' is kept. Ids stand in the notices of results "],
  [{}, 'give either id (of a call: its whole result) or search (words: '],
  [{ id: 'main_3_1', search: 'text' }, 'give either id (of a call: its whole result) or search '],
  [{ search: 'text', offset: 9 }, 'offset 9 is past the end: 1 call has the words.'],
  [{ id: 'main_3_1', offset: 9 }, 'offset 9 is past the end: the output of main_3_1 has 1 line.'],
])('%j is an error that says why', async (args, message) => {
  const storedOutputs = kept((id) => (id === 'none' ? null : 'text'));
  const { status, text } = await workbench({ storedOutputs }).run('read_output', args);
  expect([status, text.slice(0, 7 + message.length)]).toEqual(['failed', `Error: ${message}`]);
});

test('an empty output says so', async () => {
  const bench = workbench({ storedOutputs: kept(() => '') });
  expect((await bench.run('read_output', { id: 'x' })).text).toBe('[the output is empty]');
});

test('an id cannot name another file', async () => {
  const bench = workbench();
  writeFileSync(join(bench.outside, 'secret.txt'), 'secret');
  for (const id of ['../../outside/secret', `${bench.outside}/secret`, '../journal']) {
    expect(await bench.run('read_output', { id })).toMatchObject({ status: 'failed' });
  }
});

test('what was kept whole is shown without secrets, also where a line is cut', async () => {
  const secret = 'hunter2-hunter2';
  const bench = workbench({ environment: { PATH: process.env['PATH'], DB_PASSWORD: secret } });
  const command = `a=hunter2; for i in $(seq 1 2000); do printf '%0490d%s-%s\\n' 0 $a $a; done`;
  await bench.run('shell', { command });
  const { text } = await bench.run('read_output', { id: 'main_1_1' });
  expect(text).toContain('[line truncated at 500 chars]');
  expect(text).not.toContain('hunter2');
});

test('all earlier calls are searched for words, and a page says how to go on', async () => {
  const storedOutputs: StoredOutputs = {
    whole: () => Promise.resolve(null),
    replay: (visit) => {
      for (let round = 1; round <= 25; round += 1) {
        pastCall(round, 'grep', { pattern: `n${round}` }, 'a.ts\nThe Ledger').forEach(visit);
      }
      return Promise.resolve();
    },
  };
  const bench = workbench({ storedOutputs });
  const { text } = await bench.run('read_output', { search: 'the ledger' });
  expect(text).toMatch(/^main_25_1 grep\({"pattern":"n25"}\)\n {2}L2: The Ledger\nmain_24_1 grep/);
  expect(text).toMatch(
    /\n\[25 calls, newest first\. Next: read_output\(search='the ledger', offset=21\)\]$/,
  );
  const rest = await bench.run('read_output', { search: 'the ledger', offset: 21 });
  expect(rest.text.split('\n').filter((line) => line.startsWith('main_'))).toEqual(
    [5, 4, 3, 2, 1].map((round) => `main_${round}_1 grep({"pattern":"n${round}"})`),
  );
  expect((await bench.run('read_output', { search: 'nowhere' })).text).toBe(
    "No earlier call or result has 'nowhere'.",
  );
});
