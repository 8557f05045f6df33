import { expect, test } from 'vitest';
import { initialState, snapshotOf } from '../../actors/coordinator-state.js';
import { Tally } from '../../actors/tally.js';
import { EXIT_CODES, type EndStatus } from '../../messages/session.js';
import { emptyResult, runResult } from '../../src/session/run-result.js';
import { callOf, holdOf, okOutcome, specOf } from '../support/session-samples.js';

const snapshot = snapshotOf(
  {
    ...initialState(specOf(), 'count'),
    holds: [holdOf()],
    totals: {
      rounds: 3,
      promptTokens: 300,
      completionTokens: 40,
      cachedTokens: 100,
      toolCalls: 5,
      denials: 1,
      costUsd: 0.25,
    },
  },
  { depth: 0, highWater: 0, capacity: 256 },
);

const tallied = (): Tally => {
  const tally = new Tally();
  tally.count(callOf('1', 'write_file', { path: 'a' }), okOutcome());
  tally.count(callOf('2', 'shell', {}), { status: 'denied', rule: 'default', text: '' });
  return tally;
};

const resultOf = (status: EndStatus) =>
  runResult({
    ending: { status, reason: 'because', text: 'last words' },
    durationMs: 1_500,
    snapshot,
    tally: tallied(),
  });

test('the result has everything that scripts may ask for', () => {
  expect(resultOf('stopped')).toEqual({
    type: 'result',
    schema_version: 1,
    status: 'stopped',
    exit_code: 58,
    is_error: true,
    reason: 'because',
    session_id: specOf().id,
    rounds: 3,
    duration_ms: 1_500,
    usage: { prompt_tokens: 300, completion_tokens: 40, cached_tokens: 100 },
    cost_usd: 0.25,
    text: 'last words',
    structured_output: null,
    files_changed: ['a'],
    verify: [],
    denials: [{ tool: 'shell', summary: '{}', rule: 'default' }],
    holds: [holdOf()],
    artifacts: null,
    retryable: false,
    resume_command: 'ouro resume 3f0c2a9e',
  });
});

test('finished work is no error and needs no resume', () => {
  expect(resultOf('done')).toMatchObject({ is_error: false, exit_code: 0, resume_command: null });
});

test('every way to end has a result that agrees with itself', () => {
  for (const [status, code] of Object.entries(EXIT_CODES)) {
    const result = resultOf(status as EndStatus);
    expect(result).toMatchObject({ status, exit_code: code, is_error: code !== 0 });
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  }
});

test('a run that ended before there was a session names none', () => {
  const result = emptyResult({ status: 'config', reason: 'no such key', text: '' });
  expect(result).toMatchObject({
    status: 'config',
    exit_code: 52,
    is_error: true,
    session_id: null,
    rounds: 0,
    cost_usd: null,
    resume_command: null,
  });
  expect(Object.keys(result)).toEqual(Object.keys(resultOf('done')));
});
