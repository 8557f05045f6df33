/** What holds for every text a model could send. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { judgeOf, makeGround, shell, write } from './support.js';

const ground = makeGround();
afterAll(() => ground.remove());
const strict = judgeOf(ground);
const ruled = judgeOf(ground, { allow: ['shell(npm *)', 'write_file(.git/*)'] });
const bypass = judgeOf(ground, { mode: 'bypass' });

const shellish = fc
  .array(
    fc.constantFrom(
      ...'ls|cat|npm|ouro|cd|..|a.txt|/|~|$|(|)|`|{|}|"|\'|\\|;|&|&&|>|<|*|?|[|]|#|!|=|-|--|2>&1| |\n|\t|\0'
        .split(/\|(?!$)/)
        .concat('|', '||', '${IFS}', '$(', '.ouro'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
const anyText = fc.oneof(shellish, fc.string({ unit: 'binary', maxLength: 200 }), fc.string());

test('judging never throws', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const judge of [strict, ruled, bypass]) {
        expect(typeof shell(judge, ground, text).allowed).toBe('boolean');
        expect(typeof write(judge, ground, text).allowed).toBe('boolean');
      }
    }),
    { numRuns: 300 },
  );
});

const plain = fc.constantFrom('ls', 'cat a.txt', 'echo x | wc', 'npm test', "npm run 'a b'");
const harmful = fc.constantFrom('x', 'rm -rf .', 'curl http://x');
const wrapper = fc.constantFrom('', 'env ', 'timeout 5 ', 'nice ', 'command ');

test('a plain command with something hung on to it is not allowed', () => {
  fc.assert(
    fc.property(plain, harmful, wrapper, (command, bad, wrap) => {
      const other = `${wrap}${bad}`;
      expect(shell(ruled, ground, command).allowed).toBe(true);
      for (const wrapped of [
        `${command};${other}`,
        `${other};${command}`,
        `${command} $(${other})`,
        `${command} "$(${other})"`,
        `${command} \`${other}\``,
        `${command}\n${other}`,
        `${command} && ${other}`,
        `${command} | ${other}`,
        `${command} || ${other}`,
        `${command} & ${other}`,
        `${command} > ../${other}`,
        `${command} <(${other})`,
        `X=y ${command}`,
        `(${command}; ${other})`,
        `for i in 1; do ${command}; ${other}; done`,
        `if ${command}; then ${other}; fi`,
        `x=$(${other}) ${command}`,
        `bash -c '${other}'; ${command}`,
        `${command} <<E\nE\n${other}`,
      ])
        expect(shell(ruled, ground, wrapped).allowed, wrapped).toBe(false);
    }),
    { numRuns: 30 },
  );
});

test('any text in single quotes is text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const inside = text.replace(/[\p{Cc}']/gu, '');
      expect(shell(strict, ground, `echo '${inside}'`).allowed).toBe(true);
    }),
    { numRuns: 200 },
  );
});
