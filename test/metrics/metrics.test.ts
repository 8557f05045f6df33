import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { metricsOf, type Metric } from '../../src/metrics/metrics.js';
import { countSession, sumOf } from '../../src/metrics/session-counts.js';
import { readsFiles } from '../../src/permissions/reads-files.js';
import { rowsOf } from '../support/journal-rows.js';
import { MAIN, okOutcome, specOf } from '../support/session-samples.js';
import { file, oneByOne, roundOf, shell, started, subAgent, times } from './session-rows.js';

const countsOf = (...facts: readonly JournalFact[]) =>
  countSession(rowsOf(started, ...facts), readsFiles);

function metric(name: string, ...facts: readonly JournalFact[]): Partial<Metric> {
  const found = metricsOf(countsOf(...facts)).find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no metric ${name}`);
  const { value, verdict, counts } = found;
  return { value, verdict, counts };
}

const DENIED: ToolOutcome = { status: 'denied', rule: 'deny shell', text: 'no' };
const cached = { outcome: { ...okOutcome(), cached: true }, notBegun: true } as const;
const read = file('read_file', 'a');
const cat = shell('cat a');

test('reads and searches through the shell are a share of all of them', () => {
  const facts = oneByOne(...times(19, read), cat, shell('npm test'), {
    ...cat,
    outcome: DENIED,
    notBegun: true,
  });
  expect(metric('shell_reads', ...facts)).toEqual({
    value: 0.05,
    verdict: 'fail',
    counts: { through_shell: 1, all: 20 },
  });
  const more = oneByOne(...times(20, read), cat);
  expect(metric('shell_reads', ...more)).toMatchObject({ verdict: 'pass' });
  const few = oneByOne(...times(18, read), cat);
  expect(metric('shell_reads', ...few)).toMatchObject({ verdict: 'not enough data' });
});

test('greps are for files unless they say otherwise', () => {
  const grep = (mode?: string) => ({ name: 'grep', args: { pattern: 'x', ...(mode && { mode }) } });
  const facts = oneByOne(...times(3, grep()), grep('files'), grep('content'));
  expect(metric('greps_for_files', ...facts)).toEqual({
    value: 0.8,
    verdict: 'pass',
    counts: { for_files: 4, all: 5 },
  });
  const other = oneByOne(...times(3, grep()), grep('count'), grep('content'));
  expect(metric('greps_for_files', ...other)).toMatchObject({ verdict: 'fail' });
});

test('a write is blind when the file was there and nobody had read or written it', () => {
  const replaced = { outcome: { ...okOutcome(), replaced: true } } as const;
  const known = oneByOne(
    file('write_file', 'new.txt'),
    file('edit_file', './new.txt'),
    file('read_file', '/home/me/space/b'),
    file('write_file', 'b', replaced),
  );
  expect(metric('blind_writes', ...known)).toEqual({
    value: 0,
    verdict: 'pass',
    counts: { blind: 0, all: 3 },
  });
  const failed: ToolOutcome = { status: 'failed', reason: 'failed', text: 'read it first' };
  const unread = oneByOne(file('edit_file', 'c', { outcome: failed }), read);
  expect(metric('blind_writes', ...unread)).toMatchObject({ value: 0 });
  const blind = oneByOne(file('edit_file', 'c'), file('write_file', 'd', replaced));
  expect(metric('blind_writes', ...blind)).toMatchObject({ value: 2, verdict: 'fail' });
});

test("results are weighed against everything that is in the agents' conversations", () => {
  const said = (text: string) => ({ role: 'system', text }) as const;
  const facts = [
    factOf('message.added', MAIN, 0, { message: said('x'.repeat(3500)) }),
    factOf('message.added', MAIN, 0, {
      message: { role: 'user', text: 'y'.repeat(350), origin: 'goal' },
    }),
    ...oneByOne(...times(5, { name: 'think', outcome: okOutcome('z'.repeat(700)) })),
  ];
  expect(metric('results_in_context', ...facts)).toMatchObject({
    verdict: 'fail',
    counts: { results: 1000, instructions: 1000, words: 100, answers: 10 },
  });
});

test('hits are counted where most calls are reads', () => {
  const reads = [...times(15, read), ...times(5, { ...read, ...cached })];
  expect(metric('cache_hits', ...oneByOne(...reads))).toEqual({
    value: 0.25,
    verdict: 'pass',
    counts: { hits: 5, all: 20 },
  });
  const page = { name: 'web_fetch', outcome: { ...okOutcome(), cached: true } } as const;
  expect(metric('cache_hits', ...oneByOne(...times(20, page)))).toMatchObject({ value: 1 });
  const mixed = oneByOne(...reads, ...times(20, shell('true')));
  expect(metric('cache_hits', ...mixed)).toMatchObject({ verdict: 'not enough data' });
});

test('journals that do not name hits have them all the same', () => {
  const old = times(5, { ...read, notBegun: true } as const);
  expect(metric('cache_hits', ...oneByOne(...times(15, read), ...old))).toMatchObject({
    counts: { hits: 5, all: 20 },
  });
});

test('a round of several calls ran in parallel when one began before another had ended', () => {
  const several = (round: number, parallel: boolean) =>
    roundOf({ round, parallel }, read, read, { ...read, ...cached });
  const facts = [1, 2, 3, 4].flatMap((round) => several(round, round !== 1));
  expect(metric('parallel_rounds', ...facts, ...roundOf({ round: 5 }, read))).toEqual({
    value: 0.75,
    verdict: 'pass',
    counts: { parallel: 3, all: 4 },
  });
  const half = [1, 2, 3, 4].flatMap((round) => several(round, round > 2));
  expect(metric('parallel_rounds', ...half)).toMatchObject({ value: 0.5, verdict: 'fail' });
});

test('a call that a crash cut off does not run beside those that come after it', () => {
  const [answer, first, , second, end] = roundOf({ round: 1 }, read, read);
  if (!answer || !first || !second || !end) throw new Error('rows are missing');
  const resumed = sessionFact('session.resumed', { version: '1', pid: 2, spec: specOf() });
  expect(countsOf(answer, first, resumed, second, end)).toMatchObject({
    multiToolRounds: 1,
    parallelRounds: 0,
  });
});

test('sub-agents are compared by what each kind used on average, their tools included', () => {
  const pages = roundOf(
    { agent: 'sub-2' as typeof MAIN, round: 1 },
    {
      name: 'web_fetch',
      outcome: {
        ...okOutcome(),
        modelUse: [
          { model: 'm', usage: { promptTokens: 90, completionTokens: 10, cachedTokens: 0 } },
          { model: 'm', usage: null },
        ],
      },
    },
  );
  const facts = [
    ...subAgent(1, 'explore', 100),
    ...subAgent(2, 'explore', 200),
    ...pages,
    ...subAgent(3, 'worker', 600),
    ...subAgent(4, 'planner', 999),
  ];
  expect(metric('explore_saving', ...facts)).toEqual({
    value: 3,
    verdict: 'pass',
    counts: { explore_agents: 2, explore_tokens: 400, worker_agents: 1, worker_tokens: 600 },
  });
  expect(metric('explore_saving', ...subAgent(1, 'explore', 9))).toMatchObject({
    value: null,
    verdict: 'not enough data',
  });
});

test('several sessions add up, and none is not enough of anything', () => {
  const one = countsOf(...oneByOne(...times(12, read)), ...subAgent(1, 'explore', 100));
  const sum = sumOf([one, one]);
  expect(sum).toMatchObject({ toolReads: 24, cacheable: 24 });
  expect(sum.subAgents).toEqual({ explore: { agents: 2, tokens: 200 } });
  const verdicts = metricsOf(sumOf([])).map(({ verdict }) => verdict);
  expect(new Set(verdicts)).toEqual(new Set(['not enough data']));
  expect(verdicts).toHaveLength(7);
});

test('what a journal of another program may hold is read without an error', () => {
  const odd = oneByOne({ name: 'shell', args: null }, { name: 'write_file', args: 'x' });
  expect(countsOf(...odd)).toMatchObject({ writes: 1, shellReads: 0 });
});

const MADE = [
  read,
  cat,
  shell('npm test'),
  { ...read, ...cached },
  { ...cat, outcome: DENIED, notBegun: true },
  file('edit_file', 'a'),
  { name: 'grep', args: { mode: 'content' } },
] as const;

test('every beginning of every journal gives measures that are numbers or nothing', () => {
  const rounds = fc.array(fc.tuple(fc.boolean(), fc.array(fc.constantFrom(...MADE))));
  const agents = fc.array(fc.tuple(fc.constantFrom('explore', 'worker'), fc.nat(1000)));
  fc.assert(
    fc.property(rounds, agents, fc.double({ min: 0, max: 1, noNaN: true }), (made, subs, cut) => {
      const facts = [
        started,
        ...subs.flatMap(([kind, tokens], at) => subAgent(at + 1, kind, tokens)),
        ...made.flatMap(([parallel, calls], at) => roundOf({ round: at + 1, parallel }, ...calls)),
      ];
      const rows = rowsOf(...facts.slice(0, Math.ceil(facts.length * cut)));
      for (const { value, counts, unit, verdict } of metricsOf(countSession(rows, readsFiles))) {
        expect(value === null || (Number.isFinite(value) && value >= 0)).toBe(true);
        if (unit === 'share' && value !== null) expect(value).toBeLessThanOrEqual(1);
        if (value === null) expect(verdict).toBe('not enough data');
        for (const each of Object.values(counts)) expect(Number.isFinite(each)).toBe(true);
      }
    }),
  );
});
