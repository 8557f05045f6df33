import { expect, test } from 'vitest';
import type { JournalFact } from '../../messages/journal.js';
import { reportOn } from '../../src/report/report-fold.js';
import { SUMS } from '../../src/session-report.js';
import { MAX_LINES } from '../../src/report/report-sections.js';
import { reportMarkdown, reportText } from '../../src/report/report-text.js';
import type { SessionReport } from '../../src/report/report.js';
import { aRound, begun, endedWith, shell, write } from '../replay/whole-rounds.js';
import { rowsOf } from '../support/journal-rows.js';
import { specOf, START } from '../support/session-samples.js';

function reportOf(...facts: readonly JournalFact[]): SessionReport {
  const report = reportOn(rowsOf(...facts), {
    since: null,
    now: START,
    isLive: false,
    sums: SUMS,
    onlyLooks: () => false,
  });
  if (report === null) throw new Error('there is no report');
  return report;
}

const REPORT = reportOf(
  ...begun('count `them` <all>', specOf({ name: 'a \u001b[31mname' })),
  ...aRound({ round: 1 }, write('a`b.txt'), shell('echo \u001b]0;x\u0007 `date`', 3)),
  endedWith('done', 'It is *fixed*.\n![x](http://example.com/beacon)'),
);

test('text has a section for whatever has something to say, and no more', () => {
  const text = reportText(REPORT);
  expect(text).not.toContain('\u001b');
  expect(text).toContain('\nChanged\n  a`b.txt  (written once, by main)');
  expect(text).toMatch(/\nRan\n {2}echo .* \(exit 3 after 1ms, main round 1\)/);
  expect(text).toContain('\nUnverified\n  estimated from words and commands');
  expect(text).toContain('  claimed: It is *fixed*.');
  expect(text).not.toContain('Holds');
  expect(text).toMatch(/Go on\n {2}ouro run -r 3f0c2a9e/);
});

test('in Markdown foreign text is no markup, and commands are code', () => {
  const text = reportMarkdown(REPORT);
  expect(text).not.toContain('\u001b');
  expect(text).toMatch(/^# a name \(3f0c2a9e\)\n\n## Goal\n\n- count \\`them\\` \\<all\\>/);
  expect(text).toContain('- ``a`b.txt``: written once, by main');
  expect(text).toContain('\\!\\[x\\](http://example.com/beacon)');
});

test('a long list is cut to its newest lines, and says so', () => {
  const rounds = Array.from({ length: 40 }, (_, n) => aRound({ round: n + 1 }, shell(`run ${n}`)));
  const text = reportText(reportOf(...begun(), ...rounds.flat()));
  const ran = text.slice(text.indexOf('\nRan\n') + 5, text.indexOf('\n\nUsed')).split('\n');
  expect(ran).toHaveLength(MAX_LINES + 1);
  expect(ran[0]).toBe('  15 earlier, all of them with --json');
  expect(ran.at(-1)).toContain('run 39');
  expect(text).toContain('not a judgement of the work\n');
  expect(text).toContain(
    '  30 earlier changes, all of them with --json\n  run 30  (not checked since)',
  );
});
