/** Hooks around tool calls, as real commands. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_OUTPUT_BYTES, MAX_SAID_CHARS } from '../../src/hooks/run-hook.js';
import { RESULT_CHARS } from '../../src/hooks/tool-hooks.js';
import { eventually } from '../support/settled.js';
import { workbench } from '../tools/workbench.js';
import { hook, hookBench } from './hook-bench.js';

const GO = { decision: 'go', message: null };

test('a hook finds the event on stdin, runs in the workspace, and is told the rest in variables', async () => {
  const bench = hookBench({
    PreToolUse: [
      'cat >> seen; pwd >> where; echo "$OURO_HOOK_EVENT $OURO_HOOK_TOOL $OURO_HOOK_AGENT $OURO_CALL" >> variables',
    ],
    PostToolUse: ['cat >> after'],
  });
  expect(await bench.before('write_file', { path: 'a', content: 'ü' })).toEqual(GO);
  const common = {
    schema_version: 1,
    session: expect.any(String) as string,
    agent: 'main',
    round: 1,
    workspace: bench.workspace,
    tool: 'write_file',
    call_id: 'main_1_1',
  };
  const input = { path: 'a', content: 'ü' };
  expect(bench.seen('seen')).toEqual([{ ...common, event: 'PreToolUse', input }]);
  const read = (name: string): string => readFileSync(join(bench.workspace, name), 'utf8');
  expect(read('where')).toBe(`${bench.workspace}\n`);
  expect(read('variables')).toBe('PreToolUse write_file main main_1_1\n');

  expect(await bench.after('write_file', 'x'.repeat(RESULT_CHARS + 1))).toBeNull();
  expect(bench.seen('after')).toEqual([
    {
      ...common,
      event: 'PostToolUse',
      input: { path: 'a' },
      status: 'ok',
      result: 'x'.repeat(RESULT_CHARS),
      result_truncated: true,
    },
  ]);
});

test('secrets are neither in the environment of a hook nor in what it says', async () => {
  const env = { DB_PASSWORD: 'hunter2-hunter2', OURO_API_KEY: 'sk-1', COLOUR: 'red' };
  const bench = hookBench({ PreToolUse: ['env > env; echo hunter2-hunter2 >&2; exit 2'] }, env);
  expect(await bench.before('shell')).toEqual({
    decision: 'block',
    reason: '[redacted:DB_PASSWORD]',
  });
  const seen = readFileSync(join(bench.workspace, 'env'), 'utf8');
  expect(seen).toContain('COLOUR=red');
  expect(seen).not.toMatch(/DB_PASSWORD|API_KEY/);
});

test.each([
  ['exit 0', GO, 'PreToolUse passed: '],
  ['echo not JSON at all', GO, 'PreToolUse passed: '],
  [
    'cat > /dev/null; echo why >&2; exit 2',
    { decision: 'block', reason: 'why' },
    'PreToolUse blocked: why',
  ],
  [
    'exit 2',
    { decision: 'block', reason: 'it gave no reason' },
    'PreToolUse blocked: it gave no reason',
  ],
  [
    `echo '{"decision": "block", "message": "no"}'`,
    { decision: 'block', reason: 'no' },
    'PreToolUse blocked: no',
  ],
  [
    `echo '{"decision": "allow", "message": "hm"}'`,
    { decision: 'go', message: 'hm' },
    'PreToolUse passed: hm',
  ],
  [
    `echo '{"input": {"a": 1}}'`,
    { decision: 'change', args: { a: 1 }, message: null },
    'PreToolUse passed: ',
  ],
  ['exit 1', GO, 'PreToolUse failed: it ended with exit code 1'],
  ['echo oops >&2; exit 3', GO, 'PreToolUse failed: it ended with exit code 3: oops'],
  ['kill -9 $$', GO, 'PreToolUse failed: it ended with exit code 137'],
  ['no-such-program-at-all 2>/dev/null', GO, 'PreToolUse failed: it ended with exit code 127'],
  ['echo {', GO, 'PreToolUse failed: what it printed begins like a JSON object and is none'],
])('%s', async (command, verdict, told) => {
  const bench = hookBench({ PreToolUse: [command] });
  expect(await bench.before('shell')).toEqual(verdict);
  expect(bench.told()).toEqual([told]);
});

test('a hook that fails blocks where the operator wants it so', async () => {
  const bench = hookBench({ PreToolUse: [hook('exit 1', { onError: 'block' })] });
  const reason = 'the hook itself failed: it ended with exit code 1';
  expect(await bench.before('shell')).toEqual({ decision: 'block', reason });
  expect(bench.told()).toEqual(['PreToolUse failed: it ended with exit code 1']);
});

test('a hook that prints without end is read to its end, and is no JSON', async () => {
  const bytes = 40 * MAX_OUTPUT_BYTES;
  const bench = hookBench({
    PreToolUse: [
      `echo '{"decision": "block", "message": "'; head -c ${bytes} /dev/zero | tr '\\0' x; head -c ${bytes} /dev/zero >&2; touch came-through`,
    ],
  });
  expect(await bench.before('shell')).toEqual(GO);
  expect(bench.told()).toEqual(['PreToolUse failed: it printed too much']);
  expect(existsSync(join(bench.workspace, 'came-through'))).toBe(true);
});

test('a call with a large input does not disturb a hook that reads nothing', async () => {
  const bench = hookBench({ PreToolUse: ['exec true'] });
  expect(await bench.before('write_file', { content: 'x'.repeat(2_000_000) })).toEqual(GO);
  expect(bench.told()).toEqual(['PreToolUse passed: ']);
});

test('what a hook says at length is cut, and not in the middle of a character', async () => {
  const bench = hookBench({
    PreToolUse: [`printf x >&2; yes 🐍 | head -n 9000 | tr -d '\\n' >&2; exit 2`],
  });
  const verdict = await bench.before('shell');
  const reason = verdict.decision === 'block' ? verdict.reason : '';
  expect(reason).toBe(`x${'🐍'.repeat((MAX_SAID_CHARS - 2) / 2)}`);
});

test('a hook that takes too long is ended with all that it has started, though it ignores TERM', async () => {
  const bench = hookBench({
    PreToolUse: [
      hook(
        `trap '' TERM; (trap '' TERM; sleep 300) & echo $! > child; while :; do sleep 300; done`,
        {
          timeoutMs: 500,
        },
      ),
    ],
  });
  expect(await bench.before('shell')).toEqual(GO);
  expect(bench.told()).toEqual(['PreToolUse failed: it took longer than 0.5 s and was ended']);
  const child = Number(readFileSync(join(bench.workspace, 'child'), 'utf8'));
  await eventually(() => !lives(child));
});

/** One that was killed and not collected yet still has its number. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a cancelled call ends its hook, of which nothing is told', async () => {
  const cancel = new AbortController();
  const bench = hookBench({ PreToolUse: ['sleep 300', 'touch second'] });
  const verdict = bench.before('shell', {}, cancel.signal);
  setTimeout(() => cancel.abort(), 200);
  expect(await verdict).toEqual(GO);
  expect(bench.told()).toEqual([]);
  expect(existsSync(join(bench.workspace, 'second'))).toBe(false);
});

test('hooks run in order, each sees what the one before has changed, and all may speak', async () => {
  const bench = hookBench({
    PreToolUse: [
      `echo '{"input": {"n": 1}, "message": "one"}'`,
      'cat >> seen',
      'exit 1',
      `echo '{"message": "two"}'`,
    ],
  });
  const changed = { decision: 'change', args: { n: 1 }, message: 'one\ntwo' };
  expect(await bench.before('shell', { n: 0 })).toEqual(changed);
  expect(bench.seen('seen')).toMatchObject([{ input: { n: 1 } }]);
});

test('the first hook that blocks is the last that runs', async () => {
  const bench = hookBench({ PreToolUse: ['exit 0', 'echo mine >&2; exit 2', 'touch third'] });
  expect(await bench.before('shell')).toEqual({ decision: 'block', reason: 'mine' });
  expect(existsSync(join(bench.workspace, 'third'))).toBe(false);
});

test.each([
  ['shell', ['shell'], ['shell_x', 'my_shell']],
  ['read_file|write_.*', ['read_file', 'write_file'], ['edit_file']],
  ['*', ['shell', 'grep'], []],
])('the matcher %s is for the whole name of the tool', async (matcher, meant, others) => {
  const bench = hookBench({ PreToolUse: [hook('exit 2', { matcher })] });
  for (const tool of meant) expect((await bench.before(tool)).decision).toBe('block');
  for (const tool of others) expect((await bench.before(tool)).decision).toBe('go');
  expect(bench.facts).toHaveLength(meant.length);
});

test('after a call a hook speaks to the model by its message or its block', async () => {
  const bench = hookBench({
    PostToolUse: [
      hook('echo 2 errors >&2; exit 2', { matcher: 'edit_file' }),
      `echo '{"message": "m"}'`,
    ],
  });
  expect(await bench.after('edit_file', 'x')).toBe('2 errors');
  expect(await bench.after('read_file', 'x')).toBe('m');
});

test('without hooks about tools the tools know of none', () => {
  expect(hookBench({ Stop: ['exit 2'] }).hooks.tools).toBeUndefined();
});

test('what a hook has changed is judged again, and a rule refuses it', async () => {
  const { hooks, workspace } = hookBench({
    PreToolUse: [hook(`cat decision`, { matcher: 'write_file' })],
  });
  const decide = (path: string): void => {
    const answer = { decision: 'allow', input: { path, content: 'changed' } };
    writeFileSync(join(workspace, 'decision'), JSON.stringify(answer));
  };
  const bench = workbench({
    ...(hooks.tools === undefined ? {} : { hooks: hooks.tools }),
    judge: {
      judge: ({ subject }) =>
        subject === 'secret'
          ? { allowed: false, rule: 'deny write_file(secret)', text: 'Denied.' }
          : { allowed: true, rule: 'test' },
    },
  });
  decide('secret');
  const refused = await bench.run('write_file', { path: 'a', content: 'x' });
  expect(refused).toMatchObject({ status: 'denied', rule: 'deny write_file(secret)' });
  expect(existsSync(join(bench.workspace, 'secret'))).toBe(false);
  decide('b');
  const ran = await bench.run('write_file', { path: 'a', content: 'x' });
  expect(ran.text).toBe('Wrote 1 line to b\n[hook: A hook changed the arguments.]');
  expect(readFileSync(join(bench.workspace, 'b'), 'utf8')).toBe('changed');
});
