import { expect, test } from 'vitest';
import type { ApprovalRequest, Verdict } from '../../actors/ports.js';
import type { Answer } from '../../messages/questions.js';
import { personApprover } from '../../src/session/person-approver.js';
import { openDesk } from './question-desk.js';

const REQUEST: ApprovalRequest = {
  tool: 'shell',
  effect: 'execute',
  subject: 'rm -rf x',
  summary: 'run rm -rf x',
  rule: 'not-allowed',
};

/** What comes of this answer, and what is remembered. */
async function afterAnswer(
  answer: Answer,
): Promise<{ verdict: Verdict; remembered: ApprovalRequest[]; asked: unknown }> {
  const desk = openDesk('wait');
  const remembered: ApprovalRequest[] = [];
  const approver = personApprover(desk.ask, (request) => void remembered.push(request));
  const approved = approver.approve(REQUEST, desk.context);
  desk.answer(answer);
  return { verdict: await approved, remembered, asked: desk.told[0] };
}

const ALLOWED: Verdict = { allowed: true, rule: 'allowed by a person' };

test('a person is asked with the exact command and the rule that left it open', async () => {
  const { asked, verdict, remembered } = await afterAnswer({ status: 'approved', scope: 'once' });
  const { tool, subject, summary, rule } = REQUEST;
  expect(asked).toMatchObject({ body: { kind: 'approval', tool, subject, summary, rule } });
  expect(verdict).toEqual(ALLOWED);
  expect(remembered, 'once is once').toEqual([]);
});

test('what is allowed for the session is remembered as it was asked', async () => {
  const { verdict, remembered } = await afterAnswer({ status: 'approved', scope: 'session' });
  expect(verdict).toEqual(ALLOWED);
  expect(remembered).toEqual([REQUEST]);
});

test.each<[string, Answer, string]>([
  ['with a reason', { status: 'denied', reason: 'it is mine' }, `'shell' was denied: it is mine.`],
  ['without a reason', { status: 'denied', reason: '' }, `'shell' was denied.`],
  ['because it was withdrawn', { status: 'withdrawn' }, `'shell' was denied.`],
])('a refusal %s tells the model so, and what it can do', async (_, answer, text) => {
  const { verdict, remembered } = await afterAnswer(answer);
  expect(verdict).toMatchObject({ allowed: false, rule: 'not-allowed' });
  expect(verdict.allowed ? '' : verdict.text).toContain(text);
  expect(verdict.allowed ? '' : verdict.text).toContain('submit as blocked');
  expect(remembered).toEqual([]);
});

test('a call that is cancelled meanwhile is refused', async () => {
  const desk = openDesk('wait');
  const approver = personApprover(desk.ask, () => expect.fail('nothing was allowed'));
  const approved = approver.approve(REQUEST, desk.context);
  desk.abort();
  expect(await approved).toMatchObject({ allowed: false });
});
