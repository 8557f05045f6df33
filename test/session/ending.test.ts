import { expect, test } from 'vitest';
import type { CycleEnd } from '../../messages/agents.js';
import type { ModelErrorKind } from '../../messages/model.js';
import { EXIT_CODES, type EndStatus, type QuitReason } from '../../messages/session.js';
import { denialAdvice } from '../../src/session/denial-advice.js';
import { endingOfCycle, endingOfQuit, isRetryable } from '../../src/session/ending.js';
import { modelError } from '../support/session-samples.js';

test.each([
  [{ unit: 'tokens', until: null } as const, '--add-tokens 500000'],
  [undefined, '--add-cost 2'],
])('a limit that is reached names what would lift it', (limit, resumeFlags) => {
  const error = { ...modelError('budget'), ...(limit === undefined ? {} : { limit }) };
  expect(endingOfCycle({ status: 'model-failed', error }, false)).toMatchObject({
    status: 'budget_limit',
    resumeFlags,
  });
});

const denied = ['shell', 'write_file'];

const CYCLES: readonly (readonly [CycleEnd, EndStatus, string, string])[] = [
  [{ status: 'done', text: 'T', denied: [] }, 'done', 'the goal is met', 'T'],
  [
    { status: 'done', text: 'T', denied },
    'permission_denied',
    'finished, but calls of shell, write_file were denied; allow them with --allow',
    'T',
  ],
  [{ status: 'partial', text: 'T' }, 'unverified', 'done in part, as the agent says itself', 'T'],
  [
    { status: 'partial', text: 'T', hook: 'tests fail\nall of them' },
    'unverified',
    'a Stop hook still objects: tests fail',
    'T',
  ],
  [
    { status: 'blocked', text: 'T', denied: true, hook: 'too late' },
    'permission_denied',
    'a hook let no further request be sent: too late',
    'T',
  ],
  [
    { status: 'blocked', text: 'T', denied: true },
    'permission_denied',
    'blocked by a denied call',
    'T',
  ],
  [
    { status: 'blocked', text: 'T', denied: false },
    'needs_input',
    'blocked: the agent needs something from you',
    'T',
  ],
  [
    { status: 'round-limit', limit: 7, text: 'T' },
    'round_limit',
    'the limit of 7 rounds was reached (--max-rounds)',
    'T',
  ],
  [{ status: 'stopped', reason: 'R' }, 'stopped', 'R', 'R'],
];

test.each(CYCLES)('a cycle that ended as %j is %s', (end, status, reason, text) => {
  expect(endingOfCycle(end, false)).toEqual({ status, reason, text });
});

test('a rule that refused a call is named, since no other rule would allow it', () => {
  const origins = { 'deny shell(rm*)': { from: 'config.toml', line: 7 } };
  const permissions = { mode: 'default' as const, allow: [], deny: ['shell(rm*)'], origins };
  const denial = (tool: string, rule: string) => ({ tool, summary: '', rule });
  const advised = (...denials: readonly ReturnType<typeof denial>[]): string =>
    denialAdvice(
      denials.map(({ tool }) => tool),
      denials,
      permissions,
    );
  expect(advised(denial('shell', 'shell(rm*)'))).toBe(
    'calls of shell were denied by the rule "deny shell(rm*)" (config.toml:7), which --allow does not overrule',
  );
  expect(advised(denial('write_file', 'protected-file'), denial('shell', 'shell(rm*)'))).toMatch(
    /^calls of write_file were denied; allow them with --allow; calls of shell were denied by the rule /,
  );
});

test.each<[ModelErrorKind, EndStatus]>([
  ['auth', 'auth'],
  ['not-found', 'provider_error'],
  ['bad-request', 'provider_error'],
  ['context-overflow', 'provider_error'],
  ['rate-limit', 'provider_error'],
  ['overloaded', 'provider_error'],
  ['server', 'provider_error'],
  ['network', 'provider_error'],
  ['stalled', 'provider_error'],
  ['cut', 'provider_error'],
  ['empty', 'provider_error'],
])('a model that failed with %s is %s', (kind, status) => {
  const ending = endingOfCycle({ status: 'model-failed', error: modelError(kind) }, false);
  expect(ending).toEqual({ status, reason: `the server said: ${kind}`, text: '' });
});

test('denials that are tolerated do not make finished work a failure', () => {
  expect(endingOfCycle({ status: 'done', text: 'T', denied }, true).status).toBe('done');
  const blocked: CycleEnd = { status: 'blocked', text: 'T', denied: true };
  expect(endingOfCycle(blocked, true).status).toBe('permission_denied');
});

const QUITS: readonly QuitReason[] = [
  'stopped',
  'time_limit',
  'hangup',
  'interrupted',
  'terminated',
  'internal_error',
];

test.each(QUITS)('asked to end as %s, it ends so, with the last words there are', (quit) => {
  const ending = endingOfQuit(quit, 'last words');
  expect(ending).toMatchObject({ status: quit, text: 'last words' });
  expect(ending.reason).not.toBe('');
  expect(endingOfQuit(quit, '', 'because').reason).toBe('because');
});

test('it may help to run again what was interrupted or could not be reached, and nothing else', () => {
  const all = Object.keys(EXIT_CODES) as EndStatus[];
  expect(all.filter(isRetryable)).toEqual([
    'workspace_busy',
    'provider_error',
    'hangup',
    'interrupted',
    'terminated',
  ]);
});
