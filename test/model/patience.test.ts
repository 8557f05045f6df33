import { expect, test } from 'vitest';
import type { ModelRequest } from '../../messages/model.js';
import { limitsFor } from '../../src/model/patience.js';
import { callOf, MAIN } from '../support/session-samples.js';

const limits = { firstTokenTimeoutMs: 120_000, silenceTimeoutMs: 60_000 };

const requestOf = (characters: number): ModelRequest => ({
  agent: MAIN,
  model: 'm',
  tools: [],
  messages: [{ role: 'system', text: 'x'.repeat(characters) }],
});

test('a prompt of ordinary length has the limits that are configured', () => {
  expect(limitsFor({ ...limits, promptTokensPerSecond: 100 }, requestOf(50_000))).toEqual(limits);
});

test('a long prompt has the time that reading it takes as well', () => {
  const patient = limitsFor({ ...limits, promptTokensPerSecond: 100 }, requestOf(3.5 * 26_000));
  expect(patient.firstTokenTimeoutMs).toBeGreaterThan(120_000 + 100_000 - 1_000);
  expect(patient.firstTokenTimeoutMs).toBeLessThan(120_000 + 100_000 + 2_000);
  expect(patient.silenceTimeoutMs).toBeGreaterThan(60_000 + 9_000);
  expect(patient.silenceTimeoutMs).toBeLessThan(60_000 + 11_000);
});

test('arguments of calls and definitions of tools are read too', () => {
  const call = callOf('a', 'write_file', { content: 'x'.repeat(100_000) });
  const calls: ModelRequest = {
    ...requestOf(0),
    messages: [{ role: 'assistant', text: '', calls: [call] }],
  };
  const tools: ModelRequest = {
    ...requestOf(0),
    tools: [{ name: 'a', description: 'x'.repeat(100_000), parameters: {} }],
  };
  for (const request of [calls, tools]) {
    const { firstTokenTimeoutMs } = limitsFor({ ...limits, promptTokensPerSecond: 100 }, request);
    expect(firstTokenTimeoutMs).toBeGreaterThan(120_000);
  }
});

test('where nothing is known of the server its limits are as they are', () => {
  expect(limitsFor(limits, requestOf(1_000_000))).toEqual(limits);
});
