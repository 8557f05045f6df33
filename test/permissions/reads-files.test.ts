import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readsFiles } from '../../src/permissions/reads-files.js';

test.each([
  'cat a.txt',
  'cat < a.txt',
  'head -n 20 src/main.ts',
  'tail -20 log',
  "sed -n '1,20p' a.txt",
  'grep -rn foo',
  'grep foo src/a.ts',
  'grep -A 3 foo src/a.ts',
  'rg foo',
  'rg foo src',
  'cd src && rg foo',
  'git grep foo',
  'find . -name "*.ts"',
  'ls',
  'ls -la src | head -5',
  'cat a.txt | sort | uniq',
  'npm test && cat report.txt',
  'timeout 5 cat a.txt',
  "bash -c 'ls src'",
  '/usr/bin/find . -type f',
  'find . -name x | xargs grep foo',
  // The parser does not follow these; their first word says enough.
  'cat a.txt &',
  'cd src && ls $((1+1))',
])('%s reads files', (command) => {
  expect(readsFiles(command)).toBe(true);
});

test.each([
  'npm test',
  'npm test | tail -20',
  'npm test | tail -n 20',
  'npm test 2>&1 | grep -A 3 fail',
  'npm test | rg fail',
  'git log | head -5',
  'cat > a.txt',
  'cat a.txt b.txt > c.txt',
  "cat <<'EOF' > a.txt\nwords\nEOF",
  "sed -i 's/a/b/' a.txt",
  "sed 's/a/b/' a.txt",
  'find . -name "*.log" -delete',
  'echo cat a.txt',
  'git status',
  'lsof',
  '',
  'npm test &',
])('%s does not', (command) => {
  expect(readsFiles(command)).toBe(false);
});

test('whatever the text, there is an answer', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof readsFiles(text) === 'boolean'));
});
