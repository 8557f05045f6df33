import { expect, test } from 'vitest';
import { changedLines, undoLines } from '../../src/report/changed-lines.js';
import type { ChangedFile, FileDiff, RunCommand } from '../../src/report/report.js';

const file = (path: string, round: number, more: Partial<FileDiff> = {}): FileDiff => ({
  ...{ path, round, status: 'changed', binary: false, added: 1_200, removed: 3 },
  ...{ undoable: true, reason: null },
  ...more,
});
const edited = (path: string): ChangedFile => ({
  ...{ path, writes: 0, edits: 2, agents: ['main'], changed_at: '2026-01-01T00:00:00.000Z' },
});
const command: RunCommand = {
  ...{ command: 'make', agent: 'main', round: 1, call_id: 'main_1_1', status: 'ok' },
  ...{ exit_code: 0, duration_ms: 1 },
};
type Told = Parameters<typeof changedLines>[0] & Parameters<typeof undoLines>[0];
const report = (told: Partial<Told>): Told => ({
  ...{ files: [], commands: [], workspace: '/w', session_id: '3f0c2a9e-1' },
  ...told,
});

test('a file is told with its difference, whichever way the agent named it, and by whom it was changed', () => {
  const diff = { files: [file('a.ts', 1), file('made.bin', 2, { binary: true })], not_covered: [] };
  expect(changedLines(report({ files: [edited('/w/a.ts')], diff }))).toEqual([
    { literal: '/w/a.ts', text: 'changed, +1,200 -3, edited 2 times, by main' },
    { literal: 'made.bin', text: 'binary, changed' },
  ]);
});

test('of what was changed and changed back, or was not kept, no difference is told', () => {
  const diff = { files: [], not_covered: [] };
  expect(changedLines(report({ files: [edited('a.ts')], diff }))).toEqual([
    { literal: 'a.ts', text: 'edited 2 times, by main' },
  ]);
  expect(undoLines(report({ diff }))).toEqual([]);
});

test('what nobody could see is named, and without a look at the files nothing is said of them', () => {
  const diff = { files: [], not_covered: [{ place: 'big', reason: 'too many files' }] };
  expect(changedLines(report({ commands: [command], diff })).map(({ text }) => text)).toEqual([
    'changes are not kept: too many files',
    'what commands changed outside of the workspace or on the network is not in this list',
  ]);
  const unseen = report({ files: [edited('a.ts')], commands: [command] });
  expect(changedLines(unseen).map(({ text }) => text)).toEqual([
    'edited 2 times, by main',
    'what commands changed by themselves is not in this list',
  ]);
  expect(undoLines(unseen)).toEqual([]);
});

test('the ways back are commands as they can be run, after what there is no way back from', () => {
  const lost = file('b', 1, { undoable: false, reason: 'somebody else changed it' });
  const lines = undoLines(report({ diff: { files: [file('a', 1), lost], not_covered: [] } }));
  expect(lines.map(({ literal }) => literal)).toEqual([
    'b',
    'ouro diff 3f0c2a9e',
    'ouro undo 3f0c2a9e --dry-run',
    'ouro undo 3f0c2a9e',
  ]);
  expect(lines[0]?.text).toBe('not: somebody else changed it');
});
