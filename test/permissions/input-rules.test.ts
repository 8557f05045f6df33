/** What may be written to the input of a process that runs already. */
import { afterAll, expect, test } from 'vitest';
import type { Verdict } from '../../actors/ports.js';
import { createJudge, exactRule, type JudgeOptions } from '../../src/permissions/judge.js';
import { makeGround } from './support.js';

const ground = makeGround();
afterAll(() => ground.remove());

function judgeWith(options: Partial<JudgeOptions> = {}) {
  const { workspace, ouroHome } = ground;
  const created = createJudge({ mode: 'default', allow: [], workspace, ouroHome, ...options });
  if (!created.ok) throw new Error(created.message);
  return created;
}

const request = (command: string, text: string) => ({
  tool: 'process_write',
  effect: 'execute' as const,
  subject: `${command}\n${text}`,
  cwd: ground.workspace,
});

const answer = (verdict: Verdict): string =>
  verdict.allowed ? 'allow' : verdict.ask === true ? 'ask' : 'deny';

const answerTo = (options: Partial<JudgeOptions>, text: string, command = 'bash'): string =>
  answer(judgeWith(options).judge.judge(request(command, text)));

test('outside of the sandbox input asks, also when a rule allowed the command', () => {
  expect(answerTo({}, 'ls\n')).toBe('ask');
  expect(answerTo({ allow: ['shell(bash*)'] }, 'ls\n')).toBe('ask');
  expect(answerTo({ allow: ['shell'] }, 'ls\n')).toBe('ask');
  expect(answerTo({ mode: 'accept-edits' }, 'ls\n')).toBe('ask');
  expect(answerTo({ mode: 'dont-ask' }, 'ls\n')).toBe('deny');
  expect(answerTo({ mode: 'bypass' }, 'ls\n')).toBe('allow');
});

test('a rule names the command of the process, or command and text', () => {
  const allow = ['process_write(python3 -i*)', 'process_write(./serve*)'];
  expect(answerTo({ allow }, 'print(1)\n', 'python3 -i')).toBe('allow');
  expect(answerTo({ allow }, 'r\n', './serve --watch')).toBe('allow');
  expect(answerTo({ allow }, 'python3 -i\n', 'bash')).toBe('ask');
  expect(answerTo({ allow: ['process_write'] }, 'y\n', 'npm init')).toBe('allow');
  expect(answerTo({ allow: ['process_write'], deny: ['process_write(bash*)'] }, 'y\n')).toBe(
    'deny',
  );
});

test('in the sandbox input is allowed, unless rules say what commands must not do', () => {
  expect(answerTo({ sandboxed: true }, 'make\n')).toBe('allow');
  expect(answerTo({ sandboxed: true, mode: 'plan' }, 'make\n')).toBe('deny');
  expect(answerTo({ sandboxed: true, deny: ['shell(git push*)'] }, 'make\n')).toBe('ask');
  expect(answerTo({ sandboxed: true, ask: ['shell(git push*)'] }, 'make\n')).toBe('ask');
});

test('what a rule refuses as a command it refuses as input, in every mode', () => {
  const deny = ['shell(git push*)'];
  for (const mode of ['default', 'bypass'] as const) {
    const allow = ['process_write'];
    for (const text of ['git push\n', 'cd x; git push -f\n', 'bash -c "git push"\n']) {
      expect(answerTo({ mode, deny, allow }, text), text).toBe('deny');
    }
    expect(answerTo({ mode, deny, allow }, 'git status\n')).toBe('allow');
  }
  expect(answerTo({ ask: ['shell(git push*)'], allow: ['process_write'] }, 'git push\n')).toBe(
    'ask',
  );
});

test('ouro and its home are closed to input too', () => {
  for (const options of [{ mode: 'bypass' as const }, { allow: ['process_write'] }]) {
    expect(answerTo(options, 'ouro approve q1\n')).toBe('deny');
    expect(answerTo(options, `cat ${ground.ouroHome}/config.toml\n`)).toBe('deny');
  }
});

test('an approval holds for this text to this command and nothing else', () => {
  const { judge, remember } = judgeWith();
  expect(remember(exactRule(request('npm init', 'y\n')), 'session')).toBe(true);
  expect(answer(judge.judge(request('npm init', 'y\n')))).toBe('allow');
  expect(answer(judge.judge(request('npm init', 'y\nn\n')))).toBe('ask');
  expect(answer(judge.judge(request('bash', 'y\n')))).toBe('ask');
});
