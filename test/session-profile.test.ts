import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bulkOf, FIRST_WEIGHTS } from '../actors/context/estimator.js';
import { userMessage } from '../actors/conversation.js';
import type { AgentFact } from '../messages/agents.js';
import type { ToolFact, ToolOutcome } from '../messages/tools.js';
import { sessionProfile } from '../src/session-profile.js';
import { ensureHome, profileFile } from '../src/store/layout.js';
import { readProfile } from '../src/store/profile-file.js';
import { callId, MAIN, okOutcome, specOf, START, usageOf } from './support/session-samples.js';
import { tempFolder } from './store/temp-folder.js';

function newHome(): string {
  const home = tempFolder();
  ensureHome(home);
  return home;
}
const open = (home: string, rehearsal: string | null = null) =>
  sessionProfile({ home, spec: specOf({ rehearsal }), time: { now: () => START } });

const used = (model: string, tokens: number, costUsd?: number): AgentFact => {
  const usage = usageOf(tokens, 0);
  const priced = costUsd === undefined ? usage : { ...usage, costUsd };
  return { type: 'model.used', agent: MAIN, round: 1, model, usage: priced, at: START };
};
const about = { agent: MAIN, round: 1, name: 'shell' } as const;
const called = (id: string, ms: number, outcome: ToolOutcome): ToolFact[] => [
  { type: 'tool.started', ...about, callId: callId(id), summary: '', at: START },
  { type: 'tool.finished', ...about, callId: callId(id), outcome, at: START + ms },
];

test('a run adds its rounds, tokens, cost and calls to the profile', () => {
  const home = newHome();
  const first = open(home);
  for (const fact of [used('m', 100, 0.5), used('m', 300, 0.25), used('n', 10)])
    first.observe(fact);
  const failed: ToolOutcome = { status: 'failed', reason: 'failed', text: 'no' };
  for (const fact of [...called('a', 30, okOutcome('four')), ...called('b', 10, failed)])
    first.observe(fact);
  first.keep({ status: 'done' });
  expect(readProfile(home)).toEqual({
    warning: null,
    profile: {
      version: 1,
      user_instructions: '',
      last_run_at: START,
      runs: 1,
      finished: 1,
      cost_usd: 0.75,
      models: {
        m: { runs: 1, finished: 1, tokens_per_round: 200, cost_usd: 0.75, unpriced_runs: 0 },
        n: { runs: 1, finished: 1, tokens_per_round: 10, cost_usd: 0, unpriced_runs: 1 },
      },
      tools: { shell: { calls: 2, errors: 1, mean_result_bytes: 3, total_ms: 40 } },
    },
  });
  expect(statSync(profileFile(home)).mode & 0o777).toBe(0o600);
});

test('tokens a round move by three tenths of the way to the newest run', () => {
  const home = newHome();
  for (const [tokens, status] of [
    [100, 'done'],
    [200, 'stopped'],
    [100, 'done'],
  ] as const) {
    const profile = open(home);
    profile.observe(used('m', tokens));
    profile.keep({ status });
  }
  const { models, runs, finished } = readProfile(home).profile;
  expect([runs, finished]).toEqual([3, 2]);
  expect(models['m']?.tokens_per_round).toBeCloseTo(121);
});

test('what was learned of a model is where the next session begins', () => {
  const home = newHome();
  const first = open(home);
  const bulk = bulkOf(userMessage('some words of a person '.repeat(40), 'goal'));
  const estimator = first.estimators.of('m');
  estimator.learn(bulk, Math.round(estimator.tokens(bulk) * 1.5));
  first.keep({ status: 'done' });
  const next = open(home).estimators;
  expect(next.of('m').weights).toEqual(estimator.weights);
  expect(next.of('m').weights).not.toEqual(FIRST_WEIGHTS);
  expect(next.of('other').weights).toBe(FIRST_WEIGHTS);
});

test('weights that no tokenizer has are brought back into reach', () => {
  const home = newHome();
  const models = { m: { weights: { words: 1e9, digits: 0, unheard: 5 } } };
  writeFileSync(profileFile(home), JSON.stringify({ models }));
  expect(open(home).estimators.of('m').weights).toEqual({
    ...FIRST_WEIGHTS,
    words: FIRST_WEIGHTS.words * 3,
    digits: FIRST_WEIGHTS.digits / 3,
  });
});

test('what a person or a newer program wrote stays', () => {
  const home = newHome();
  const written = { user_instructions: ' Answer in verse. ', later: { field: 1 } };
  writeFileSync(profileFile(home), JSON.stringify(written));
  const profile = open(home);
  expect(profile.userInstructions).toBe('Answer in verse.');
  profile.keep({ status: 'done' });
  expect(JSON.parse(readFileSync(profileFile(home), 'utf8'))).toMatchObject({
    ...written,
    runs: 1,
  });
});

test.each([
  '{ "user_instructions": "half',
  '[]',
  '{"models": {"m": 1}}',
  '{"models": {"m": {"weights": {"words": "x"}}}}',
  '{"tools": []}',
  '{"runs": -1}',
  '{"user_instructions": 7}',
])('a profile that says %s is warned of, and set aside when another is written', (text) => {
  const home = newHome();
  const file = profileFile(home);
  writeFileSync(file, text);
  const profile = open(home);
  expect(profile.userInstructions).toBe('');
  expect(profile.warnings).toEqual([expect.stringContaining(file)]);
  profile.keep({ status: 'done' });
  expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text);
  expect(readProfile(home)).toMatchObject({ warning: null, profile: { runs: 1 } });
});

test('a rehearsal teaches nothing and is taught nothing', () => {
  const home = newHome();
  const models = { m: { weights: { words: 2 } } };
  writeFileSync(profileFile(home), JSON.stringify({ models }));
  const before = readFileSync(profileFile(home), 'utf8');
  const profile = open(home, 'survey');
  expect(profile.estimators.of('m').weights).toBe(FIRST_WEIGHTS);
  profile.keep({ status: 'done' });
  expect(readFileSync(profileFile(home), 'utf8')).toBe(before);
});

test('a profile that cannot be written does not cost the result', () => {
  const home = newHome();
  const profile = open(home);
  mkdirSync(profileFile(home));
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => said.mockRestore());
  mkdirSync(`${profileFile(home)}.damaged`);
  writeFileSync(`${profileFile(home)}.damaged/in-the-way`, '');
  expect(() => profile.keep({ status: 'done' })).not.toThrow();
  expect(said.mock.calls.join()).toContain('the profile could not be kept');
});
