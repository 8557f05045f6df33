/** The reader against the shells themselves: what it accepts, bash and sh must read as it does. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readShell } from '../../src/permissions/shell-reader.js';
import { commandsIn, type ShellCommand } from '../../src/permissions/shell-tree.js';

const pieces = fc.constantFrom(
  ...['a', 'b-c', '-x', '--y=z', '=', '/', '.', ',', '@', '%', '^', '+', ':', '!', '#', '\\', '~'],
  ...[' ', '  ', '\t', '\n', "'", '"', '$', '`', '|', '&', ';', '(', '{', '}', '<', '>', '2>&1'],
  ...['"a b"', "'c d'", "'$x'", '"\\$y"', '"\\\\"', '"\\n"', '""', "''", 'ü', '🙂', '>/dev/null'],
  ...['\\ ', "\\'", '\\"', '\\\\', '{}', '"$"', '" # "', '\u00a0', '\\\n'],
);
const texts = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

const commandsOf = (text: string): readonly ShellCommand[] => {
  const read = readShell(text);
  return read.ok ? [...commandsIn(read.script)] : [];
};

/**
 * Each text in a shell of its own, with nothing to find on its path; what it wrote to descriptor 9, as the
 * lists of words that it holds.
 */
function runEach(
  program: string,
  scripts: readonly string[],
  before = '',
): readonly (readonly (readonly string[])[])[] {
  const cwd = mkdtempSync(join(tmpdir(), 'shell-'));
  for (const [index, script] of scripts.entries())
    writeFileSync(join(cwd, `${String(index).padStart(5, '0')}.sh`), script);
  const log = join(cwd, 'log');
  const runner = `exec 9>'${log}'\n${before}
for file in "$PWD"/*.sh; do
  printf 'next\\0' >&9
  (PATH=/nowhere; . "$file") </dev/null >/dev/null 2>&1
done`;
  spawnSync(program, ['-c', runner], { cwd, timeout: 50_000 });
  const written = readFileSync(log, 'utf8');
  rmSync(cwd, { recursive: true });
  return written.split('next\0').slice(1).map(wordLists);
}

/** A list is its length and its words, each with a NUL behind it. */
function wordLists(chunk: string): readonly (readonly string[])[] {
  const fields = chunk.split('\0');
  const lists: string[][] = [];
  for (let at = 0; at < fields.length - 1; at += 1 + Number(fields[at]))
    lists.push(fields.slice(at + 1, at + 1 + Number(fields[at])));
  return lists;
}

/** The same texts at every run; another number tries others. */
const SEED = Number(process.env['SHELL_SEED'] ?? 1);

const REPORT = `printf '%s\\0' "$#" "$@" >&9`;

test.each(['bash', 'sh'])('%s reads the accepted words as the reader does', (program) => {
  const accepted: { text: string; words: readonly string[] }[] = [];
  for (const text of fc.sample(texts, { numRuns: 3000, seed: SEED })) {
    const [command, ...more] = commandsOf(`set -- ${text}`);
    if (command === undefined || more.length > 0) continue;
    // A file that cannot be opened, or a descriptor that is not open, keeps it from running.
    const unquoted = text.replace(/["'\\]/g, '');
    if (command.redirections.length > 0 || /[<>]&\d\d/.test(unquoted)) continue;
    const words = command.words.slice(2);
    if (words.every((word) => word.kind === 'literal'))
      accepted.push({ text, words: words.map((word) => word.text) });
  }
  expect(accepted.length).toBeGreaterThan(100);
  const read = runEach(
    program,
    accepted.map(({ text }) => `set -- ${text}\n${REPORT}`),
  );
  expect(read.length).toBe(accepted.length);
  for (const [index, { text, words }] of accepted.entries()) {
    // Where a shell finds no syntax in it, nothing runs.
    const [heard] = read[index] ?? [];
    if (heard !== undefined) expect(heard, JSON.stringify(text)).toEqual(words);
  }
  expect(read.filter((lists) => lists.length > 0).length).toBeGreaterThan(accepted.length * 0.8);
});

const structure = fc.constantFrom(
  ...[
    'c1',
    'c2',
    'c3 x',
    "c4 'y z'",
    ' ',
    ' ',
    '\n',
    ';',
    ' && ',
    ' || ',
    ' | ',
    ' |& ',
    '& ',
    '! ',
  ],
  ...[
    '(',
    ')',
    '{ ',
    '; }',
    '$(',
    '"',
    "'",
    '`',
    '#',
    ' # ',
    '\\',
    '\\\n',
    ' <<E\n',
    '\nE\n',
    "<<'E' ",
  ],
  ...[
    'if ',
    '; then ',
    '; else ',
    '; fi',
    'for v in ',
    '; do ',
    '; done',
    'while ',
    'case ',
    ' in ',
  ],
  ...[
    'v=',
    '$v',
    '"$v"',
    '<(',
    '[[ ',
    ' ]]',
    '((',
    '))',
    'f() ',
    'time ',
    '2>&1',
    '<<< ',
    ';;',
    '{}',
  ],
  ...['"$(c5 x)"', '$(c6)', '; c7', '\nc8 y', '(c9; c10)', 'if c11; then c12; fi', '{ c13; }'],
);
const programs = fc.array(structure, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''));

test('bash starts nothing that is not in the tree', () => {
  const accepted = fc.sample(programs, { numRuns: 6000, seed: SEED }).filter((text) => {
    const commands = commandsOf(text);
    // What is not known to be a program is never allowed.
    const isNamed = commands.every(
      ({ words }) => words.length === 0 || words[0]?.kind === 'literal',
    );
    return commands.length > 0 && isNamed;
  });
  const runnable = [...new Set(accepted)].slice(0, 300);
  expect(runnable.length).toBeGreaterThan(50);
  const started = runEach('bash', runnable, `command_not_found_handle() { ${REPORT}; }`);
  expect(started.length).toBe(runnable.length);
  for (const [index, text] of runnable.entries()) {
    for (const command of started[index] ?? []) {
      const isKnown = commandsOf(text).some(({ words }) =>
        words.every(({ kind }) => kind === 'literal')
          ? isDeepStrictEqual(
              command,
              words.map((word) => word.text),
            )
          : command[0] === words[0]?.text,
      );
      expect(isKnown, `${JSON.stringify(text)} started ${command.join(' ')}`).toBe(true);
    }
  }
});

test('a command has one spelling, which reads as the same command', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const { words, text: spelling } of commandsOf(text)) {
        if (words.length === 0 || words[0]?.kind !== 'literal') continue;
        const [again, ...more] = commandsOf(spelling);
        expect([again?.words, again?.text, more]).toEqual([words, spelling, []]);
      }
    }),
  );
});
