/** Hooks at the turning points of a session, as real commands. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Broadcast } from '../../messages/channels/broadcast.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import { MAIN_AGENT, type AgentId } from '../../messages/ids.js';
import { MAX_NOTIFICATIONS, MAX_SENT_BACK } from '../../src/hooks/lifecycle-hooks.js';
import { emptyResult } from '../../src/session/run-result.js';
import { holdOf } from '../support/session-samples.js';
import { eventually } from '../support/settled.js';
import { hookBench, never } from './hook-bench.js';

const SUB = 'sub-1' as AgentId;
const first = { agent: MAIN_AGENT, round: 1, model: 'scripted' };

test('what SessionStart says meets the first request of the main agent, once', async () => {
  const bench = hookBench({ SessionStart: [`cat >> seen; echo '{"message": "Be kind."}'`] });
  await bench.hooks.begin(never);
  expect(bench.seen('seen')).toMatchObject([{ source: 'startup', goal: 'tidy up' }]);
  const { lifecycle } = bench.hooks;
  const silent = { decision: 'go', message: null };
  expect(await lifecycle.preModel({ ...first, agent: SUB }, never)).toEqual(silent);
  expect(await lifecycle.preModel(first, never)).toEqual({ decision: 'go', message: 'Be kind.' });
  expect(await lifecycle.preModel({ ...first, round: 2 }, never)).toEqual(silent);
});

test('a request that was stopped has not been told yet', async () => {
  const bench = hookBench({
    SessionStart: [`echo '{"message": "Be kind."}'`],
    PreModel: [`echo '{"message": "Be quick."}'`],
  });
  await bench.hooks.begin(never);
  await bench.hooks.lifecycle.preModel(first, AbortSignal.abort());
  const verdict = await bench.hooks.lifecycle.preModel(first, never);
  expect(verdict).toEqual({ decision: 'go', message: 'Be kind.\nBe quick.' });
});

test('a session that may not start has its first request blocked', async () => {
  const bench = hookBench({
    SessionStart: ['echo wrong branch >&2; exit 2'],
    PreModel: ['touch x'],
  });
  await bench.hooks.begin(never);
  const verdict = await bench.hooks.lifecycle.preModel(first, never);
  expect(verdict).toEqual({ decision: 'block', reason: 'wrong branch' });
  expect(existsSync(join(bench.workspace, 'x'))).toBe(false);
});

test('an agent is sent back to work only so often in a row', async () => {
  const bench = hookBench({
    Stop: ['cat >> seen; test -e content && exit 0; echo no >&2; exit 2'],
    SubagentStop: ['echo sub >&2; exit 2'],
  });
  const block = { decision: 'block', reason: 'no' };
  const overruled = { decision: 'overruled', reason: 'no' };
  for (let i = 0; i < MAX_SENT_BACK; i += 1) expect(await bench.stop()).toEqual(block);
  expect(await bench.stop(SUB)).toEqual({ decision: 'block', reason: 'sub' });
  expect(await bench.stop()).toEqual(overruled);
  expect(await bench.stop()).toEqual(block);
  expect(bench.seen('seen').map((event) => event['sent_back'])).toEqual([0, 1, 2, 3, 0]);
  expect(bench.seen('seen')[0]).toMatchObject({ outcome: 'done', text: 'All done.', round: 3 });
});

test('history is left alone where a hook asks for it', async () => {
  const bench = hookBench({ PreCompact: ['cat >> seen; echo "keep it" >&2; exit 2'] });
  const at = { agent: MAIN_AGENT, round: 4, reason: 'summarise' };
  const verdict = await bench.hooks.lifecycle.preCompact(at, never);
  expect(verdict).toEqual({ decision: 'block', reason: 'keep it' });
  expect(bench.seen('seen')).toMatchObject([{ event: 'PreCompact', reason: 'summarise' }]);
});

test('a hold is told once, that of a question not at all', async () => {
  const bench = hookBench({ Notification: ['cat >> seen'] });
  const facts = new Broadcast<ObservedFact>();
  bench.hooks.observe(facts);
  const user = holdOf();
  facts.publish({ type: 'pause.changed', holds: [user], at: 1 });
  facts.publish({ type: 'pause.changed', holds: [user, holdOf({ kind: 'question' })], at: 2 });
  await eventually(() => bench.facts.length > 0);
  expect(bench.seen('seen')).toMatchObject([{ kind: 'hold', hold: 'user', message: user.reason }]);
});

test('a storm of notifications does not start a storm of processes', async () => {
  const bench = hookBench({ Notification: ['cat >> seen; sleep 300'] });
  const facts = new Broadcast<ObservedFact>();
  bench.hooks.observe(facts);
  for (let i = 0; i < 3 * MAX_NOTIFICATIONS; i += 1) {
    facts.publish({ type: 'pause.changed', holds: [], at: i });
    facts.publish({ type: 'pause.changed', holds: [holdOf()], at: i });
  }
  await eventually(() => bench.seen('seen').length === MAX_NOTIFICATIONS);
  bench.hooks.endAll();
  expect(bench.seen('seen')).toHaveLength(MAX_NOTIFICATIONS);
});

test('the end is told to both who want to know it, and what hangs then is ended', async () => {
  const bench = hookBench({
    SessionEnd: ['cat >> seen; sleep 300', 'touch second'],
    Notification: ['cat >> told; exit 2'],
  });
  const ending = { status: 'interrupted', reason: 'SIGINT', text: 'so far' } as const;
  await bench.hooks.end(emptyResult(ending));
  const { status, reason } = ending;
  expect(bench.seen('seen')).toMatchObject([{ status, exit_code: 130, reason, text: 'so far' }]);
  expect(bench.seen('told')).toMatchObject([{ kind: 'end', status }]);
  expect([...bench.told()].sort((a, b) => a.localeCompare(b))).toEqual([
    'Notification failed: it ended with exit code 2',
    expect.stringMatching(/^SessionEnd failed: it took longer than .* s and was ended$/),
    'SessionEnd failed: no time was left for it',
  ]);
  expect(existsSync(join(bench.workspace, 'second'))).toBe(false);
});
