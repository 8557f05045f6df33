import { expect, test } from 'vitest';
import { initialState, type State } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import type { CoordinatorMessage } from '../../messages/coordinator.js';
import type { HookFact } from '../../messages/hooks.js';
import { LOG_TAIL } from '../../messages/snapshot.js';
import { MAIN, specOf, START } from '../support/session-samples.js';

const heard = (text: string): CoordinatorMessage => ({
  type: 'agent.heard',
  agent: MAIN,
  round: 1,
  text,
  origin: 'steer',
  at: START,
});

const after = (...texts: readonly string[]): State =>
  texts.reduce((state, text) => step(state, heard(text))[0], initialState(specOf(), 'count'));

test('the log keeps its newest entries, numbered through', () => {
  const { log, logged } = after(...Array.from({ length: LOG_TAIL + 50 }, (_, n) => `${n}`));
  expect(log).toHaveLength(LOG_TAIL);
  expect(log.at(0)).toMatchObject({ n: 51, text: '50' });
  expect(log.at(-1)).toMatchObject({ n: LOG_TAIL + 50, text: `${LOG_TAIL + 49}` });
  expect(logged).toBe(LOG_TAIL + 50);
});

test('long entries are cut, and say by how much', () => {
  const [entry] = after('x'.repeat(5_000)).log;
  expect(entry?.text).toMatch(/^x{4000}\n… 1000 more characters$/);
});

test('an answer of nothing but calls leaves no entry', () => {
  const about = { agent: MAIN, round: 1, at: START } as const;
  const said = { type: 'agent.said', ...about, text: '', reasoning: '', calls: ['shell'] } as const;
  expect(step(initialState(specOf(), 'count'), said)[0].log).toEqual([]);
});

test('a hook is told of when it has something to say', () => {
  const ran = (verdict: HookFact['verdict'], text: string): HookFact => ({
    type: 'hook.ran',
    agent: MAIN,
    round: 1,
    event: 'PreToolUse',
    about: 'shell',
    verdict,
    text,
    ms: 3,
    at: START,
  });
  const facts = [ran('passed', ''), ran('passed', 'm'), ran('blocked', 'no'), ran('failed', 'f')];
  const state = facts.reduce((s, fact) => step(s, fact)[0], initialState(specOf(), 'count'));
  expect(state.log.map(({ kind, text }) => [kind, text])).toEqual([
    ['notice', 'hook PreToolUse passed shell: m'],
    ['notice', 'hook PreToolUse blocked shell: no'],
    ['error', 'hook PreToolUse failed shell: f'],
  ]);
});

test('what a person should know about an answer stands below it', () => {
  const about = { agent: MAIN, round: 1, at: START, reasoning: '', calls: [] } as const;
  const said = { type: 'agent.said', ...about, text: 'Done.', notices: ['It was cut.'] } as const;
  expect(step(initialState(specOf(), 'count'), said)[0].log).toMatchObject([
    { kind: 'text', text: 'Done.' },
    { kind: 'notice', text: 'It was cut.' },
  ]);
});
