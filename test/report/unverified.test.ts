import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CheckTracker, claimsIn, looksLikeCheck } from '../../src/report/unverified.js';

test.each([
  'npm test',
  'npm run test -- --watch=false',
  'cd app && pytest -q',
  'CI=1 make check',
  './node_modules/.bin/eslint .',
  'cargo clippy',
  'go vet ./...',
  'node --test',
  '(npx tsc --noEmit)',
  'sed -i s/a/b/ x && npm run lint | tail -5',
])('%s looks like a check', (command) => {
  expect(looksLikeCheck(command)).toBe(true);
});

test.each([
  'ls -la',
  'cat latest.txt',
  'git commit -m wip',
  'echo contest',
  'rm -rf build',
  'git commit -m "fix test"',
  'mkdir test && echo check',
])('%s does not look like a check', (command) => {
  expect(looksLikeCheck(command)).toBe(false);
});

test('claims are the sentences and list items that speak of success', () => {
  const text =
    'I looked around. All tests pass now.\n- Fixed the parser\n- See src/a.ts\n\nNext: more.';
  expect(claimsIn(text)).toEqual(['All tests pass now.', 'Fixed the parser']);
});

test('of very long words only as much is told as a person reads', () => {
  const claims = claimsIn(`it works. `.repeat(500) + 'x'.repeat(5_000) + ' works');
  expect(claims).toHaveLength(10);
  expect(claims.every((claim) => claim.length <= 300)).toBe(true);
});

test('what was changed is unverified until a check passes', () => {
  const checks = new CheckTracker();
  checks.change('a.ts');
  checks.check('npm test', 1);
  checks.change('b.ts');
  expect(checks.result('It works.')).toEqual({
    method: 'heuristic',
    last_check: { command: 'npm test', exit_code: 1 },
    changes_since: ['a.ts', 'b.ts'],
    claims: ['It works.'],
  });
  checks.check('npm test', 0);
  expect(checks.result('It works.')).toMatchObject({ changes_since: [], claims: [] });
});

test('a claim without any check stays one, and so does one about a new goal', () => {
  const checks = new CheckTracker();
  expect(checks.result('Done.').claims).toEqual(['Done.']);
  checks.check('make', 0);
  expect(checks.result('Done.').claims).toEqual([]);
  checks.beginGoal();
  expect(checks.result('Done.').claims).toEqual(['Done.']);
});

type Step = { readonly change: string } | { readonly exit: number };

test('a change is told exactly when no check has passed behind it', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ change: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ exit: fc.constantFrom(0, 1) }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const checks = new CheckTracker();
      for (const one of steps)
        if ('change' in one) checks.change(one.change);
        else checks.check('test', one.exit);
      const passed = steps.findLastIndex((one) => 'exit' in one && one.exit === 0);
      const behind = steps
        .slice(passed + 1)
        .flatMap((one) => ('change' in one ? [one.change] : []));
      expect(checks.result('').changes_since).toEqual([...new Set(behind)]);
    }),
  );
});
