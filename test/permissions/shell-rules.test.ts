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
    'ls; cat a.txt',
    'ls;cat a.txt;',
    'ls\ncat a.txt\n',
    'ls # and a comment',
    'ls |& cat',
    'ls \\\n -la',
    'c\\at a.txt',
    'cat a\\ b/x',
    'echo $(ls src)',
    'echo "$(cat a.txt | wc -l) lines"',
    'echo $HOME "${x:-nothing}" $?',
    'x=$(cat a.txt); echo "$x"',
    'for f in a b; do echo "$f"; done',
    'while read -r line; do echo "$line"; done < a.txt',
    'if [ -f a.txt ]; then cat a.txt; elif test -d src; then ls src; else echo none; fi',
    '[ "$x" = y ] && echo same',
    '! grep -q text a.txt',
    '(cd src; cat b.ts); cat a.txt',
    '{ ls; pwd; } | head -3',
    "cat <<'END'\nrm -rf / $(everything)\nEND",
    'cat <<END | wc -l\nplain\nEND',
    'cat <<< text',
    'wc -l < a.txt',
    'set -euo pipefail; ls',
    "find . -type f -name '*.ts' -not -path './node_modules/*'",
    'find src -maxdepth 1 \\( -name a -o -name b \\)',
    'sort -rn a.txt | uniq -c',
    "printf '%s\\n' $x",
    'date +%s',
    'env lower=1 ls',
    'command ls',
    'command -v node',
    'timeout -k 1 5s ls src',
    'nice -n 5 ls',
    "bash -c 'ls; cat a.txt'",
    `sh -c "bash -c 'ls'"`,
    'ls | xargs -n1 echo',
    'ls 2>&1 >/dev/null',
    'echo x >&2',
    'echo x 2>/dev/stderr',
  ])('%s', (command) => {
    // `cd` without a folder leads home and is no part of what is proven.
    const tried = command.replace(/ && cd$/, '');
    expect(verdict(tried)).toEqual({ allowed: true, rule: 'read-only command' });
  });

  test('relative paths mean the folder that the command runs in', () => {
    expect(verdict('cat ../a.txt', `${ground.workspace}/src`).allowed).toBe(true);
    expect(verdict('cat ../../a.txt', `${ground.workspace}/src`).allowed).toBe(false);
    expect(verdict('cd src && cat ../a.txt').allowed).toBe(false);
    expect(verdict('(cd src) && cat a.txt').allowed).toBe(true);
    expect(verdict('cd src; for i in 1 2; do cat b.ts; done').allowed).toBe(true);
    expect(verdict('for i in 1 2; do cd src; done').allowed).toBe(false);
    expect(verdict('command cd src; cat ../a.txt').allowed).toBe(false);
    expect(verdict('env cd src; cat a.txt').allowed).toBe(true);
    expect(verdict('cd src/deep && cat b.ts').allowed).toBe(true);
  });
});

describe('what the reader cannot prove is refused, and the counterpart in quotes is text', () => {
  test.each([
    ['background', 'ls & rm a.txt'],
    ['background at the end', 'ls &'],
    ['backticks', 'cat `echo a.txt`'],
    ['backticks in double quotes', 'cat "`echo a.txt`"'],
    ['process substitution', 'cat <(echo a)'],
    ['arithmetic', 'echo $((1+1))'],
    ['arithmetic in brackets', 'echo $[1+1]'],
    ['prompt expansion', 'echo ${x@P}'],
    ['indirect parameter', 'echo ${!x}'],
    ['element of an array', 'echo ${a[$(id)]}'],
    ['slice of a parameter', 'echo ${x:a[0]}'],
    ['assigning parameter', 'echo ${PATH:=.}'],
    ['IFS', 'cat${IFS}a.txt'],
    ['ANSI quotes', "cat $'a.txt'"],
    ['locale quotes', 'cat $"a.txt"'],
    ['here-document without an end', 'cat << EOF'],
    ['here-document that substitutes', 'cat <<EOF\n$(rm a.txt)\nEOF'],
    ['two here-documents', 'cat <<A <<B\nx\nA\ny\nB'],
    ['assignment to an element', 'a[0]=x ls'],
    ['array', 'a=(x y) ls'],
    ['assignment that appends', 'PATH+=:. ls'],
    ['function', 'ls() { rm a.txt; }; ls'],
    ['function by keyword', 'function ls { rm a.txt; }'],
    ['brace expansion', 'cat {a,b}.txt'],
    ['keyword', 'if true'],
    ['case', 'case x in x) ls;; esac'],
    ['double brackets', '[[ a > b ]]'],
    ['double parentheses', '((ls))'],
    ['both outputs', 'ls &> list.txt'],
    ['both outputs by descriptor', 'ls >& list.txt'],
    ['time', 'time ls'],
    ['coprocess', 'coproc ls'],
    ['select', 'select x in a; do ls; done'],
    ['continued line in a word', 'cat a\\\n.txt'],
    ['continued line in quotes', 'cat "a\\\n.txt"'],
    ['unterminated single quote', "cat 'a.txt"],
    ['unterminated double quote', 'cat "a.txt'],
    ['unterminated substitution', 'cat $(ls'],
    ['comment that hides the end of a substitution', 'echo $(ls # )\nrm a.txt)'],
    ['program named by a pattern', '/bin/c?t a.txt'],
    ['program named by a variable', '$X a.txt'],
    ['program named by a substitution', '$(echo rm) a.txt'],
    ['program named in part by a variable', 'l"$x" a.txt'],
    ['redirection to a variable descriptor', 'ls {fd}>a.txt'],
    ['empty part', 'ls && '],
    ['empty pipe', '| cat'],
    ['empty statement', 'ls;; ls'],
    ['nothing', ''],
    ['blanks', '  '],
    ['only a comment', '# ls'],
    ['NUL', 'cat a\0b'],
    ['carriage return', 'ls\rrm a.txt'],
    ['escape sequence', 'echo \u001b]52;c;eA==\u0007'],
    ['C1 control', 'echo \u009b31m'],
    ['text for another shell that cannot be read', "bash -c 'ls &'"],
    ['nesting', `${'('.repeat(2000)}ls${')'.repeat(2000)}`],
    ['nested substitutions', `${'echo $('.repeat(30)}ls${')'.repeat(30)}`],
  ])('%s', (_, command) => {
    expect(verdict(command)).toMatchObject({ allowed: false, rule: 'unproven', ask: true });
    if (!/[\0\r\u001b\u009b']/.test(command))
      expect(verdict(`echo '${command}'`).allowed).toBe(true);
  });

  test('size and number of parts are limited', () => {
    expect(verdict(`echo '${'x'.repeat(64 * 1024)}'`)).toMatchObject({ rule: 'unproven' });
    expect(verdict(`echo '${'x'.repeat(60 * 1024)}'`).allowed).toBe(true);
    expect(verdict(Array(10_000).fill('ls').join(' | '))).toMatchObject({ rule: 'unproven' });
    expect(verdict(Array(20).fill('ls').join('; ')).allowed).toBe(true);
    expect(verdict(Array(10_000).fill('ls').join('; '))).toMatchObject({ rule: 'unproven' });
    expect(verdict('x'.repeat(1024 * 1024))).toMatchObject({ allowed: false });
  });
});

describe('a plain command that can do more than read inside the workspace is refused', () => {
  test.each([
    ['wrapper', 'echo a.txt | xargs rm'],
    ['wrapper around a program with paths', 'echo /etc/passwd | xargs cat'],
    ['wrapper that sets the loader', 'env LD_PRELOAD=./x.so ls'],
    ['wrapper with an unknown option', 'env -S "ls x"'],
    ['wrapper with an unknown option', 'timeout --odd 5 ls'],
    ['wrapper in a wrapper', 'nice timeout 5 env rm a.txt'],
    ['interpreter', "bash -c 'rm a.txt'"],
    ['interpreter', 'bash a.txt'],
    ['interpreter', 'bash -c "$x"'],
    ['interpreter', 'ls | bash'],
    ['interpreter', 'eval ls'],
    ['interpreter', '. a.txt'],
    ['separator', 'ls; rm a.txt'],
    ['separator without blanks', 'ls;rm a.txt'],
    ['newline', 'ls\nrm a.txt'],
    ['pipe of errors', 'ls |& tee a.txt'],
    ['command substitution', 'echo $(rm a.txt)'],
    ['command substitution that only makes a path', 'cat $(echo a.txt)'],
    ['substitution in an assignment', 'x=$(rm a.txt)'],
    ['substitution in a loop', 'for f in $(rm a.txt); do ls; done'],
    ['loop', 'for f in a; do rm "$f"; done'],
    ['condition', 'if rm a.txt; then ls; fi'],
    ['branch', 'if true; then ls; else rm a.txt; fi'],
    ['subshell', '(rm a.txt)'],
    ['group', '{ rm a.txt; }'],
    ['negation', '! rm a.txt'],
    ['behind a comment', 'ls # x\nrm a.txt'],
    ['behind a here-document', 'cat <<E\nx\nE\nrm a.txt'],
    ['variable as a path', 'cat $FILE'],
    ['assignment', 'PAGER=x ls'],
    ['assignment of the loader', 'LD_PRELOAD=./x.so ls'],
    ['assignment of the search path', 'PATH=.; ls'],
    ['assignment of a proxy', 'https_proxy=http://x ls'],
    ['loop over the search path', 'for PATH in .; do ls; done'],
    ['reading into the search path', 'read PATH < a.txt'],
    ['input from outside', 'cat < /etc/passwd'],
    ['input by substitution', 'cat < $FILE'],
    ['output to outside', 'echo x > /tmp/x'],
    ['output to the network', 'echo x > /dev/tcp/127.0.0.1/80'],
    ['output to a device', 'echo x > /dev/sda'],
    ['output by variable', 'echo x > $FILE'],
    ['output by wildcard', 'echo x > *.txt'],
    ['output through a link', 'echo x > outside-link/x'],
    ['output after a move out', 'cd .. ; echo x > a.txt'],
    ['test that runs a subscript', `test -v 'a[$(rm a.txt)]'`],
    ['test of several words', '[ -n $x ]'],
    ['test of a path outside', '[ -f /etc/passwd ]'],
    ['printf into a variable', `printf -v 'a[$(rm a.txt)]' x`],
    ['printf that counts', `printf '%n' 'a[$(rm a.txt)]'`],
    ['find that deletes', 'find . -delete'],
    ['find that writes', 'find . -fprint a.txt'],
    ['find that follows links', 'find -L .'],
    ['find outside', 'find / -name x'],
    ['second output of uniq', 'uniq a.txt b.txt'],
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
