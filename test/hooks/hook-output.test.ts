import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOOK_EVENTS, type HookEvent } from '../../messages/hooks.js';
import { readAnswer } from '../../src/hooks/hook-output.js';

const printed = (stdout: string, event: HookEvent = 'PreToolUse') =>
  readAnswer(event, { exitCode: 0, stdout, isCut: false, stderr: 'ignored' });

const go = (message: string | null = null, input?: unknown) => ({ kind: 'go', input, message });

test.each([
  ['', go()],
  ['all fine\n{"decision": "block"}', go()],
  ['[1, 2]', go()],
  ['{}', go()],
  ['{"decision": "allow"}', go()],
  ['{"decision": "allow", "message": " mind the gap "}', go('mind the gap')],
  ['{"message": ""}', go()],
  ['{"input": {"path": "b"}}', go(null, { path: 'b' })],
  ['{"decision": "block"}', { kind: 'block', reason: 'it gave no reason' }],
  ['{"decision": "block", "message": "not today"}', { kind: 'block', reason: 'not today' }],
  ['{"decision": "block", "reason": "not today"}', { kind: 'block', reason: 'not today' }],
  ['{"decision": "block", "colour": "red"}', { kind: 'block', reason: 'it gave no reason' }],
])('%s is understood', (stdout, expected) => {
  expect(printed(stdout)).toEqual(expected);
});

test.each([
  ['{"decision": "block"', 'begins like a JSON object'],
  ['{"decision": "deny"}', 'decision is "deny", expected "block" or "allow"'],
  ['{"decision": null}', 'decision is null'],
  ['{"message": 5}', 'message is no text'],
  ['{"input": "b"}', 'input is no JSON object'],
  ['{"input": [1]}', 'input is no JSON object'],
  ['{"input": null}', 'input is no JSON object'],
])('%s is a failure of the hook', (stdout, why) => {
  const answer = printed(stdout);
  expect(answer.kind === 'failed' && answer.why).toContain(why);
});

test('only a call that has not run yet can get another input', () => {
  const answer = printed('{"input": {}}', 'PostToolUse');
  expect(answer).toEqual({ kind: 'failed', why: 'PostToolUse has no input' });
});

test('what has happened cannot be blocked', () => {
  const exit2 = { exitCode: 2, stdout: '', isCut: false, stderr: 'no' };
  expect(readAnswer('SessionEnd', exit2)).toMatchObject({ kind: 'failed' });
  expect(printed('{"decision": "block"}', 'Notification')).toMatchObject({ kind: 'failed' });
  expect(readAnswer('Stop', exit2)).toEqual({ kind: 'block', reason: 'no' });
});

test('JSON that was cut is not guessed at', () => {
  const output = { exitCode: 0, stdout: '{"message": "x"}', isCut: true, stderr: '' };
  expect(readAnswer('Stop', output)).toEqual({ kind: 'failed', why: 'it printed too much' });
});

test('whatever a hook prints and however it ends, there is an answer', () => {
  const output = fc.record({
    exitCode: fc.integer({ min: 0, max: 255 }),
    stdout: fc.oneof(fc.string(), fc.json()),
    isCut: fc.boolean(),
    stderr: fc.string(),
  });
  fc.assert(
    fc.property(fc.constantFrom(...HOOK_EVENTS), output, (event, said) => {
      const { kind } = readAnswer(event, said);
      expect(['go', 'block', 'failed']).toContain(kind);
      if (said.exitCode !== 0) expect(kind).not.toBe('go');
    }),
  );
});
