/** What each mode makes of each kind of call, with and without a sandbox. */
import { afterAll, describe, expect, test } from 'vitest';
import type { PermissionRequest, Verdict } from '../../actors/ports.js';
import { MODES, type Mode } from '../../src/permissions/ground.js';
import type { JudgeOptions } from '../../src/permissions/judge.js';
import { judgeOf, makeGround } from './support.js';

const ground = makeGround();
afterAll(() => ground.remove());

const RULES = {
  allow: ['shell(npm test*)', 'runner(good)'],
  ask: ['shell(git push*)', 'shell(cat src/b.ts)', 'write_file(asked/*)', 'read_file(asked/*)'],
  deny: ['shell(curl *)', 'write_file(denied/*)', 'read_file(denied/*)', 'runner(bad)'],
};

const call = (
  tool: string,
  subject: string,
): Pick<PermissionRequest, 'tool' | 'effect' | 'subject'> => {
  const effects = {
    shell: 'execute',
    write_file: 'write',
    edit_file: 'write',
    think: 'none',
  } as const;
  const named = Object.entries(effects).find(([name]) => name === tool)?.[1];
  return { tool, effect: named ?? (tool === 'runner' ? 'execute' : 'read'), subject };
};

const answer = (verdict: Verdict): string =>
  verdict.allowed ? 'allow' : verdict.ask === true ? 'ask' : 'deny';

function answers(mode: Mode, sandboxed: boolean, tool: string, subject: string): string {
  const options: Partial<JudgeOptions> = { ...RULES, mode, sandboxed };
  return answer(judgeOf(ground, options).judge({ ...call(tool, subject), cwd: ground.workspace }));
}

/** default, accept-edits, plan, dont-ask, bypass; then default, accept-edits, plan, dont-ask in a sandbox. */
type Row = readonly [what: string, tool: string, subject: string, plain: string, boxed: string];
const ROWS: readonly Row[] = [
  ['thinking', 'think', '', 'a a a a a', 'a a a a'],
  ['reading', 'read_file', 'a.txt', 'a a a a a', 'a a a a'],
  ['writing inside', 'write_file', 'new.txt', 'a a d a a', 'a a d a'],
  ['writing what runs code later', 'write_file', '.envrc', '? ? d d a', '? ? d d'],
  ['writing outside', 'write_file', '../x', 'd d d d a', 'd d d d'],
  ['a command that only reads', 'shell', 'ls | wc', 'a a a a a', 'a a a a'],
  ['a command with a rule', 'shell', 'npm test', 'a a d a a', 'a a d a'],
  ['a command that writes by redirection', 'shell', 'ls > a.txt', 'a a d a a', 'a a d a'],
  [
    'a command that changes only what it names',
    'shell',
    'mkdir -p x && cp a.txt x',
    '? a d d a',
    'a a d a',
  ],
  ['a command without a rule', 'shell', 'make', '? ? d d a', 'a a d a'],
  ['a command that cannot be read', 'shell', 'make &', '? ? d d a', 'a a d a'],
  ['a command that names what runs code later', 'shell', 'tee .npmrc', '? ? d d a', '? ? d d'],
  ['a move over what runs code later', 'shell', 'mv x .git', '? ? d d a', '? ? d d'],
  ['a command to ask about', 'shell', 'git push origin', '? ? d d a', '? ? d d'],
  ['a harmless command to ask about', 'shell', 'cat src/b.ts', '? ? d d a', '? ? d d'],
  ['a refused command', 'shell', 'curl x', 'd d d d d', 'd d d d'],
  ['a refused command in a readable one', 'shell', 'ls && env curl x', 'd d d d d', 'd d d d'],
  ['a refused command in an unreadable one', 'shell', 'ls & curl x', 'd d d d d', 'd d d d'],
  ['a command that could be a refused one', 'shell', '$X x', '? ? d d d', '? ? d d'],
  ['reading what is asked about', 'read_file', 'asked/x', '? ? d d a', '? ? d d'],
  ['writing what is asked about', 'edit_file', 'asked/x', '? ? d d a', '? ? d d'],
  ['reading what is refused', 'read_file', 'denied/x', 'd d d d d', 'd d d d'],
  ['reading it by command', 'shell', 'cat denied/x', 'd d d d d', 'd d d d'],
  ['writing what is refused', 'write_file', 'DENIED/x', 'd d d d d', 'd d d d'],
  ['writing it by redirection', 'shell', 'ls > denied/x', 'd d d d d', 'd d d d'],
  ['another tool without a rule', 'runner', 'x', '? ? d d a', '? ? d d'],
  ['another tool with a rule', 'runner', 'good', 'a a d a a', 'a a d a'],
  ['another tool that is refused', 'runner', 'bad', 'd d d d d', 'd d d d'],
  ['ouro', 'shell', 'ouro stop', 'd d d d d', 'd d d d'],
  ["ouro's own folder", 'read_file', ground.ouroHome, 'd d d d d', 'd d d d'],
  ['writing there by command', 'shell', `cp a.txt ${ground.ouroHome}`, 'd d d d d', 'd d d d'],
];

const NAMES: Readonly<Record<string, string>> = { a: 'allow', d: 'deny', '?': 'ask' };
const BOXED: readonly Mode[] = ['default', 'accept-edits', 'plan', 'dont-ask'];

describe.each(ROWS)('%s', (_, tool, subject, plain, boxed) => {
  test.each(MODES.map((mode, index) => [mode, plain.split(' ')[index] ?? ''] as const))(
    'in mode %s',
    (mode, expected) => {
      expect(answers(mode, false, tool, subject)).toBe(NAMES[expected]);
    },
  );
  test.each(BOXED.map((mode, index) => [mode, boxed.split(' ')[index] ?? ''] as const))(
    'in mode %s with a sandbox',
    (mode, expected) => {
      expect(answers(mode, true, tool, subject)).toBe(NAMES[expected]);
    },
  );
});

test('the verdict names the sandbox, the mode and the rule', () => {
  const rule = (mode: Mode, sandboxed: boolean, command: string) =>
    judgeOf(ground, { ...RULES, mode, sandboxed }).judge({
      ...call('shell', command),
      cwd: ground.workspace,
    }).rule;
  expect(rule('default', true, 'make')).toBe('sandbox');
  expect(rule('default', true, 'ls')).toBe('read-only command');
  expect(rule('default', true, 'npm test')).toBe('shell(npm test*)');
  expect(rule('plan', true, 'make')).toBe('plan');
  expect(rule('bypass', false, 'make')).toBe('bypass');
  expect(rule('bypass', false, 'curl x')).toBe('shell(curl *)');
  expect(rule('default', false, 'git push')).toBe('shell(git push*)');
  expect(rule('accept-edits', false, 'touch x')).toBe('edit-in-workspace');
});

describe('accepting edits lets a command change the files it names, and nothing else', () => {
  const judge = judgeOf(ground, { mode: 'accept-edits' });
  const verdict = (command: string) =>
    answer(
      judge.judge({ tool: 'shell', effect: 'execute', subject: command, cwd: ground.workspace }),
    );
  test.each([
    'touch new.txt',
    'rm -f a.txt',
    'rm -rf src',
    'mv a.txt src/',
    'cp -r src copy',
    'rmdir x',
  ])('%s', (command) => {
    expect(verdict(command)).toBe('allow');
  });
  test.each([
    'rm -rf .',
    'rm -rf src/..',
    'rm -rf ../x',
    'rm -rf .git',
    'rm *',
    'cp a.txt hooks-link/pre-commit',
    'cp a.txt outside-link/x',
    'mv src .vscode',
    'cp -t / a.txt',
    'cp a.txt .npmrc',
    'touch -r /etc/passwd x',
    'chmod +x a.txt',
    'ln -s / x',
  ])('not %s', (command) => {
    expect(verdict(command)).toBe('ask');
  });
});
