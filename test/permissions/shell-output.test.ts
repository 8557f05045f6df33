/** Redirections, which write files without a program's help; commands of the largest size; what a refusal says. */
import { afterAll, describe, expect, test } from 'vitest';
import { judgeOf, makeGround, shell } from './support.js';

const ground = makeGround();
afterAll(() => ground.remove());
const judge = judgeOf(ground);
const verdict = (command: string) => shell(judge, ground, command);

describe('output to a file counts as writing it', () => {
  test.each([
    'echo x > a.txt',
    'echo x >> new.txt',
    'echo x>a.txt',
    'ls 2> src/errors.txt',
    'echo x >| a.txt',
    "cat <<'END' > notes.md\n# $title\nEND",
    '{ ls; pwd; } > list.txt',
    'for f in a b; do echo "$f"; done > list.txt',
  ])('%s', (command) => {
    expect(verdict(command)).toEqual({
      allowed: true,
      rule: expect.stringContaining('write-in-workspace') as string,
    });
    expect(shell(judgeOf(ground, { mode: 'plan' }), ground, command)).toMatchObject({
      allowed: false,
      rule: 'plan',
    });
  });
  test.each([
    'echo x > .git/config',
    'echo x >> .ENVRC',
    'ls > hooks-link/pre-commit',
    '{ ls; } > .npmrc',
  ])('%s asks, since the file runs code later', (command) => {
    expect(verdict(command)).toMatchObject({ allowed: false, rule: 'protected-file', ask: true });
  });
});

test('128 KB of anything is judged', () => {
  const kb = 128 * 1024 - 100;
  for (const text of [
    'a '.repeat(kb / 2),
    'env '.repeat(kb / 4),
    '"$(ls '.repeat(kb / 6),
    'cat /x/y;'.repeat(kb / 9),
    `echo ${'"$x" '.repeat(kb / 5)}`,
    `bash -c '${'rm a; '.repeat(kb / 6)}'`,
    '('.repeat(kb),
    '{a,'.repeat(kb / 3),
    '<<E '.repeat(kb / 4),
  ])
    expect(verdict(text)).toMatchObject({ allowed: false });
});

test('a refusal names the command, the reason and the ways out', () => {
  const plain = verdict('npm test');
  expect(plain).toMatchObject({
    text: expect.stringContaining(`--allow 'shell(npm test)'`) as string,
  });
  expect(plain).toMatchObject({ text: expect.stringContaining('read_file') as string });
  expect(verdict('ls &')).toMatchObject({ text: expect.stringContaining('background') as string });
  const quotes = verdict(`touch "it's"`);
  const pasted = String.raw`--allow 'shell(touch '\''it'\''\'\'''\''s'\'')'`;
  expect(quotes).toMatchObject({ text: expect.stringContaining(pasted) as string });
});
