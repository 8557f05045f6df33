import { expect, test } from 'vitest';
import { MAIN_AGENT, type AgentId } from '../../messages/ids.js';
import { holdKey, isOpen, type Hold, type HoldScope } from '../../messages/pause.js';

const SUB = 'sub-1' as AgentId;

const hold = (scope: HoldScope, part: Partial<Hold> = {}): Hold => ({
  kind: 'user',
  scope,
  since: 0,
  until: null,
  reason: 'paused by a person',
  release: 'ouro resume',
  ...part,
});

const TABLE: readonly (readonly [string, readonly Hold[], boolean, boolean])[] = [
  ['no hold at all', [], true, true],
  ['a hold of the session', [hold('session')], false, false],
  ['a hold of the main agent', [hold(MAIN_AGENT)], false, true],
  ['a hold of the sub-agent', [hold(SUB)], true, false],
  ['holds of both', [hold(MAIN_AGENT), hold(SUB)], false, false],
  ['a hold of somebody else', [hold('sub-2' as AgentId)], true, true],
  ['a hold that ends by itself', [hold('session', { kind: 'timer', until: 5 })], false, false],
];

test.each(TABLE)('with %s', (_, holds, main, sub) => {
  expect([isOpen(holds, MAIN_AGENT), isOpen(holds, SUB)]).toEqual([main, sub]);
});

test('two holds are the same when kind and scope are', () => {
  expect(holdKey(hold('session'))).toBe(holdKey(hold('session', { since: 9, reason: 'again' })));
  const others = [hold('session', { kind: 'timer' }), hold(MAIN_AGENT), hold(SUB)];
  expect(new Set([hold('session'), ...others].map(holdKey)).size).toBe(4);
});
