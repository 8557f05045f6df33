/** The parser against the shells themselves: what it accepts, bash and sh must read as the same words. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePlainCommands } from '../../src/permissions/plain-command.js';

const pieces = fc.constantFrom(
  ...['a', 'b-c', '-x', '--y=z', '=', '/', '.', ',', '@', '%', '^', '+', ':', '!', '#', '\\', '~'],
  ...[' ', '  ', '\t', '\n', "'", '"', '$', '`', '|', '&', ';', '(', '{', '}', '<', '>', '2>&1'],
  ...['"a b"', "'c d'", "'$x'", '"\\$y"', '"\\\\"', '"\\n"', '""', "''", 'ü', '🙂', '>/dev/null'],
);
const texts = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

/** Each accepted text as the arguments of `set`, in one run; the shell tells what it made of them. */
function wordsAsReadBy(program: string, accepted: readonly string[]): readonly string[] {
  const cwd = mkdtempSync(join(tmpdir(), 'words-'));
  const script = accepted.map((text) => `set -- ${text}\nprintf '%s\\0' "$#" "$@"`).join('\n');
  const run = spawnSync(program, ['-c', script], { cwd, encoding: 'utf8' });
  rmSync(cwd, { recursive: true });
  expect(run.stderr).toBe('');
  return run.stdout.split('\0').slice(0, -1);
}

test('bash and sh read the accepted words as the parser does', () => {
  const accepted: string[] = [];
  const expected: string[] = [];
  for (const text of fc.sample(texts, 4000)) {
    const parsed = parsePlainCommands(`set -- ${text}`);
    const [command, ...more] = parsed.ok ? parsed.commands : [];
    const words = command?.words.slice(2) ?? [];
    if (command === undefined || more.length > 0 || words.some((word) => word.expands)) continue;
    accepted.push(text);
    expected.push(String(words.length), ...words.map((word) => word.text));
  }
  expect(accepted.length).toBeGreaterThan(100);
  for (const program of ['bash', 'sh']) expect(wordsAsReadBy(program, accepted)).toEqual(expected);
});

test('a command has one spelling, which reads as the same command', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parsePlainCommands(text);
      for (const command of parsed.ok ? parsed.commands : []) {
        const again = parsePlainCommands(command.text);
        expect(again).toEqual({ ok: true, commands: [command] });
      }
    }),
  );
});
