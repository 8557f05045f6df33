import { expect, test } from 'vitest';
import { Tally } from '../../actors/tally.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { callOf, okOutcome } from '../support/session-samples.js';

const DENIED: ToolOutcome = { status: 'denied', rule: 'default', text: 'not allowed' };
const FAILED: ToolOutcome = { status: 'failed', reason: 'failed', text: 'no' };

test('files are those that were written or edited, each once', () => {
  const tally = new Tally();
  tally.count(callOf('1', 'write_file', { path: 'a' }), okOutcome());
  tally.count(callOf('2', 'edit_file', { path: 'b' }), okOutcome());
  tally.count(callOf('3', 'edit_file', { path: 'a' }), okOutcome());
  tally.count(callOf('4', 'write_file', { path: 'c' }), FAILED);
  tally.count(callOf('5', 'read_file', { path: 'd' }), okOutcome());
  tally.count(callOf('6', 'write_file', { path: 7 }), okOutcome());
  expect(tally.written).toEqual(['a', 'b']);
});

test('a denial stays until a later call of the same tool succeeds', () => {
  const tally = new Tally();
  tally.count(callOf('1', 'shell', { command: 'rm x' }), DENIED);
  tally.count(callOf('2', 'write_file', { path: '.git/config' }), DENIED);
  expect(tally.unresolved).toEqual(['shell', 'write_file']);
  tally.count(callOf('3', 'shell', { command: 'ls' }), FAILED);
  expect(tally.unresolved).toEqual(['shell', 'write_file']);
  tally.count(callOf('4', 'shell', { command: 'ls' }), okOutcome());
  expect(tally.unresolved).toEqual(['write_file']);
});

test('every denial is kept with what was wanted, at a length that fits a line', () => {
  const tally = new Tally();
  tally.count(callOf('1', 'shell', { command: 'x'.repeat(1_000) }), DENIED);
  tally.count(callOf('2', 'shell', { command: 'ls' }), okOutcome());
  expect(tally.denials).toMatchObject([{ tool: 'shell', rule: 'default' }]);
  expect(tally.denials[0]?.summary).toMatch(/^\{"command":"x+$/);
  expect(tally.denials[0]?.summary).toHaveLength(200);
});

test('submitted work counts until somebody says something new', () => {
  const tally = new Tally();
  expect(tally.submission).toBeNull();
  tally.count(callOf('1', 'submit', { summary: 'half', outcome: 'partial' }), okOutcome());
  expect(tally.submission).toEqual({ summary: 'half', outcome: 'partial' });
  tally.reopen();
  expect(tally.submission).toBeNull();
});

test('a submission that was refused is none', () => {
  const tally = new Tally();
  tally.count(callOf('1', 'submit', { summary: 'half', outcome: 'partial' }), FAILED);
  expect(tally.submission).toBeNull();
});

test.each([[null], ['text'], [{}], [{ outcome: 'excellent' }]])(
  'a submission of %j is plain success',
  (args) => {
    const tally = new Tally();
    tally.count(callOf('1', 'submit', args), okOutcome());
    expect(tally.submission).toEqual({ summary: '', outcome: 'done' });
  },
);
