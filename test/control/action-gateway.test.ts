import { expect, test } from 'vitest';
import type { Journal } from '../../actors/ports.js';
import type { UserAction } from '../../messages/actions.js';
import { Broadcast } from '../../messages/channels/broadcast.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { JournalFact } from '../../messages/journal.js';
import { createActionGateway } from '../../src/control/action-gateway.js';
import type { ActionGateway, ActionGatewayOptions } from '../../src/control/action-gateway.js';

interface Session {
  readonly gateway: ActionGateway;
  readonly rows: JournalFact[];
  readonly delivered: UserAction[];
  readonly facts: Broadcast<ObservedFact>;
}

/** A coordinator that says at once that the action took effect, unless `options` says otherwise. */
function session(options: Partial<ActionGatewayOptions> = {}): Session {
  const [rows, delivered, facts] = [
    [] as JournalFact[],
    [] as UserAction[],
    new Broadcast<ObservedFact>(),
  ];
  const journal: Journal = { append: (added) => Promise.resolve(rows.push(...added)) };
  let ids = 0;
  const gateway = createActionGateway({
    journal,
    ids: () => `action-${(ids += 1)}`,
    time: { now: () => 42 },
    agentRound: () => 7,
    stop: () => undefined,
    facts,
    deliver: (action) => {
      delivered.push(action);
      facts.publish(doneOf(action.id));
      return Promise.resolve(true);
    },
    ...options,
  });
  return { gateway, rows, delivered, facts };
}

const doneOf = (id: string): ObservedFact => ({
  type: 'action.done',
  id,
  result: { ok: true, changed: true, message: `${id} is done` },
  at: 0,
});

test('an action is in the journal before it is delivered, and answered with its effect', async () => {
  const { gateway, rows, delivered } = session();
  const result = await gateway.act({ do: 'send', text: 'hi', mode: 'steer' });
  expect(result).toEqual({ ok: true, changed: true, message: 'action-1 is done' });
  const action = { do: 'send', text: 'hi', mode: 'steer' };
  expect(rows).toEqual([{ kind: 'user.action', agent: 'main', round: 7, body: { action } }]);
  expect(delivered).toEqual([{ type: 'user.action', id: 'action-1', seq: 1, action, at: 42 }]);
});

test('what cannot be recorded is not done', async () => {
  const journal: Journal = { append: () => Promise.reject(new Error('no space left')) };
  const { gateway, delivered } = session({ journal });
  expect(await gateway.act({ do: 'resume' })).toEqual({
    ok: false,
    message: 'nothing was done, the journal could not record it: no space left',
  });
  expect(delivered).toEqual([]);
});

test('a stop that cannot be recorded ends the session all the same, and says so', async () => {
  const journal: Journal = { append: () => Promise.reject(new Error('no space left')) };
  let stops = 0;
  const { gateway, delivered } = session({ journal, stop: () => void (stops += 1) });
  expect(await gateway.act({ do: 'stop' })).toEqual({
    ok: true,
    changed: true,
    message: 'stopping, though the journal could not record it: no space left',
  });
  expect([stops, delivered]).toEqual([1, []]);
});

test('an effect that is long in coming is answered as recorded', async () => {
  const { gateway, facts } = session({ deliver: () => Promise.resolve(true), effectMs: 10 });
  const result = await gateway.act({ do: 'resume' });
  expect(result).toMatchObject({
    ok: true,
    message: expect.stringContaining('recorded') as string,
  });
  facts.publish(doneOf('action-1'));
});

test('an action in the journal is never answered as refused when the session stops', async () => {
  const recorded = { ok: true, message: 'recorded; the session is stopping' };
  const deaf = session({ deliver: () => Promise.resolve(false) });
  expect(await deaf.gateway.act({ do: 'stop' })).toMatchObject(recorded);

  const silent = session({ deliver: () => Promise.resolve(true) });
  const answer = silent.gateway.act({ do: 'stop' });
  await new Promise(setImmediate);
  silent.gateway.close();
  expect(await answer).toMatchObject(recorded);
});

test('after the end nothing is recorded', async () => {
  const { gateway, rows } = session();
  gateway.close();
  expect(await gateway.act({ do: 'pause', now: true, until: null })).toEqual({
    ok: false,
    message: 'the session is stopping',
  });
  expect(rows).toEqual([]);
});

test('actions are delivered in the order of the journal, also while the lane is full', async () => {
  const seqs: number[] = [];
  const { gateway } = session({
    effectMs: 10,
    deliver: async ({ seq }) => {
      if (seq === 1) await new Promise((resolve) => setTimeout(resolve, 20));
      seqs.push(seq);
      return true;
    },
  });
  const send = (text: string): Promise<unknown> => gateway.act({ do: 'send', text, mode: 'steer' });
  await Promise.all(['a', 'b', 'c'].map(send));
  await expect.poll(() => seqs).toEqual([1, 2, 3]);
});

test('what is not admitted is refused with the reason, and leaves no row', async () => {
  const { gateway, rows, delivered } = session({
    admit: ({ do: what }) => (what === 'set' ? 'no price is known' : null),
  });
  const refused = await gateway.act({ do: 'set', change: { model: 'other' } });
  expect(refused).toEqual({ ok: false, message: 'no price is known' });
  expect([rows, delivered]).toEqual([[], []]);
  expect(await gateway.act({ do: 'stop' })).toMatchObject({ ok: true });
});
