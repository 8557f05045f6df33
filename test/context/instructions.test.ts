import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { firstInstructions, PathInstructions } from '../../src/context/instructions.js';
import { MAX_INSTRUCTION_BYTES, readInstructions } from '../../src/context/instruction-file.js';

let base = '';
let workspace = '';
let ouroHome = '';

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ouro-instructions-')));
  workspace = join(base, 'work');
  ouroHome = join(base, 'home');
  mkdirSync(workspace);
  mkdirSync(ouroHome);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const source = (trusted = true) => ({ ouroHome, workspace, trusted });
const first = (trusted = true) => firstInstructions(source(trusted));
const read = (name: string) => readInstructions(join(workspace, name), workspace);

test('nothing written down says nothing', () => {
  expect(first()).toBe('');
});

test("the user's instructions come first, then the workspace's, then rules for everywhere", () => {
  write('home/AGENTS.md', 'Answer in English.');
  write('work/AGENTS.md', 'Use tabs.');
  write('work/AGENTS.local.md', 'The server runs on port 8080.');
  write('work/.ouro/rules/always.md', 'Run the tests.');
  write('work/.ouro/rules/some.md', '---\npaths: ["*.sql"]\n---\nUse upper case.');
  const text = first();
  const at = ['English', 'tabs', '8080', 'Run the tests'].map((word) => text.indexOf(word));
  expect(at).toEqual([...at].sort((a, b) => a - b));
  expect(at).not.toContain(-1);
  expect(text).not.toContain('upper case');
});

test('files of a workspace that nobody accepted are notes, not instructions', () => {
  write('work/AGENTS.md', 'Push to production.');
  expect(first(false)).toContain('has not accepted');
  expect(first(false)).not.toContain('Instructions of the workspace');
  expect(first(true)).toContain('accepted by the person');
});

test('a file can include others inside its root, each once on its way', () => {
  write('work/AGENTS.md', 'one\n@include docs/two.md\n@docs/three.md\nfour');
  write('work/docs/two.md', 'two\n');
  write('work/docs/three.md', 'three\n@../AGENTS.md');
  expect(read('AGENTS.md')).toBe('one\ntwo\nthree\n[../AGENTS.md is not included again]\nfour');
});

test('what lies outside of the root is not included, also through a link', () => {
  write('secret.md', 'TOP SECRET');
  symlinkSync(join(base, 'secret.md'), join(workspace, 'link.md'));
  write('work/AGENTS.md', '@../secret.md\n@link.md\n@missing.md');
  expect(read('AGENTS.md')).not.toContain('SECRET');
  expect(read('AGENTS.md')?.match(/is not included/g)).toHaveLength(3);
  symlinkSync(join(base, 'secret.md'), join(workspace, 'AGENTS.local.md'));
  expect(first()).not.toContain('SECRET');
});

test('includes end at a depth, and the text at its size', () => {
  for (let i = 0; i < 12; i += 1) write(`work/d${i}.md`, `level ${i}\n@d${i + 1}.md`);
  expect(read('d0.md')).toContain('d6.md is not included: too deep');
  write('work/big.md', 'x'.repeat(500).concat('\n').repeat(200));
  const big = read('big.md') ?? '';
  expect(Buffer.byteLength(big)).toBeLessThan(MAX_INSTRUCTION_BYTES + 100);
  expect(big).toContain('the rest is left out');
  write('work/many.md', '@big.md\n'.repeat(50));
  expect(Buffer.byteLength(read('many.md') ?? '')).toBeLessThan(MAX_INSTRUCTION_BYTES + 200);
});

test('a FIFO or a folder named like instructions is passed over', () => {
  execFileSync('mkfifo', [join(workspace, 'AGENTS.md')]);
  mkdirSync(join(workspace, 'AGENTS.local.md'));
  expect(first()).toBe('');
});

test('instructions of a folder are told once, when one of its files is used', () => {
  write('work/api/AGENTS.md', 'No floats.');
  write('work/api/v2/AGENTS.md', 'Only v2.');
  const paths = new PathInstructions(source());
  expect(paths.forPath(join(workspace, 'README.md'))).toBeNull();
  const told = paths.forPath(join(workspace, 'api/v2/a.ts')) ?? '';
  expect(told.indexOf('No floats.')).toBeLessThan(told.indexOf('Only v2.'));
  expect(told).toContain('No floats.');
  expect(paths.forPath(join(workspace, 'api/v2/b.ts'))).toBeNull();
});

test.each(['node_modules/x', 'vendor/x', 'a/.venv/lib', '.git'])(
  'instructions below %s are never told',
  (folder) => {
    write(`work/${folder}/AGENTS.md`, 'Run curl.');
    expect(new PathInstructions(source()).forPath(join(workspace, folder, 'a.js'))).toBeNull();
  },
);

test.each<[string, string, boolean]>([
  ['paths: ["src/**/*.ts"]', 'src/a/b.ts', true],
  ['paths: ["src/**/*.ts"]', 'test/a.ts', false],
  ['paths: "*.sql"', 'deep/in/x.sql', true],
  ['paths:\n  - docs/\n  - "*.md"', 'docs/a.txt', true],
  ['paths:\n  - docs/\n  - "*.md"', 'a.txt', false],
  ['title: none', 'a.txt', false],
])('a rule with %j holds for %s: %s', (front, path, holds) => {
  write('work/.ouro/rules/r.md', `---\n${front}\n---\nThe rule.`);
  const told = new PathInstructions(source()).forPath(join(workspace, path));
  expect(told?.includes('The rule.') ?? false).toBe(holds);
});
