/** Refusing, asking, approving: which rule decides, what it covers, and how it is explained. */
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { explainCall, explainedLines, readCall } from '../../src/permissions/explain-rule.js';
import { createJudge, exactRule, type JudgeOptions } from '../../src/permissions/judge.js';
import { MODES } from '../../src/permissions/ground.js';
import { judgeOf, makeGround, shell, write } from './support.js';

const ground = makeGround();
afterAll(() => ground.remove());

function created(options: Partial<JudgeOptions>) {
  const { workspace, ouroHome } = ground;
  const made = createJudge({ mode: 'default', allow: [], workspace, ouroHome, ...options });
  if (!made.ok) throw new Error(made.message);
  return made;
}

describe('a rule that refuses a command finds it wherever it stands', () => {
  const bypass = judgeOf(ground, { mode: 'bypass', deny: ['shell(rm *)', 'shell(git push*)'] });
  test.each([
    'rm a.txt',
    '/bin/rm a.txt',
    "'rm' a.txt",
    'r\\m a.txt',
    'ls; rm a.txt',
    'ls && rm a.txt',
    'ls\nrm a.txt',
    'ls & rm a.txt',
    'echo $(rm a.txt)',
    'echo `rm a.txt`',
    'if true; then rm a.txt; fi',
    'f() { rm a.txt; }; f',
    'X=1 rm a.txt',
    'env X=1 rm a.txt',
    'sudo -u me rm a.txt',
    'timeout 5 nice rm a.txt',
    'ls | xargs -n1 rm -f',
    'find . -name x -exec rm {} +',
    "bash -c 'ls; rm a.txt'",
    `sh -c "bash -c 'rm a.txt'"`,
    'bash <<E\nrm a.txt\nE',
    'eval "rm a.txt"',
    'rm *',
    "git push 'a b'",
    'git push',
  ])('%s', (command) => {
    expect(shell(bypass, ground, command)).toMatchObject({ allowed: false });
    expect(shell(bypass, ground, command).rule).toMatch(/^shell\((rm|git push)/);
  });
  test.each([
    'ls rm',
    'echo rm a.txt',
    "git commit -m 'rm x'",
    'npm run rm',
    "cat <<'E'\nrm a.txt\nE",
    'git pull && make',
    'rmdir x',
  ])('%s is not that', (command) => {
    expect(shell(bypass, ground, command)).toEqual({ allowed: true, rule: 'bypass' });
  });
  test('a program that is not known before it runs may be the refused one', () => {
    for (const command of ['$X a.txt', '"$(which rm)" a.txt', '/bin/r? a.txt', 'eval "$X"'])
      expect(shell(bypass, ground, command)).toMatchObject({ allowed: false, rule: 'unproven' });
    expect(shell(judgeOf(ground, { mode: 'bypass' }), ground, '$X a.txt').allowed).toBe(true);
  });
});

describe('a rule that refuses a path', () => {
  const bypass = judgeOf(ground, {
    mode: 'bypass',
    deny: ['read_file(a.txt)', 'edit_file(./src/**)', 'read_file(.git/hooks/*)'],
  });
  const read = (subject: string) =>
    bypass.judge({ tool: 'read_file', effect: 'read', subject, cwd: ground.workspace }).allowed;
  test('holds for every name of it', () => {
    for (const path of [
      'a.txt',
      './a.txt',
      'src/../A.TXT',
      'inside-link',
      'hooks-link/x',
      'a\u200b.txt',
    ])
      expect(read(path), path).toBe(false);
    expect(read(join(ground.workspace, 'a.txt'))).toBe(false);
    expect(read('b.txt')).toBe(true);
  });
  test('holds for the other tool that writes', () => {
    expect(write(bypass, ground, 'src/b.ts').allowed).toBe(false);
    expect(write(bypass, ground, 'other.ts').allowed).toBe(true);
  });
  test.each([
    'cat a.txt',
    'cat inside-link',
    'cat ./*.txt',
    'python3 x a.txt',
    'cp a.txt b.txt',
    'cat < a.txt',
  ])('holds for the command %s', (command) => {
    expect(shell(bypass, ground, command).allowed).toBe(false);
  });
  test('keeps a command that reads whole folders from being proven', () => {
    const guarded = judgeOf(ground, { deny: ['read_file(a.txt)'] });
    expect(shell(guarded, ground, 'grep -rn x .').allowed).toBe(false);
    expect(shell(guarded, ground, 'grep -n x src/b.ts').allowed).toBe(true);
  });
});

test('an address is matched by its host', () => {
  const judge = judgeOf(ground, { deny: ['web_fetch(domain:example.org)'] });
  const fetch = (subject: string) =>
    judge.judge({ tool: 'web_fetch', effect: 'read', subject, cwd: ground.workspace }).allowed;
  for (const url of ['https://example.org/x', 'http://a.EXAMPLE.org', 'https://example.org.:8443/'])
    expect(fetch(url), url).toBe(false);
  for (const url of ['https://example.com', 'https://notexample.org', 'https://x/?example.org'])
    expect(fetch(url), url).toBe(true);
});

test('refusing wins over asking, asking over allowing, whatever the order and the precision', () => {
  const all = {
    allow: ['shell(make x)', 'shell'],
    ask: ['shell(make *)'],
    deny: ['shell(make x*)'],
  };
  expect(shell(judgeOf(ground, all), ground, 'make x').rule).toBe('shell(make x*)');
  expect(shell(judgeOf(ground, { ...all, deny: [] }), ground, 'make x')).toMatchObject({
    rule: 'shell(make *)',
    ask: true,
  });
  expect(shell(judgeOf(ground, { ...all, ask: [], deny: [] }), ground, 'make x').allowed).toBe(
    true,
  );
});

test('a refusing rule wins in every mode, in a sandbox and over an approval', () => {
  const word = fc
    .stringMatching(/^[a-z][a-z-]{0,8}$/)
    .filter((text) => !/^(ouro|in|do|if|fi)$/.test(text));
  fc.assert(
    fc.property(
      word,
      word,
      fc.constantFrom(...MODES),
      fc.boolean(),
      (program, arg, mode, sandboxed) => {
        const command = `${program} ${arg}`;
        const made = created({ mode, sandboxed, allow: ['shell'], deny: [`shell(${program} *)`] });
        made.remember(`shell(=${command})`, 'session');
        for (const text of [
          command,
          `ls; ${command}`,
          `x=$(${command})`,
          `nice ${command}`,
          `a &\n${command}`,
        ])
          expect(shell(made.judge, ground, text).allowed, text).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
});

test('loops in loops cost no more than their parts', () => {
  const depth = 12;
  const nested = `${'for i in 1 2; do cd src; '.repeat(depth)}ls${'; done'.repeat(depth)}`;
  const judge = judgeOf(ground, { allow: ['shell(cd *)', 'shell(ls)'] });
  expect(shell(judge, ground, nested).allowed).toBe(true);
  expect(shell(judgeOf(ground), ground, nested).allowed).toBe(false);
});

describe('an approval for this session', () => {
  const request = (tool: string, effect: 'execute' | 'write', subject: string) => ({
    tool,
    effect,
    subject,
    cwd: ground.workspace,
  });
  test('allows that very call and no other, also where a rule asks', () => {
    const made = created({ ask: ['shell(rm *)'] });
    for (const command of ['rm *', 'for i in 1; do make $i & done', 'make "a b"', 'rm x; ls']) {
      const call = request('shell', 'execute', command);
      expect(made.judge.judge(call)).toMatchObject({ allowed: false, ask: true });
      expect(made.remember(exactRule(call), 'session')).toBe(true);
      expect(made.judge.judge(call)).toEqual({ allowed: true, rule: exactRule(call) });
    }
    for (const command of ['rm x', 'rm * y', 'rm x; ls; rm y', 'make'])
      expect(shell(made.judge, ground, command).allowed, command).toBe(false);
  });
  test('allows that very file', () => {
    const made = created({});
    const call = request('write_file', 'write', '.vscode/*.json');
    made.remember(exactRule({ ...call, subject: '.vscode/tasks.json' }), 'session');
    expect(write(made.judge, ground, '.vscode/tasks.json').allowed).toBe(true);
    expect(write(made.judge, ground, '.vscode/launch.json').allowed).toBe(false);
    made.remember(exactRule(call), 'session');
    expect(write(made.judge, ground, '.vscode/launch.json').allowed).toBe(false);
  });
  test('does not lift what is forbidden, a plan, or the edge of the workspace', () => {
    for (const options of [{}, { mode: 'plan' as const }]) {
      const made = created(options);
      for (const rule of ['shell', 'write_file', 'shell(=ouro ls)']) made.remember(rule, 'session');
      expect(shell(made.judge, ground, 'ouro ls').allowed).toBe(false);
      expect(write(made.judge, ground, '../x').allowed).toBe(false);
    }
    expect(created({}).remember('no rule at all', 'session')).toBe(false);
  });
});

test('names that other programs give the tools are understood', () => {
  const judge = judgeOf(ground, { allow: ['Bash(make *)'], deny: ['Read(a.txt)', 'mcp__evil*'] });
  const ask = (tool: string, effect: 'read' | 'execute', subject: string) =>
    judge.judge({ tool, effect, subject, cwd: ground.workspace }).allowed;
  expect(ask('shell', 'execute', 'make x')).toBe(true);
  expect(ask('read_file', 'read', 'a.txt')).toBe(false);
  expect(ask('mcp__evil_tool', 'read', 'x')).toBe(false);
  expect(ask('mcp__good_tool', 'read', 'x')).toBe(true);
});

const WITH_ORIGINS: Partial<JudgeOptions> = {
  allow: ['shell(npm test*)'],
  deny: ['shell(rm *)'],
  origins: {
    'allow shell(npm test*)': { from: '/home/me/config.toml', line: 12 },
    'deny shell(rm *)': { from: 'flag --deny', line: null },
  },
};

test('a refusal by rule tells where the rule stands', () => {
  const verdict = shell(judgeOf(ground, WITH_ORIGINS), ground, 'rm x');
  expect(verdict).toMatchObject({ text: expect.stringContaining('(flag --deny)') as string });
  const { workspace, ouroHome } = ground;
  const bad = { allow: ['(('], origins: { 'allow ((': { from: 'config.toml', line: 3 } } };
  const made = createJudge({ mode: 'default', workspace, ouroHome, ...bad });
  expect(made).toMatchObject({
    ok: false,
    message: expect.stringContaining('config.toml:3') as string,
  });
});

test('an explanation names the rule that decided, its place, and what else was looked at', () => {
  const { explain } = created(WITH_ORIGINS);
  const request = {
    tool: 'shell',
    effect: 'execute',
    subject: 'npm test',
    cwd: ground.workspace,
  } as const;
  const { verdict, level, decidedBy, considered } = explain(request);
  expect(verdict).toEqual({ allowed: true, rule: 'shell(npm test*)' });
  expect(level).toBe('execute');
  expect(decidedBy).toMatchObject([{ kind: 'rule', rule: { origin: { line: 12 } } }]);
  expect(considered.map(({ rule, matches }) => [rule.source, matches])).toEqual([
    ['shell(rm *)', false],
    ['shell(npm test*)', true],
  ]);
});

/** What `ouro config explain` prints. */
function explainRule(text: string, options: JudgeOptions): readonly string[] {
  const call = readCall(text);
  if (call === null) throw new Error(`not a call: ${text}`);
  const explained = explainCall(call, options);
  return explained.ok ? explainedLines(call, options, explained) : [explained.message];
}

test.each([
  ['think', 'none'],
  ['read_file(a.txt)', 'read'],
  ['write_file(x)', 'write'],
  ['write_file(.envrc)', 'dangerous'],
  ['shell(ls)', 'read'],
  ['shell(ls > x)', 'write'],
  ['shell(make)', 'execute'],
  ['shell(make &)', 'dangerous'],
  ['shell(ouro ls)', 'forbidden'],
  ['runner(x)', 'execute'],
])('%s has level %s', (call, level) => {
  const { workspace, ouroHome } = ground;
  const lines = explainRule(call, { mode: 'default', allow: [], workspace, ouroHome });
  expect(lines[1]).toContain(`level ${level}`);
});

test('lines for a person say the answer, what decided it, and the rules for the tool', () => {
  const { workspace, ouroHome } = ground;
  const options: JudgeOptions = {
    mode: 'default',
    allow: [],
    workspace,
    ouroHome,
    ...WITH_ORIGINS,
  };
  expect(explainRule('Bash(npm test)', options)).toEqual([
    'shell(npm test): allowed',
    '  mode default, no sandbox, level execute',
    '  decided by the rule allow shell(npm test*) (/home/me/config.toml:12)',
    '  does not match: deny shell(rm *) (flag --deny)',
    '  matches: allow shell(npm test*) (/home/me/config.toml:12)',
  ]);
  expect(explainRule('shell(make)', options)).toContain(
    '  decided by not-allowed: not proven to only read, and no rule allows it',
  );
  expect(readCall('shell make')).toBeNull();
});
