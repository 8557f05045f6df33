/** Commands that are made to look like allowed ones. */
import { join } from 'node:path';
import { isOk, type Area, type Row } from '../table.js';

/** What a person might allow. */
const RULES = { allow: ['shell(echo *)', 'shell(npm test*)', 'shell(git log*)', 'shell(sort *)'] };

/** `P` stands for a command that leaves a trace outside, `Q` for one that shows a key. */
const hidden = (tried: string, attack: string, counterpart: string): Row => ({
  tried,
  attack: async ({ ground, confined }) => {
    const on = await ground({ rules: RULES });
    const trace = `touch ${join(on.outside, 'pwned')}`;
    const show = `cat ${join(on.home, '.ssh', 'id')}`;
    for (const payload of [trace, show]) {
      const { status } = await on.shell(attack.replaceAll('P', payload));
      if (!confined && status !== 'denied' && status !== 'failed') return false;
    }
    return true;
  },
  counterpart: `\`${counterpart}\``,
  allowed: async ({ ground }) => {
    const on = await ground({ rules: RULES });
    return isOk(await on.shell(counterpart));
  },
});

const TEN_THOUSAND = 10_000;

export const shellRules: Area = {
  area: 'shell rules',
  inBoth: true,
  rows: [
    hidden('a semicolon', 'echo a; P', 'echo a; echo b'),
    hidden('&&', 'echo a && P', 'echo a && ls'),
    hidden('||', 'echo a || P; false || P', 'false || echo b'),
    hidden('a pipe', 'echo a | P', 'ls | wc -l'),
    hidden('the background', 'P & echo a', 'echo "a & b"'),
    hidden('a newline', 'echo a\nP', 'echo a\necho b'),
    hidden('a substitution', 'echo $(P)', "echo '$(touch x)'"),
    hidden('backticks', 'echo `P`', "echo '`touch x`'"),
    hidden('a substitution in quotes', 'echo "$(P)"', 'echo "a (b)"'),
    hidden('process substitution', 'sort <(P)', 'echo "<(touch x)"'),
    hidden('a here-document for a shell', 'bash <<E\nP\nE', "cat <<'E'\ntouch x\nE"),
    hidden('${IFS} for spaces', 'echo a;${IFS}P', "echo 'a${IFS}b'"),
    hidden('a program known later', 'X=touch; $X; P', 'x=1; echo "$x"'),
    hidden('LD_PRELOAD', 'LD_PRELOAD=./evil.so P', 'echo LD_PRELOAD=./x.so'),
    hidden('PAGER', 'PAGER=\'sh -c "P"\' git log; P', 'echo PAGER=less'),
    hidden('env', 'env A=1 P', 'echo env'),
    hidden('command', 'command P', 'command -v ls || echo none'),
    hidden('timeout', 'timeout 5 P', 'echo timeout 5'),
    hidden('xargs', 'echo x | xargs sh -c "P"', 'echo xargs'),
    hidden('nice', 'nice -n 5 P', 'echo nice'),
    hidden('bash -c', 'bash -c "P"', 'echo bash -c'),
    hidden('awk', `awk 'BEGIN { system("P") }'`, `echo 'BEGIN { system("touch x") }'`),
    hidden('find -exec', 'find . -maxdepth 0 -exec P ";"', 'find . -name "*.txt"'),
    hidden('sed with e', `sed '1e P' notes.txt`, `echo '1e touch x'`),
    hidden('sort with a program', 'sort --compress-program="P" notes.txt; P', 'sort -r notes.txt'),
    hidden('git with an alias', 'git -c alias.x="!P" x', 'echo git -c alias.x'),
    hidden('rg with a preprocessor', 'rg --pre "P" . notes.txt; P', 'grep -n notes notes.txt'),
    hidden('eval', 'eval "P"', 'echo eval'),
    hidden('a function of that name', 'echo() { P; }; echo a', "echo 'echo() { touch x; }'"),
    hidden('an alias', "alias echo='P'; echo a", 'echo alias'),
    hidden('a redirection', 'echo a > ../outside/pwned; P', 'echo a > made.txt'),
    hidden('a redirection through a link', 'echo a > folder-link/pwned; P', 'echo a >> made.txt'),
    hidden('a trap', "trap 'P' EXIT; echo a", 'echo trap'),
    hidden('arithmetic', 'echo $((a[$(P)]))', 'echo 1+1'),
    hidden('an expansion with an operation', 'echo ${a:-$(P)}', "echo '${a:-b}'"),
    hidden('10,000 parts', `${'true;'.repeat(TEN_THOUSAND)} P`, `${'true; '.repeat(50)} echo a`),
    hidden('1 MB', `echo ${'x'.repeat(1024 * 1024)}; P`, `echo ${'x'.repeat(10_000)}`),
    hidden('an unterminated quote', `echo "a; P`, `echo "a; b"`),
    hidden('a carriage return', 'echo a\r\nP', 'echo "a  b"'),
    hidden('the word after a comment', 'echo a # b\nP', 'echo a # touch x'),
    hidden('a name like an allowed one', 'npm testing; P', 'echo npm'),
    hidden('a path to the program', '/bin/sh -c "P"', 'echo /bin/sh'),
  ],
};
