/** Which commands run without a rule: those that are proven to only read, and nothing else. */
import { afterAll, describe, expect, test } from 'vitest';
import { judgeOf, makeGround, shell } from './support.js';

const ground = makeGround();
afterAll(() => ground.remove());
const judge = judgeOf(ground);
const verdict = (command: string, cwd?: string) => shell(judge, ground, command, cwd);

describe('a command that only reads inside the workspace runs', () => {
  test.each([
    'ls',
    'ls -la src',
    'ls -1 --reverse',
    'cat a.txt src/b.ts',
    'cat ..notes.txt',
    'cat ./src/../a.txt',
    'cat inside-link',
    `cat "it's.txt"`,
    `cat 'a b/ü 🙂.txt'`,
    'cat missing.txt',
    `cat ${ground.workspace}/a.txt`,
    'cat -- a.txt',
    'cat a.txt | head -n 2',
    'cat a.txt | head -2 | wc -l',
    'tail -n +2 a.txt',
    'ls src -la',
    'head a.txt -n 5',
    'head -c10 a.txt',
    'cut -d , -f 1 a.txt',
    "cut -d',' -f1,2 a.txt",
    'tr a-z A-Z',
    "echo 'text; with $(everything) `in` it > and & more\nlines'",
    'echo "100% \\$HOME \\"quoted\\" \\n"',
    "grep -rn 'a\\|b' src",
    'grep -i text a.txt | wc -l',
    'cat a.txt 2>&1 | tail -n 3',
    'ls missing 2>/dev/null || echo none',
    'true && pwd && uname -a',
    'cd src && cat b.ts && cd',
    'stat -c %s a.txt',
    'du -sh src',
    'basename /anywhere/x.txt .txt',
    'echo a#b c=d e!f',
  ])('%s', (command) => {
    // `cd` without a folder leads home and is no part of what is proven.
    const tried = command.replace(/ && cd$/, '');
    expect(verdict(tried)).toEqual({ allowed: true, rule: 'read-only command' });
  });

  test('relative paths mean the folder that the command runs in', () => {
    expect(verdict('cat ../a.txt', `${ground.workspace}/src`).allowed).toBe(true);
    expect(verdict('cat ../../a.txt', `${ground.workspace}/src`).allowed).toBe(false);
    expect(verdict('cd src && cat ../a.txt').allowed).toBe(false);
    expect(verdict('cd src/deep && cat b.ts').allowed).toBe(true);
  });
});

describe('what the parser cannot prove is refused, and the counterpart in quotes is text', () => {
  test.each([
    ['separator', 'ls; rm a.txt'],
    ['separator without blanks', 'ls;rm a.txt'],
    ['newline', 'ls\nrm a.txt'],
    ['carriage return', 'ls\rrm a.txt'],
    ['background', 'ls & rm a.txt'],
    ['background at the end', 'ls &'],
    ['pipe of errors', 'ls |& cat'],
    ['command substitution', 'cat $(echo a.txt)'],
    ['substitution in double quotes', 'cat "$(echo a.txt)"'],
    ['backticks', 'cat `echo a.txt`'],
    ['backticks in double quotes', 'cat "`echo a.txt`"'],
    ['process substitution', 'cat <(echo a)'],
    ['arithmetic', 'echo $((1+1))'],
    ['variable', 'cat $FILE'],
    ['IFS', 'cat${IFS}a.txt'],
    ['ANSI quotes', "cat $'a.txt'"],
    ['locale quotes', 'cat $"a.txt"'],
    ['here-document', 'cat << EOF'],
    ['here-string', 'cat <<< x'],
    ['input', 'cat < a.txt'],
    ['output', 'echo x > a.txt'],
    ['appended output', 'echo x >> a.txt'],
    ['output without blanks', 'echo x>a.txt'],
    ['both outputs', 'echo x &> a.txt'],
    ['output to another device', 'echo x > /dev/nullx'],
    ['output to a numbered file', 'echo x 2>&1file'],
    ['output that is opened for clobbering', 'echo x >| a.txt'],
    ['assignment', 'PAGER=x ls'],
    ['assignment of the loader', 'LD_PRELOAD=./x.so ls'],
    ['assignment to an element', 'a[0]=x ls'],
    ['assignment that appends', 'PATH+=:. ls'],
    ['function', 'ls() { rm a.txt; }; ls'],
    ['function by keyword', 'function ls { rm a.txt; }'],
    ['subshell', '(ls)'],
    ['group', '{ ls; }'],
    ['brace expansion', 'cat {a,b}.txt'],
    ['keyword', 'if true'],
    ['negation', '! ls'],
    ['time', 'time ls'],
    ['comment', 'ls # x'],
    ['backslash', 'c\\at a.txt'],
    ['continued line', 'cat \\\na.txt'],
    ['continued line in quotes', 'cat "a\\\n.txt"'],
    ['unterminated single quote', "cat 'a.txt"],
    ['unterminated double quote', 'cat "a.txt'],
    ['program named by a pattern', '/bin/c?t a.txt'],
    ['empty part', 'ls && '],
    ['empty pipe', '| cat'],
    ['nothing', ''],
    ['blanks', '  '],
    ['NUL', 'cat a\0b'],
    ['escape sequence', 'echo \u001b]52;c;eA==\u0007'],
    ['C1 control', 'echo \u009b31m'],
    ['quote beside a pattern', "ls 'a b'*"],
  ])('%s', (_, command) => {
    expect(verdict(command)).toMatchObject({ allowed: false, rule: 'unproven' });
    if (!/[\0\r\u001b\u009b']/.test(command))
      expect(verdict(`echo '${command}'`).allowed).toBe(true);
  });

  test('size and number of parts are limited', () => {
    expect(verdict(`echo '${'x'.repeat(64 * 1024)}'`)).toMatchObject({ rule: 'unproven' });
    expect(verdict(`echo '${'x'.repeat(60 * 1024)}'`).allowed).toBe(true);
    expect(verdict(Array(10_000).fill('ls').join(' | '))).toMatchObject({ rule: 'unproven' });
    expect(verdict(Array(20).fill('ls').join(' | ')).allowed).toBe(true);
    expect(verdict('x'.repeat(1024 * 1024))).toMatchObject({ allowed: false });
  });
});

describe('a plain command that can do more than read inside the workspace is refused', () => {
  test.each([
    ['wrapper', 'env ls'],
    ['wrapper', 'command ls'],
    ['wrapper', 'timeout 5 ls'],
    ['wrapper', 'nice ls'],
    ['wrapper', 'echo a.txt | xargs rm'],
    ['interpreter', "bash -c 'ls'"],
    ['interpreter', `awk 'BEGIN{system("id")}'`],
    ['interpreter', 'find . -exec rm x'],
    ['interpreter', "sed '1e id' a.txt"],
    ['interpreter', 'sort --compress-prog=sh a.txt'],
    ['interpreter', "git -c alias.x='!id' x"],
    ['interpreter', 'rg --pre sh x'],
    ['writing', 'rm a.txt'],
    ['writing', 'sort -o a.txt a.txt'],
    ['writing', 'uniq a.txt b.txt'],
    ['writing', 'tee a.txt'],
    ['setting', 'date -s now'],
    ['never ending', 'tail -f a.txt'],
    ['never ending', 'tail -nf -F a.txt'],
    ['files named in a file', 'wc --files0-from=a.txt'],
    ['patterns from a file', 'grep -f a.txt x'],
    ['walking through links', 'grep -R x .'],
    ['looking behind links', 'ls -L'],
    ['abbreviated option', 'du --files0=a.txt'],
    ['option behind operands', 'grep x a.txt -f a.txt'],
    ['value that some systems take for a path', 'head a.txt -n /etc/passwd'],
    ['option that some systems take for a path', 'cat a.txt -nb'],
    ['a path as a program', './cat a.txt'],
    ['upper case', 'CAT a.txt'],
    ['absolute path', 'cat /etc/passwd'],
    ['parent', 'cat ../secret.txt'],
    ['sibling with the same prefix', 'cat ../work-sibling/x'],
    ['link to a folder outside', 'cat outside-link/secret.txt'],
    ['missing name under a link', 'cat outside-link/missing'],
    ['up through a link', 'cat hooks-link/../../../secret.txt'],
    ['up from a missing folder', 'cat missing/../outside-link/secret.txt'],
    ['loop of links', 'cat loop'],
    ['environment of a process', 'cat /proc/self/environ'],
    ['device', 'cat /dev/sda'],
    ['tilde', 'cat ~/.bashrc'],
    ['wildcard', 'cat *'],
    ['wildcard', 'ls src/*.ts'],
    ['5,000 characters', `cat ${'x'.repeat(5000)}`],
    ['move outside', 'cd .. && ls'],
    ['move home', 'cd && ls'],
    ['move back', 'cd - && ls'],
    ['two moves', 'cd src && cd deep && ls'],
    ['move up through a link', 'cd hooks-link/../.. && ls'],
    ['move that may fail', 'cd src && cat b.ts || cat ../secret.txt'],
  ])('%s: %s', (_, command) => {
    expect(verdict(command)).toMatchObject({ allowed: false, rule: 'not-allowed' });
  });

  test('one part that is not proven spoils the whole pipeline', () => {
    expect(verdict('cat a.txt | rm x | wc').allowed).toBe(false);
    expect(verdict('ls && npm test').allowed).toBe(false);
  });

  test('outside the workspace nothing is proven', () => {
    expect(verdict('ls', ground.root).allowed).toBe(false);
    expect(verdict('echo x', '/nowhere').allowed).toBe(false);
  });
});

test('a refusal names the command, the reason and the ways out', () => {
  const plain = verdict('npm test');
  expect(plain).toMatchObject({
    text: expect.stringContaining(`--allow 'shell(npm test)'`) as string,
  });
  expect(plain).toMatchObject({ text: expect.stringContaining('read_file') as string });
  expect(verdict('ls; x')).toMatchObject({ text: expect.stringContaining('";"') as string });
  const quotes = verdict(`touch "it's"`);
  const pasted = String.raw`--allow 'shell(touch '\''it'\''\'\'''\''s'\'')'`;
  expect(quotes).toMatchObject({ text: expect.stringContaining(pasted) as string });
});
