import { expect, onTestFinished, test } from 'vitest';
import type { ModelClient } from '../../actors/ports.js';
import { userMessage } from '../../actors/conversation.js';
import type { BudgetFact, Prices, SessionBudget } from '../../messages/budget.js';
import type { AgentId } from '../../messages/ids.js';
import type { ModelOutcome, ModelRequest, Usage } from '../../messages/model.js';
import { heldAtLimit } from '../../src/budget/held-at-limit.js';
import { meteredModel } from '../../src/budget/metered-model.js';
import { SHORT_OUTPUT_TOKENS } from '../../src/budget/plan-request.js';
import { priceList } from '../../src/budget/prices.js';
import type { Hold } from '../../messages/pause.js';
import { MemoryJournal } from '../support/memory-journal.js';
import { fails, hangs, says, ScriptedModel, type Turn } from '../support/scripted-model.js';
import { specOf, START, usageOf } from '../support/session-samples.js';
import { settled } from '../support/settled.js';
import { budgetOf, ledgerOf, newIndex } from './ledger-fixture.js';

const PRICES: Prices = { paid: { input: 10, output: 100 } };

interface BenchOptions {
  readonly prices?: Prices;
  readonly maxTokens?: number | null;
  readonly free?: boolean;
  readonly mayAsk?: () => boolean;
}

interface Bench {
  readonly client: ModelClient;
  readonly model: ScriptedModel;
  readonly journal: MemoryJournal;
  readonly facts: BudgetFact[];
  ask(part?: Partial<ModelRequest>, signal?: AbortSignal): Promise<ModelOutcome>;
}

function bench(
  turns: readonly Turn[],
  budget: Partial<SessionBudget>,
  { prices = PRICES, maxTokens = 1_000, free = false, mayAsk = () => true }: BenchOptions = {},
): Bench {
  const index = newIndex();
  onTestFinished(() => index.close());
  const model = new ScriptedModel(turns);
  const journal = new MemoryJournal({ now: () => START });
  const facts: BudgetFact[] = [];
  const client = meteredModel(model, {
    ledger: ledgerOf(index, 's', budgetOf(budget)),
    prices: priceList(prices, free),
    maxTokens,
    journal,
    now: () => START,
    mayAsk,
    tell: (fact) => void facts.push(fact),
  });
  return {
    client,
    model,
    journal,
    facts,
    ask: (part = {}, signal = new AbortController().signal) =>
      client.ask(
        {
          agent: 'main' as AgentId,
          model: 'paid',
          messages: [userMessage('hello', 'goal')],
          tools: [],
          ...part,
        },
        () => undefined,
        signal,
      ),
  };
}

const replyWith = (usage: Usage | null): ModelOutcome => says('ok', { usage, model: 'paid' });
const spentUsd = ({ facts }: Bench): number => facts.at(-1)?.lines[0]?.spent ?? NaN;

test('the most it can cost is on disk before a request is sent, and what it did cost afterwards', async () => {
  const run = bench(
    [
      () => {
        expect(run.journal.kinds).toEqual(['budget.reserved']);
        return replyWith(usageOf(100, 10));
      },
    ],
    { sessionUsd: 1 },
  );
  const outcome = await run.ask();
  await run.journal.committed();
  expect(outcome).toMatchObject({ reply: { usage: { promptTokens: 100, costUsd: 0.002 } } });
  const [aside] = run.journal.ofKind('budget.reserved');
  const [after] = run.journal.ofKind('budget.settled');
  expect(after?.body).toEqual({
    id: aside?.body.id,
    model: 'paid',
    usd: 0.002,
    tokens: 110,
    basis: 'reported',
  });
  expect(aside?.body.usd).toBeGreaterThan(0.1);
});

test.each([
  ['none', null],
  ['no tokens at all', usageOf(0, 0)],
  ['no completion', usageOf(100, 0)],
  ['no prompt', usageOf(0, 10)],
])('usage that cannot be true counts as what was set aside: %s', async (_, usage) => {
  const run = bench([replyWith(usage)], { sessionUsd: 1 });
  const outcome = await run.ask();
  await run.journal.committed();
  const [aside] = run.journal.ofKind('budget.reserved');
  expect(run.journal.ofKind('budget.settled')[0]?.body).toMatchObject({
    usd: aside?.body.usd,
    basis: 'estimated',
  });
  expect(outcome).toMatchObject({ reply: { usage: { estimated: true } } });
});

test('a cost that the server states wins, and the model that really answered sets the price', async () => {
  const prices = { ...PRICES, cheap: { input: 1, output: 1 } };
  const stated = { ...usageOf(100, 10), costUsd: 0.5 };
  const turns = [
    replyWith(stated),
    says('ok', { usage: usageOf(1_000_000, 1), model: 'cheap' }),
    says('ok', { usage: usageOf(100, 10), model: 'known to nobody' }),
  ];
  const run = bench(turns, { sessionUsd: 100 }, { prices });
  const costs: unknown[] = [];
  for (const _ of turns) {
    const outcome = await run.ask();
    if (outcome.status === 'ok') costs.push(outcome.reply.usage?.costUsd);
  }
  expect(costs).toEqual([0.5, 1.000001, 0.002]);
});

test('a request that does not fit is not sent, and the reason names the limit', async () => {
  const run = bench([replyWith(usageOf(100, 8_000))], { sessionUsd: 0.81 });
  await run.ask();
  const outcome = await run.ask();
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'budget' } });
  expect(outcome.status === 'failed' && outcome.error.message).toMatch(
    /the session's limit of \$0\.81 is reached: \$0\.80 spent; the next request could cost \$0\.0/,
  );
  expect(run.model.requests.items).toHaveLength(1);
});

test('where little is left the answer is made shorter rather than refused', async () => {
  const run = bench([], { sessionUsd: 1 }, { maxTokens: null });
  await run.ask();
  expect(run.model.requests.items[0]?.maxTokens).toBe(SHORT_OUTPUT_TOKENS);
  const own = bench([], { sessionUsd: 0.09 });
  await own.ask();
  expect(own.model.requests.items[0]?.maxTokens).toBeLessThan(1_000);
  const plenty = bench([], { sessionUsd: 100 });
  await plenty.ask();
  expect(plenty.model.requests.items[0]?.maxTokens).toBeUndefined();
});

test('agents that ask at once wait for what the others may give back', async () => {
  const turns = Array.from({ length: 3 }, () => replyWith(usageOf(100, 10)));
  const run = bench(turns, { sessionUsd: 0.15 });
  const outcomes = await Promise.all([run.ask(), run.ask(), run.ask()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(spentUsd(run)).toBeCloseTo(0.006, 10);
});

test('who waits for that and is stopped has asked nothing', async () => {
  const run = bench([hangs], { sessionUsd: 0.15 });
  const [first, second] = [new AbortController(), new AbortController()];
  const asking = run.ask({}, first.signal);
  await settled(5);
  const waiting = run.ask({}, second.signal);
  await settled(5);
  second.abort();
  expect(await waiting).toEqual({ status: 'cancelled' });
  first.abort();
  expect(await asking).toEqual({ status: 'cancelled' });
  expect(run.model.requests.items).toHaveLength(1);
});

test.each([
  ['rate-limit', 'nothing'],
  ['auth', 'nothing'],
  ['network', 'nothing'],
  ['cut', 'broken-off'],
  ['stalled', 'broken-off'],
] as const)('an attempt that ends with %s settles as %s', async (kind, basis) => {
  const run = bench([fails(kind)], { sessionUsd: 1 });
  await run.ask();
  await run.journal.committed();
  const [row] = run.journal.ofKind('budget.settled');
  expect(row?.body.basis).toBe(basis);
  expect((row?.body.usd ?? 0) > 0).toBe(basis === 'broken-off');
  expect(run.facts.at(-1)?.unansweredUsd).toBe(row?.body.usd);
});

test('a prompt that the server counts as longer is expected to be so from then on', async () => {
  const run = bench([replyWith(usageOf(300, 1))], { sessionTokens: 1_000_000 });
  await run.ask();
  await run.ask();
  await run.journal.committed();
  const [first, second] = run.journal.ofKind('budget.reserved');
  expect(second?.body.tokens).toBeGreaterThan((first?.body.tokens ?? 0) + 200);
});

test('a server that costs nothing has no rows about money, and its answers cost 0', async () => {
  const run = bench([replyWith(usageOf(10, 5))], {}, { prices: {}, free: true });
  expect(await run.ask()).toMatchObject({ reply: { usage: { costUsd: 0 } } });
  expect(run.journal.kinds).toEqual([]);
  expect(run.facts).toEqual([]);
});

test('a model without a price is counted in tokens, and its cost stays unknown', async () => {
  const run = bench([replyWith(usageOf(10, 5))], { sessionTokens: 100_000 }, { prices: {} });
  const outcome = await run.ask();
  expect(outcome.status === 'ok' && outcome.reply.usage).toEqual(usageOf(10, 5));
  expect(run.facts.at(-1)).toMatchObject({ lines: [{ unit: 'tokens', spent: 15 }] });
});

test('where a limit is a hold, the request is taken back once the gates are closed', async () => {
  const run = bench([], { sessionUsd: 0.000001 });
  const holds: Hold[] = [];
  const held = heldAtLimit(run.client, {
    session: specOf().id,
    now: () => START,
    hold: (hold) => {
      holds.push(hold);
      return Promise.resolve();
    },
  });
  const request = { agent: 'main' as AgentId, model: 'paid', messages: [], tools: [] };
  const outcome = await held.ask(request, () => undefined, new AbortController().signal);
  expect(outcome).toEqual({ status: 'cancelled' });
  expect(holds).toMatchObject([
    { kind: 'budget', scope: 'session', until: null, release: 'ouro resume 3f0c2a9e --add-cost 2' },
  ]);
});

test('who is held while the reservation is written down asks nothing, and nothing is spent', async () => {
  let isHeld = false;
  const run = bench([], { sessionUsd: 1 }, { mayAsk: () => !isHeld });
  const asking = run.ask();
  isHeld = true;
  expect(await asking).toEqual({ status: 'cancelled' });
  await run.journal.committed();
  expect(run.model.requests.items).toEqual([]);
  expect(run.journal.ofKind('budget.settled')).toMatchObject([
    { body: { usd: 0, tokens: 0, basis: 'nothing' } },
  ]);
  expect(spentUsd(run)).toBe(0);
});

test('a server that counts the answer alone is taken at what was set aside, or at more if that is more', async () => {
  const counted = { promptTokens: 0, cachedTokens: 0 };
  const short = bench([replyWith({ ...counted, completionTokens: 1 })], { sessionUsd: 1 });
  await short.ask();
  const [aside] = short.journal.ofKind('budget.reserved');
  expect(spentUsd(short)).toBe(aside?.body.usd);
  const long = bench([replyWith({ ...counted, completionTokens: 5_000 })], { sessionUsd: 1 });
  await long.ask();
  expect(spentUsd(long)).toBeGreaterThanOrEqual(5_000 * 0.0001);
});
